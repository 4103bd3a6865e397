"""The page that shows a league under other rules."""

import re

import pytest
from django.utils.formats import date_format

from scoring.models.days import club_day
from scoring.services.confirmations import dispute_hand
from scoring.services.standing_rules import change_standing_rules
from scoring.services.withdrawals import withdraw_game
from scoring.web.league import what_if
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_ruleset_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    by = make_organiser()
    players = [make_player(name) for name in ("Ann", "Bob", "Cy", "Di")]
    game = make_game(league=make_league("Winter", slug="winter"), players=players, by=by)
    make_hand(game, winner=1, tiles="222B 333B 444B 555B 66B", by=by)
    make_hand(game, winner=2, by=by)
    make_ruleset_version(limit=100)
    return game


@pytest.fixture
def shown(client, game):
    """``shown("club:2")``: the page of those rules."""
    client.force_login(make_member())

    def shown(ruleset=None, *, status=200):
        response = client.get("/leagues/winter/what-if/", {"ruleset": ruleset} if ruleset else {})
        assert response.status_code == status
        return response

    return shown


def test_the_what_if_page_asks_which_rules_at_first(shown):
    page = shown()
    assert "trial" not in page.context
    assert b'<option value="club:2">' in page.content
    assert b'<option value="club:1" selected>' in page.content


@pytest.mark.parametrize("name", ["club:2", "club"])
def test_the_what_if_page_shows_the_table_under_the_chosen_rules(shown, name):
    page = shown(name)
    rows = [
        (row.player.name, row.points, row.points_by_rules) for row in page.context["trial"].rows
    ]
    assert rows[0] == ("Bob", 1860, 260)
    assert b'<option value="club:2" selected>Club, version 2</option>' in page.content
    assert b"The table by Club, version 2</h2>" in page.content


def test_the_what_if_page_lists_the_hands_whose_scores_differ(shown, game):
    hand = game.hands.get(number=1)
    page = shown("club:2").content.decode()
    day = date_format(game.evening)
    assert f'<a href="/hands/{hand.pk}/">Hand 1 of {day}: Ann, Bob, Cy, Di</a>' in page
    assert f"/hands/{hand.pk + 1}/" not in page


def test_chinese_has_its_own_commas_between_names_and_before_a_version(shown, client):
    page = client.get(
        "/leagues/winter/what-if/?ruleset=club:2", headers={"accept-language": "zh-hant"}
    ).content.decode()
    assert "：Ann、Bob、Cy、Di" in page
    assert "按「Club，第 2 版」的排名表" in page


def test_the_what_if_page_tells_of_hands_after_the_end_of_their_game(shown, game):
    for _hand in range(20):
        make_hand(game, winner=0, tiles="", claimed_final=20)
    make_ruleset_version(dealer_stays_on_win=False)
    page = shown("club:3").content.decode()
    assert "Hands that would not have been played, as the game would have been over: 6." in page
    assert page.count("not played</td>") == 6


def test_the_what_if_page_says_when_nothing_changes(shown):
    assert b"Every hand scores what it scores now." in shown("club:1").content


def test_the_what_if_page_shows_the_first_of_many_hands(shown, monkeypatch):
    monkeypatch.setattr(what_if, "SHOWN", 0)
    assert b"And 1 more." not in shown("club:1").content
    assert shown("club:2").context["more"] == 1


def test_hands_of_withdrawn_games_are_not_too_many_for_the_what_if_page(
    shown, game, organiser, monkeypatch
):
    monkeypatch.setattr("scoring.operations.whatif.MOST_ON_A_PAGE", game.hands.count())
    other = make_game(league=game.league)
    make_hand(other, by=organiser)
    assert b"This league has more than" in shown("club:2").content
    withdraw_game(other, reason="Twice", by=organiser)
    assert "trial" in shown("club:2").context


def test_the_what_if_page_leaves_a_large_league_to_the_command(shown, monkeypatch):
    monkeypatch.setattr("scoring.operations.whatif.MOST_ON_A_PAGE", 1)
    monkeypatch.setattr(what_if, "MOST_ON_A_PAGE", 1)
    page = shown("club:2")
    assert b"This league has more than 1 hands" in page.content
    assert "trial" not in page.context


@pytest.mark.parametrize("name", ["club:9", "bok", "club:2:3"])
def test_the_what_if_page_of_unknown_rules_is_not_found(shown, name):
    shown(name, status=404)


def test_members_reach_the_what_if_page_from_the_league(client, game, shown):
    assert b"/leagues/winter/what-if/" in client.get("/leagues/winter/").content
    client.logout()
    assert b"/leagues/winter/what-if/" not in client.get("/leagues/winter/").content


def test_nobody_has_a_rank_in_the_what_if_page_before_the_minimum(shown, game, organiser):
    few = [{"name": "Table", "minimum": {"count": 9}}]
    change_standing_rules(game.league, few, effective_from=club_day(), by=organiser)
    page = shown("club:2").content.decode()
    assert "None" not in page
    assert re.search(r'data-label="Rank now"[^>]*>1 of 9<', page)
    assert "“1 of 9”: no rank yet. A rank takes 9 games." in page


def test_the_what_if_page_says_that_all_hands_are_disputed(shown, game):
    for hand in list(game.hands.all()):
        dispute_hand(hand, by=make_member(player=game.players[0]))
    page = shown("club:2").content.decode()
    assert "2 hands have been played. They are disputed, and count when that is settled." in page
    assert "Hands with another score" not in page
    assert "Hands that count" not in page
