"""``adjustments/``: penalties and other points that move without a hand."""

import pytest

from scoring.models import Adjustment, League
from tests.api.callers import caller
from tests.factories import make_game, make_hand, make_league, make_member, make_organiser

pytestmark = pytest.mark.django_db

URL = "/api/v1/adjustments/"
KEY = {"HTTP_IDEMPOTENCY_KEY": "7f0e6f5c-2b0b-4a9e-8d37-5a1f0f4f9b33"}


def penalty(game, /, amount=100, **changes):
    payer, *others = (player.pk for player in game.players)
    lines = [{"payer": payer, "payee": other, "amount": amount} for other in others]
    return {"game": game.pk, "reason": "False mah jongg", "transfers": lines, **changes}


def in_league(game, /, **changes):
    east, south, *_rest = (player.pk for player in game.players)
    lines = [{"payer": south, "payee": east, "amount": 40}]
    return {"league": game.league.slug, "reason": "Wrong sum", "transfers": lines, **changes}


def test_a_penalty_counts_in_the_game_and_in_the_league(scorer, visitor, game):
    make_hand(game, winner=1)
    response = scorer.post(URL, penalty(game))
    answer = response.json()
    assert (response.status_code, answer["league"], answer["game"]) == (
        *(201, game.league.slug),
        game.pk,
    )
    assert answer["made_by"]["player"] == game.players[0].pk
    there = visitor.get(f"/api/v1/games/{game.pk}/").json()
    assert [row["total"] for row in there["tally"]] == [-440, 380, 30, 30]
    rows = visitor.get(f"/api/v1/leagues/{game.league.slug}/standings/").json()["rows"]
    assert sorted(row["points"] for row in rows) == [-440, 30, 30, 380]


def test_reversing_an_adjustment_moves_the_points_back(scorer, visitor, game):
    booked = scorer.post(URL, penalty(game)).json()
    response = scorer.post(f"{URL}{booked['id']}/reverse/", {"reason": "It did win"})
    back = response.json()
    assert (response.status_code, back["reverses"]) == (201, booked["id"])
    assert [(line["payer"], line["payee"]) for line in back["transfers"]] == [
        (line["payee"], line["payer"]) for line in booked["transfers"]
    ]
    assert visitor.get(f"{URL}{booked['id']}/").json()["reversed_by"] == back["id"]
    again = scorer.post(f"{URL}{booked['id']}/reverse/", {"reason": "Once more"})
    assert (again.status_code, again.json()["errors"][0]["code"]) == (400, "reversed_already")


def test_an_organiser_books_in_a_league(organiser, scorer, game):
    assert scorer.post(URL, in_league(game)).status_code == 403
    response = organiser.post(URL, in_league(game))
    assert (response.status_code, response.json()["game"]) == (201, None)


def test_a_stranger_books_nothing(member, game):
    assert member.post(URL, penalty(game)).status_code == 403
    assert not Adjustment.objects.exists()


def test_the_same_key_books_a_penalty_once(scorer, game):
    first, second = (scorer.post(URL, penalty(game), **KEY) for _time in range(2))
    assert (first.json(), second["Idempotent-Replay"]) == (second.json(), "true")
    assert Adjustment.objects.count() == 1


def test_the_list_of_adjustments_can_be_filtered(visitor, game):
    by = caller(make_organiser())
    one = by.post(URL, penalty(game)).json()["id"]
    other = make_game()
    two = by.post(URL, in_league(other)).json()["id"]

    def filtered(query):
        return [row["id"] for row in visitor.get(f"{URL}?{query}").json()["results"]]

    assert filtered("") == [two, one]
    assert filtered(f"game={game.pk}") == [one]
    assert filtered(f"league={other.league.slug}") == [two]
    assert visitor.get(f"{URL}?game=0").status_code == 400


def test_a_visitor_does_not_see_what_was_booked_in_a_members_league(visitor, member):
    game = make_game(league=make_league(visibility=League.Visibility.MEMBERS))
    booked = caller(make_organiser()).post(URL, penalty(game)).json()
    assert member.get(f"{URL}{booked['id']}/").status_code == 200
    assert visitor.get(f"{URL}{booked['id']}/").status_code == 404
    assert visitor.get(URL).json()["count"] == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"transfers": []}, "transfers"),
        ({"transfers": None}, "transfers"),
        ({"game": None}, "game"),
        ({"game": 999_999}, "game"),
        ({"game": "x"}, "game"),
        ({"league": "nowhere", "game": None}, "league"),
        ({"transfers": [{"payer": 1, "payee": 999_999, "amount": 5}]}, "transfers"),
        ({"transfers": [{"payer": 1, "payee": 2, "amount": -5}]}, "transfers.0.amount"),
        ({"transfers": [{"payer": 1, "payee": 2, "amount": 10**12}]}, "transfers.0.amount"),
    ],
)
def test_an_invalid_adjustment_is_refused_at_its_field(organiser, game, change, field):
    response = organiser.post(URL, penalty(game, **change))
    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == [field]


def test_a_game_and_a_league_at_once_are_refused(organiser, game):
    response = organiser.post(URL, penalty(game, league=game.league.slug))
    assert response.json()["errors"][0]["field"] == "game"


@pytest.mark.parametrize("bookings", [1, 3])
def test_a_list_of_adjustments_costs_the_same_queries_for_any_length(
    visitor, game, bookings, django_assert_num_queries
):
    by = caller(make_member(player=game.players[0]))
    for _booking in range(bookings):
        by.post(URL, penalty(game))
    # To count, the rows, their transfers.
    with django_assert_num_queries(3):
        visitor.get(URL)


class TestTheSameBodyTwice:
    def body(self, game):
        [payer, payee, *_rest] = [player.pk for player in game.players]
        line = {"payer": payer, "payee": payee, "amount": 5}
        return {"game": game.pk, "reason": "Late", "transfers": [line]}

    def test_the_same_adjustment_twice_without_a_key_is_booked_once(self, game, scorer):
        first, second = (
            scorer.post("/api/v1/adjustments/", self.body(game), format="json") for _time in "12"
        )
        assert first.json()["id"] == second.json()["id"]

    def test_the_same_adjustment_twice_with_two_keys_is_booked_twice(self, game, scorer):
        first, second = (
            scorer.post(
                "/api/v1/adjustments/",
                self.body(game),
                format="json",
                headers={"Idempotency-Key": key},
            )
            for key in "12"
        )
        assert first.json()["id"] != second.json()["id"]
