"""``leagues/{slug}/evenings/``: what was played on which day, and closing it."""

import pytest

from scoring.models import Game, League
from scoring.services.settlements import change_terms
from tests.factories import make_game, make_hand, make_organiser, make_owner

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def played(game):
    make_hand(game, winner=1, by=make_organiser())
    return game


def address(game, call=""):
    base = f"/api/v1/leagues/{game.league.slug}/evenings/"
    return f"{base}{game.evening}/{call}/" if call else base


def test_evenings_are_the_days_on_which_games_began(visitor, played):
    earlier = make_game(league=played.league, players=played.players)
    Game.objects.filter(pk=earlier.pk).update(evening="2020-01-02")
    rows = visitor.get(address(played)).json()["results"]
    assert rows == [
        {"day": str(played.evening), "games": 1, "open_games": 1, "closed": False},
        {"day": "2020-01-02", "games": 1, "open_games": 1, "closed": False},
    ]


def test_an_evening_is_closed_and_opened_again_by_calls_of_an_organiser(
    organiser, scorer, visitor, played
):
    closed = organiser.post(address(played, "close"))
    assert (closed.status_code, closed.json()["closed"], closed.json()["open_games"]) == (
        *(200, True),
        0,
    )
    there = visitor.get(f"/api/v1/games/{played.pk}/").json()
    assert (there["evening_closed"], there["state"]["finished"]) == (True, True)
    hand = played.hands.get()
    refused = scorer.post(f"/api/v1/hands/{hand.pk}/void/", {"reason": "Wrong"})
    assert (refused.status_code, "closed" in refused.json()["detail"]) == (403, True)
    opened = organiser.post(address(played, "reopen"), {"reason": "A table was forgotten"})
    assert (opened.status_code, opened.json()["closed"]) == (200, False)
    assert scorer.post(f"/api/v1/hands/{hand.pk}/void/", {"reason": "Wrong"}).status_code == 200


@pytest.mark.parametrize("call", ["close", "reopen"])
def test_players_do_not_close_an_evening(scorer, played, call):
    assert scorer.post(address(played, call), {"reason": "Home"}).status_code == 403


def test_a_call_that_reopens_an_evening_names_the_missing_reason(organiser, played):
    organiser.post(address(played, "close"))
    response = organiser.post(address(played, "reopen"), {})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "reason")


@pytest.mark.parametrize(("day", "status"), [("2020-01-01", 400), ("never", 404)])
def test_a_day_without_a_game_is_no_evening(organiser, played, day, status):
    url = f"/api/v1/leagues/{played.league.slug}/evenings/{day}/close/"
    assert organiser.post(url).status_code == status


@pytest.mark.parametrize("days", [1, 3])
def test_a_list_of_evenings_costs_the_same_queries_for_any_length(
    visitor, played, days, django_assert_num_queries
):
    for day in range(days):
        game = make_game(league=played.league, players=played.players)
        Game.objects.filter(pk=game.pk).update(evening=f"2020-01-0{day + 1}")
    # The league, to count, the rows.
    with django_assert_num_queries(3):
        visitor.get(address(played))


class TestWhoPaysWhom:
    @pytest.fixture
    def owed(self, played, organiser):
        change_terms(None, stake=1, stake_points=1, by=make_owner())
        evening = organiser.get(f"{address(played)}{played.evening}/").json()
        return evening["settlement"]["transfers"][0]

    def test_an_evening_says_who_owes_whom_and_what_was_paid(
        self, organiser, visitor, played, owed
    ):
        evening = f"{address(played)}{played.evening}/"
        marked = organiser.post(address(played, "payments"), owed)
        assert marked.status_code == 201
        settlement = organiser.get(evening).json()["settlement"]
        assert owed not in settlement["transfers"]
        assert [one["amount"] for one in settlement["payments"]] == [owed["amount"]]
        assert visitor.get(evening).json()["settlement"] is None
        not_paid = address(played, f"payments/{marked.json()['id']}/not-paid")
        assert organiser.post(not_paid, {"why": "Lost"}).status_code == 400
        undone = organiser.post(not_paid)
        assert (undone.status_code, undone.json()["undone_at"] is None) == (200, False)
        assert owed in organiser.get(evening).json()["settlement"]["transfers"]

    @pytest.mark.parametrize("amount", ["0.001", "0", "many"])
    def test_an_amount_that_cannot_be_paid_is_refused(self, organiser, played, owed, amount):
        refused = organiser.post(address(played, "payments"), {**owed, "amount": amount})
        assert refused.status_code == 400


def test_an_evening_of_a_closed_season_is_neither_closed_nor_opened(organiser, played):
    League.objects.update(ends_on=played.evening, closed_on=played.evening)
    for call in ("close", "reopen"):
        refused = organiser.post(address(played, call), {})
        assert refused.status_code == 403
        assert refused.json()["detail"] == "This season is closed: an organiser can open it again."
