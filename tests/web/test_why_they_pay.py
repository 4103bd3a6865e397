"""The words beside each payment, under every house option for paying."""

import pytest

from scoring.evaluator.win import Win
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import preview_hand
from scoring.web.shared.payments import shares
from tests.factories import make_game, make_league

pytestmark = pytest.mark.django_db


def reasons(options, *, winner, discarder=None):
    """(amount, reason) of the four for a score of 100, East dealing, under ``options``."""
    ruleset = RuleSet.objects.create(slug="house", name="House")
    version = RuleSetVersion.objects.create(ruleset=ruleset, number=1, options=options)
    game = make_game(league=make_league(ruleset_version=version))
    people = game.players
    entry = HandEntry(
        number=1,
        outcome="win",
        winner=people[winner].pk,
        discarder=None if discarder is None else people[discarder].pk,
        win=Win(self_drawn=discarder is None),
        claimed_final=100,
    )
    recorded = preview_hand(game, entry)
    return [(share.amount, share.reason) for share in shares(recorded.hand, recorded.payments)]


def test_each_pays_the_score_and_the_dealer_double():
    assert reasons({}, winner=1) == [
        (-200, "twice the score: the dealer pays double"),
        (400, ""),
        (-100, "the score"),
        (-100, "the score"),
    ]


def test_the_dealer_is_paid_double():
    double = (-200, "twice the score: the dealer is paid double")
    assert reasons({}, winner=0) == [(600, ""), double, double, double]


def test_all_pay_alike_without_the_dealers_double():
    alike = (-100, "the score")
    assert reasons({"dealer_doubles": False}, winner=0) == [(300, ""), alike, alike, alike]


def test_the_dealer_as_discarder_pays_four_times():
    words = "four times the score: the discarder pays double, the dealer pays double"
    payers = reasons({"discarder": "double"}, winner=1, discarder=0)
    assert payers == [(-400, words), (600, ""), (-100, "the score"), (-100, "the score")]


def test_the_discarder_pays_for_all():
    payers = reasons({"discarder": "pays_for_all", "dealer_doubles": False}, winner=1, discarder=2)
    nothing = (0, "the discarder pays for all")
    words = "three times the score: the discarder pays for all"
    assert payers == [nothing, (300, ""), (-300, words), nothing]


def test_the_discarder_pays_whole_and_the_others_half():
    payers = reasons({"discarder": "others_half", "dealer_doubles": False}, winner=1, discarder=2)
    half = (-50, "half the score: the discarder pays the whole score, the others half")
    assert payers == [half, (200, ""), (-100, "the score"), half]


def test_the_other_three_share_the_score():
    payers = reasons({"discarder": "split"}, winner=1, discarder=2)
    third = (-33, "a third of the score: the three share it")
    dealer = (-67, "two thirds of the score: the three share it, the dealer pays double")
    assert payers == [dealer, (133, ""), third, third]


def test_a_drawn_hand_needs_no_words():
    recorded = preview_hand(make_game(), HandEntry(number=1, outcome="draw"))
    assert {share.reason for share in shares(recorded.hand, recorded.payments)} == {""}
