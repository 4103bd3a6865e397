"""A hand that is sent again after players changed places is the same one: its form names them in another order."""

from dataclasses import replace

import pytest

from scoring.evaluator.table import Calls
from scoring.evaluator.table_rules import LoserEntry
from scoring.evaluator.win import Win
from scoring.models import Game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.merging import merge_players
from scoring.services.rulesets import shipped_version
from scoring.services.seats import change_seats
from tests.factories import BOOK_HAND, make_game, make_league, make_organiser, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def by():
    return make_organiser()


def game_by(slug, by):
    return make_game(league=make_league(ruleset_version=shipped_version(slug, by=by)), by=by)


def swap(game, by):
    """South and North change places; the winner, East, stays."""
    east, south, west, north = game.players
    change_seats(game, [east, north, west, south], by=by, reason="Sat down otherwise")


def test_a_hand_with_hands_of_two_others_is_the_same_one_after_a_swap(by):
    game = game_by("dmjl", by)
    east, south, _west, north = (player.pk for player in game.players)
    others = [LoserEntry(player=south, claimed=8), LoserEntry(player=north, tiles="RRR")]
    win = Win.of({"self_drawn": True, "winning_tile": "5B"})
    entry = HandEntry(number=1, outcome="win", winner=east, tiles=BOOK_HAND, win=win, others=others)
    hand = record_hand(game, entry, by=by, key="k").hand
    swap(game, by)
    again = record_hand(game, replace(entry, others=others[::-1]), by=by, key="k")
    assert (again.repeated, again.hand.number) == (True, hand.number)


def test_a_draw_with_two_who_were_calling_is_the_same_one_after_a_swap(by):
    game = game_by("riichi", by)
    _east, south, _west, north = (player.pk for player in game.players)
    entry = HandEntry(number=1, outcome="draw", calls=Calls((south, north), (south, north)))
    record_hand(game, entry, by=by, key="k")
    swap(game, by)
    turned = replace(entry, calls=Calls((north, south), (north, south)))
    assert record_hand(game, turned, by=by, key="k").repeated


@pytest.mark.parametrize("first", [True, False])
def test_a_hand_with_hands_of_two_others_is_the_same_one_after_a_merge(by, first):
    kept = [make_player()] if first else []
    game = game_by("dmjl", by)
    east, south, _west, north = (player.pk for player in game.players)
    (kept,) = kept or [make_player()]
    others = [LoserEntry(player=south, claimed=8), LoserEntry(player=north, tiles="RRR")]
    win = Win.of({"self_drawn": True, "winning_tile": "5B"})
    entry = HandEntry(number=1, outcome="win", winner=east, tiles=BOOK_HAND, win=win, others=others)
    record_hand(game, entry, by=by, key="k")
    merge_players(kept, game.players[1], by=by)
    game = Game.objects.get(pk=game.pk)
    now = replace(entry, others=[LoserEntry(player=kept.pk, claimed=8), others[1]])
    assert record_hand(game, now, by=by, key="k").repeated
    turned = replace(now, others=now.others[::-1])
    assert record_hand(game, turned, by=by, key="k").repeated
