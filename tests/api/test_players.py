"""``players/``: who plays, and what they have gathered."""

import pytest

from scoring.models import Player
from scoring.models.permissions import Scope
from tests.api.callers import caller
from tests.factories import make_game, make_hand, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

URL = "/api/v1/players/"


def test_a_player_has_a_tally_for_each_league(visitor, game):
    make_hand(game, winner=1)
    make_hand(game)
    player = game.players[1]
    assert visitor.get(f"{URL}{player.pk}/").json() == {
        "id": player.pk,
        "name": player.name,
        "active": True,
        "hides_name": False,
        "tallies": [
            {
                "league": game.league.slug,
                "points": 280,
                "hands": 2,
                "wins": 1,
                "games": 1,
                "average": 140.0,
                "best_hand": 70,
                "rating": 1000,
                "rating_low": 600,
                "rating_high": 1400,
                "rating_provisional": True,
            }
        ],
    }


def test_players_are_listed_by_name(member):
    for name in ("ben", "Ann", "Carl"):
        make_player(name)
    results = member.get(URL).json()["results"]
    assert [row["name"] for row in results] == ["Ann", "ben", "Carl"]


def test_the_list_of_players_can_be_filtered(member, game):
    ann, gone = make_player("Ann Ode"), make_player("Odette", active=False)
    make_game(league=game.league, players=game.players)

    def filtered(query):
        return [row["id"] for row in member.get(f"{URL}?{query}").json()["results"]]

    assert filtered("name=ode") == [ann.pk, gone.pk]
    assert filtered("name=ode&active=true") == [ann.pk]
    assert filtered("active=false") == [gone.pk]
    assert sorted(filtered(f"league={game.league.slug}")) == sorted(p.pk for p in game.players)


def test_a_token_that_only_organises_adds_and_changes_players():
    organises = caller(make_organiser(), Scope.ORGANISE)
    made = organises.post(URL, {"name": "Nora Nieuw"})
    assert (made.status_code, made.json()["name"]) == (201, "Nora Nieuw")
    changed = organises.patch(f"{URL}{made.json()['id']}/", {"active": False})
    assert (changed.status_code, changed.json()["active"]) == (200, False)


class TestAdding:
    def test_adding_a_player_answers_with_the_player(self, organiser):
        response = organiser.post(URL, {"name": "  Zoe   Quint "})
        assert response.status_code == 201
        player = Player.objects.get()
        assert response.json() == {
            "id": player.pk,
            "name": "Zoe Quint",
            "active": True,
            "hides_name": False,
            "tallies": [],
        }

    @pytest.mark.parametrize(
        ("body", "code"),
        [
            ({}, "required"),
            ({"name": ""}, "blank"),
            ({"name": "   "}, "blank"),
            ({"name": None}, "null"),
            ({"name": 5}, "invalid"),
            ({"name": ["Ann"]}, "invalid"),
            ({"name": "x" * 81}, "max_length"),
            ({"name": "Ann\u0000"}, "null_characters_not_allowed"),
        ],
        ids=str,
    )
    def test_adding_a_player_without_a_name_is_refused(self, organiser, body, code):
        response = organiser.post(URL, body)
        assert response.status_code == 400
        (error,) = response.json()["errors"]
        assert (error["field"], error["code"]) == ("name", code)
        assert not Player.objects.exists()

    @pytest.mark.parametrize("name", ["Ann", "ann", " ANN "])
    def test_a_name_twice_is_refused_at_the_name(self, organiser, name):
        make_player("Ann")
        response = organiser.post(URL, {"name": name})
        assert response.status_code == 400
        (error,) = response.json()["errors"]
        assert error["field"] == "name"
        assert "already a player of this name" in error["message"]
        assert Player.objects.count() == 1


class TestChanging:
    def test_a_name_leaves_the_rest(self, organiser):
        player = make_player("Ann", active=False)
        answer = organiser.patch(f"{URL}{player.pk}/", {"name": "Anna"}).json()
        assert (answer["name"], answer["active"]) == ("Anna", False)
        player.refresh_from_db()
        assert player.name == "Anna"

    def test_who_leaves_keeps_the_name(self, organiser):
        player = make_player("Ann")
        answer = organiser.patch(f"{URL}{player.pk}/", {"active": False}).json()
        assert (answer["name"], answer["active"]) == ("Ann", False)

    def test_changing_a_player_to_the_name_of_another_is_refused(self, organiser):
        make_player("Ann")
        ben = make_player("Ben")
        response = organiser.patch(f"{URL}{ben.pk}/", {"name": "ann"})
        assert [error["field"] for error in response.json()["errors"]] == ["name"]
        ben.refresh_from_db()
        assert ben.name == "Ben"

    @pytest.mark.parametrize("active", [None, "perhaps", 7, []])
    def test_changing_a_player_to_nonsense_is_refused(self, organiser, active):
        response = organiser.patch(f"{URL}{make_player().pk}/", {"active": active})
        assert [error["field"] for error in response.json()["errors"]] == ["active"]
