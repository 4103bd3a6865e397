"""``games/``: sitting down, watching, getting up."""

from datetime import timedelta

import pytest

from scoring.models import Game
from scoring.models.days import club_day
from tests.api.callers import caller
from tests.factories import make_game, make_hand, make_league, make_member, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

URL = "/api/v1/games/"


@pytest.fixture
def four(db):
    return [make_player() for _seat in range(4)]


@pytest.fixture
def body(four):
    return {"league": make_league().slug, "players": [player.pk for player in four]}


class TestSittingDown:
    def test_seats_four_and_answers_with_the_table(self, member, body, four):
        response = member.post(URL, body)
        assert response.status_code == 201
        answer = response.json()
        assert answer["league"] == body["league"]
        assert (answer["ruleset"], answer["ruleset_version"]) == ("club", 1)
        assert answer["seats"] == [
            {"wind": wind, "player": player.pk, "name": player.name}
            for wind, player in zip("ESWN", four, strict=True)
        ]
        assert answer["state"] == {
            "finished": False,
            "round": "E",
            "dealer": four[0].pk,
            "seat_winds": {str(player.pk): wind for wind, player in zip("ESWN", four, strict=True)},
            "next_number": 1,
            "counters": 0,
            "sticks": 0,
        }
        assert answer["tally"] == [{"player": player.pk, "total": 0} for player in four]
        assert (answer["hands"], answer["finished_at"]) == ([], None)
        assert member.get(f"{URL}{answer['id']}/").json() == answer

    @pytest.mark.parametrize(
        ("change", "refusal"),
        [
            ({"league": "nothing"}, ("league", "does_not_exist")),
            ({"league": None}, ("league", "null")),
            ({"league": 5}, ("league", "invalid")),
            ({"league": "a\u0000"}, ("league", "null_characters_not_allowed")),
            ({"league": "x" * 500}, ("league", "max_length")),
            ({"players": None}, ("players", "null")),
            ({"players": "1234"}, ("players", "not_a_list")),
            ({"players": 4}, ("players", "not_a_list")),
            ({"players": {}}, ("players", "not_a_list")),
            ({"players": []}, ("players", "not_four")),
            ({"players": [1] * 5000}, ("players", "not_four")),
            ({"players": ["Ann", 2, 3, 4]}, ("players.0", "invalid")),
            ({"players": [True, 2, 3, 4]}, ("players.0", "invalid")),
            ({"players": [[1], 2, 3, 4]}, ("players.0", "invalid")),
            ({"players": [10**30, 2, 3, 4]}, ("players.0", "max_value")),
            ({"players": [999_999, 2, 3, 4]}, ("players.0", "does_not_exist")),
        ],
        ids=lambda value: str(value)[:40],
    )
    def test_sitting_down_wrongly_is_refused_at_its_field(self, member, body, change, refusal):
        response = member.post(URL, body | change)
        assert response.status_code == 400
        errors = {(error["field"], error["code"]) for error in response.json()["errors"]}
        assert refusal in errors
        assert not Game.objects.exists()

    def test_nobody_sits_twice_at_a_new_table(self, member, body):
        body["players"][3] = body["players"][0]
        (error,) = member.post(URL, body).json()["errors"]
        assert (error["field"], error["code"]) == ("players", "seated_twice")

    def test_who_left_is_not_seated(self, member, body, four):
        four[2].active = False
        four[2].save()
        (error,) = member.post(URL, body).json()["errors"]
        assert (error["field"], error["code"]) == ("players", "inactive")
        assert four[2].name in error["message"]

    def test_a_game_in_a_league_that_is_over_is_refused_with_its_code(self, member, body):
        yesterday = club_day() - timedelta(days=1)
        over = make_league(starts_on=yesterday, ends_on=yesterday)
        (error,) = member.post(URL, body | {"league": over.slug}).json()["errors"]
        assert (error["field"], error["code"]) == ("league", "not_running")

    def test_everything_that_is_missing_to_sit_down_is_named(self, member):
        errors = member.post(URL, {}).json()["errors"]
        assert [error["field"] for error in errors] == ["league", "players"]


class TestWatching:
    def test_watching_a_game_shows_the_hands_in_order_and_what_they_add_up_to(self, visitor, game):
        hands = [make_hand(game, winner=1), make_hand(game), make_hand(game, winner=2)]
        answer = visitor.get(f"{URL}{game.pk}/").json()
        assert [hand["id"] for hand in answer["hands"]] == [hand.pk for hand in hands]
        totals = {row["player"]: row["total"] for row in answer["tally"]}
        paid = [payment for hand in answer["hands"] for payment in hand["payments"]]
        for player in game.players:
            assert totals[player.pk] == sum(p["amount"] for p in paid if p["player"] == player.pk)
        assert sum(totals.values()) == 0
        assert totals[game.players[1].pk] > 0
        assert answer["state"]["next_number"] == 4

    def test_each_hand_is_as_on_its_own(self, visitor, game):
        hand = make_hand(game, winner=3, discarder=game.players[0].pk)
        (shown,) = visitor.get(f"{URL}{game.pk}/").json()["hands"]
        assert shown == visitor.get(f"/api/v1/hands/{hand.pk}/").json()


class TestGettingUp:
    def test_getting_up_ends_the_game_where_it_stands(self, scorer, game):
        make_hand(game, winner=1)
        response = scorer.post(f"{URL}{game.pk}/finish/")
        assert response.status_code == 200
        answer = response.json()
        assert answer["state"]["finished"] is True
        assert answer["finished_at"] is not None
        assert len(answer["hands"]) == 1
        game.refresh_from_db()
        assert game.finished

    def test_getting_up_happens_once(self, scorer, game):
        scorer.post(f"{URL}{game.pk}/finish/")
        response = scorer.post(f"{URL}{game.pk}/finish/")
        assert response.status_code == 409
        problem = response.json()
        assert (problem["hand"], problem["state"]["finished"]) == (None, True)


class TestTheList:
    def test_the_list_of_games_names_who_plays_and_where_the_game_stands(self, visitor, game):
        make_hand(game, winner=1)
        (row,) = visitor.get(URL).json()["results"]
        whole = visitor.get(f"{URL}{game.pk}/").json()
        assert row == {name: whole[name] for name in row}
        assert not {"hands", "tally"} & set(row)

    def test_the_list_of_games_is_newest_first_in_pages(self, visitor):
        games = [make_game() for _game in range(3)]
        first = visitor.get(f"{URL}?page_size=2").json()
        assert first["count"] == 3
        assert first["previous"] is None
        second = visitor.get(first["next"]).json()
        ids = [row["id"] for page in (first, second) for row in page["results"]]
        assert ids == [game.pk for game in reversed(games)]

    def test_the_list_of_games_can_be_narrowed(self, scorer, visitor, game):
        other = make_game(league=game.league)
        elsewhere = make_game()
        scorer.post(f"{URL}{game.pk}/finish/")

        def filtered(query):
            return [row["id"] for row in visitor.get(f"{URL}?{query}").json()["results"]]

        assert filtered(f"league={game.league.slug}") == [other.pk, game.pk]
        assert filtered("finished=true") == [game.pk]
        assert filtered("finished=false") == [elsewhere.pk, other.pk]
        assert filtered(f"player={other.players[2].pk}") == [other.pk]
        assert filtered(f"league={game.league.slug}&finished=false") == [other.pk]


def test_who_opened_the_game_is_kept(body):
    member = make_member()
    caller(member).post(URL, body)
    assert Game.objects.get().started_by == member
