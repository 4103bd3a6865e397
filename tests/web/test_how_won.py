"""How a hand was won stands alike wherever a page tells of the hand: by one function."""

import pytest
from django.urls import reverse

from scoring.models import Hand
from scoring.services.confirmations import dispute_hand
from scoring.services.rulesets import shipped_version
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = pytest.mark.django_db

ROBBED = {"won_by": "robbing_kong", "winning_tile": "3B"}
LAST = {"won_by": "last_tile", "winning_tile": "3B", "self_drawn": True}


@pytest.fixture
def game():
    version = shipped_version("dmjl", by=make_organiser())
    players = [make_player(name) for name in ("Ann Alt", "Bea", "Cas", "Dirk")]
    return make_game(league=make_league(ruleset_version=version), players=players)


def won(game, how) -> Hand:
    ours = {} if how is LAST else {"discarder": game.players[0].pk}
    return make_hand(game, winner=1, tiles="222B 345B 55B 222D GGG", **ours, **how)


def pages(game, hand, client) -> dict[str, str]:
    """What each page that tells of ``hand`` shows a member."""
    client.force_login(make_member())
    addresses = {
        "its own page": hand.get_absolute_url(),
        "the table": game.get_absolute_url(),
        "the hall of fame": reverse("hall"),
        "the winner": game.players[1].get_absolute_url(),
        "the dashboard": "/",
    }
    shown = {name: client.get(address).content.decode() for name, address in addresses.items()}
    return {name: " ".join(page.split()) for name, page in shown.items()}


@pytest.mark.parametrize(
    ("how", "whole", "short"),
    [
        (ROBBED, "on Ann Alt’s discard (robbing a kong)", "robbing a kong: Ann"),
        (LAST, "self-drawn (last tile of the wall)", "self-drawn (last tile of the wall)"),
        ({"winning_tile": "3B"}, "on Ann Alt’s discard", "discard: Ann"),
    ],
    ids=["a robbed kong", "the last tile of the wall", "a discard"],
)
def test_every_page_says_how_a_hand_was_won(game, client, how, whole, short):
    hand = won(game, how)
    shown = pages(game, hand, client)
    assert f"Bea won {hand.final}, {whole}." in shown["the dashboard"]
    missing = [
        page for page in shown if (short if page == "the table" else whole) not in shown[page]
    ]
    assert missing == []


def test_the_evening_says_how_a_disputed_hand_was_won(game, client):
    for how in (ROBBED, LAST):
        dispute_hand(won(game, how), by=make_member(player=game.players[2]))
    client.force_login(make_member())
    page = client.get(reverse("evening", args=[game.league.slug, game.evening])).content.decode()
    assert "on Ann Alt’s discard (robbing a kong)" in page
    assert "self-drawn (last tile of the wall)" in page
