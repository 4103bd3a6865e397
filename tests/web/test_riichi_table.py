"""The page of a table that plays riichi: counters, sticks, and who was calling after a draw."""

import re

import pytest

from scoring.models import Hand
from scoring.services.rulesets import shipped_version
from tests.factories import make_game, make_league, make_organiser
from tests.support.pages import read

pytest.importorskip("mahjong")
pytestmark = pytest.mark.django_db

TILES = "123B 456C 99D 234D 678B"


@pytest.fixture
def by(client):
    organiser = make_organiser()
    client.force_login(organiser)
    return organiser


@pytest.fixture
def game(by):
    return make_game(league=make_league(ruleset_version=shipped_version("riichi", by=by)), by=by)


@pytest.fixture
def log(client, game):
    """Sends the form of a hand as the page does; ``staked`` and ``calling`` are places."""

    def log(url="", *, staked=(), calling=(), **fields):
        game.refresh_from_db()
        seats = [player.pk for player in game.players]
        people = {f"staked-{seats[place]}": "on" for place in staked}
        people |= {f"calling-{seats[place]}": "on" for place in calling}
        named = {
            name: str(seats[value]) if isinstance(value, int) else value
            for name, value in fields.items()
        }
        data = {"number": game.next_number, "key": "", **named, **people}
        return client.post(url or f"/games/{game.pk}/hands/", data)

    return log


def test_the_table_asks_who_declared_riichi_and_who_was_calling(client, game, log):
    page = read(client.get(f"/games/{game.pk}/"))
    assert page.count('name="staked-') == page.count('name="calling-') == 4
    assert "nobody pays" not in page
    log(winner="draw", staked=[1], calling=[0])
    page = read(client.get(f"/games/{game.pk}/"))
    assert "1 counter<br>1 riichi stick" in page
    assert Hand.objects.get().on_table == 1000


def test_tables_of_other_books_ask_nobody_who_was_calling(client, by):
    page = read(client.get(f"/games/{make_game(by=by).pk}/"))
    assert not {"staked-", "calling-", "data-rounds", "riichi"} & {*page.split('"')}


def test_the_scorecard_says_what_lay_there(client, log):
    log(winner="draw", staked=[1], calling=[0])
    log(winner=0, discarder=3, tiles=TILES, winning_tile="5C", staked=[0, 2], dora_indicators="8D")
    hand = Hand.objects.latest("pk")
    page = read(client.get(hand.get_absolute_url()))
    for words in (
        *("1 counter: 300", "3 riichi sticks: 3,000", "1,000 for declaring riichi"),
        *("7,700 for the hand", "1 counter, 1 riichi stick", "8D"),
    ):
        assert words in page
    page = read(client.get(Hand.objects.earliest("pk").get_absolute_url()))
    assert "1,500 for calling" in page
    assert "1,500 to who was calling" in page
    assert "nobody pays" not in page


def test_a_refusal_stands_at_the_field(log):
    page = read(log(winner="draw", abortive="on", calling=[0]), 422)
    assert "Nobody shows a hand that was broken off" in page
    page = read(log(winner=0, discarder=3, tiles=TILES, dora_indicators="8X"), 422)
    assert "dora_indicators" in page


def test_a_correction_takes_a_riichi_stick_back(client, game, log):
    log(winner=0, discarder=3, tiles=TILES, winning_tile="5C", staked=[0, 2])
    hand = Hand.objects.get()
    url = f"{hand.get_absolute_url()}correct/"
    page = read(client.get(url))
    assert page.count('value="on" checked') == 2
    entry = {"winner": 0, "discarder": 3, "tiles": TILES, "winning_tile": "4C", "staked": [0]}
    shown = read(log(url, **entry, reason="Nobody else", step="see"))
    seen = re.search(r'name="seen" value="(\w+)"', shown)[1]
    log(url, **entry, reason="Nobody else", step="apply", seen=seen)
    assert Hand.objects.current().get().calls == {"staked": [game.players[0].pk]}


def test_figures_of_five_digits_stand_in_smaller_letters(client, game, log):
    assert "sheet--long" not in read(client.get(f"/games/{game.pk}/"))
    log(winner=1, discarder=2, claimed_final="12000")
    assert "sheet--long" in read(client.get(f"/games/{game.pk}/"))
