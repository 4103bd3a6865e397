"""``manage.py demo --ruleset NAME``: a club whose leagues play by a rule book."""

from random import Random

import pytest
from django.core.management import CommandError, call_command

from scoring.demo.by_book import accepted_by, adapted
from scoring.demo.deal import play_hand
from scoring.demo.seat import Strategy
from scoring.evaluator.books.loader import load
from scoring.evaluator.table import TableState
from scoring.models import Hand, League
from scoring.variants.book_rules import BookTableRules

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

SMALL = ("--hands", "24", "--players", "5", "--leagues", "2", "-v", "0")


def test_a_classical_club_tells_bonus_tiles_and_the_losers_hands():
    call_command("demo", "--ruleset", "bmja", *SMALL)
    assert {str(league.ruleset_version) for league in League.objects.all()} == {"BMJA, version 1"}
    won = Hand.objects.filter(outcome=Hand.Outcome.WIN)
    assert won.exclude(bonus="").exists()
    assert any(hand.others for hand in won)
    assert all(hand.winning_tile for hand in won)


@pytest.mark.parametrize("slug", ["hk", "zung-jung", "card", "american-1922"])
def test_the_hands_are_wins_by_the_book(slug):
    call_command("demo", "--ruleset", slug, *SMALL)
    assert Hand.objects.filter(outcome=Hand.Outcome.WIN).exists()


@pytest.mark.parametrize("slug", ["dmjl", "bmja", "hk"])
def test_most_hands_are_won_by_a_book_under_which_few_hands_win(slug):
    rules, start, rng = BookTableRules(load(slug)), TableState.start(), Random(5)
    accepts = accepted_by(rules, start)
    won = 0
    for _hand in range(60):
        four = [adapted(Strategy.of(rng), rules) for _place in range(4)]
        won += play_hand(start, four, rng, accepts).winner is not None
    assert won > 36


def test_rules_that_are_none_are_refused():
    with pytest.raises(CommandError, match="There is no rule set none"):
        call_command("demo", "--ruleset", "none", *SMALL)


def test_a_riichi_club_has_sticks_and_counters_on_its_tables():
    pytest.importorskip("mahjong")
    call_command("demo", "--ruleset", "riichi", *SMALL)
    hands = Hand.objects.all()
    assert hands.filter(sticks__gt=0).exists()
    assert hands.filter(counters__gt=0).exists()
    assert hands.exclude(dora_indicators="").exists()
    assert hands.filter(outcome=Hand.Outcome.DRAW, calls__isnull=False).exists()
