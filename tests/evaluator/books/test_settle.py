"""Who pays whom: the ways of a discarder, and hands that ask for a settlement of their own."""

import pytest

from scoring.evaluator.books.book import SettlementRules
from scoring.evaluator.books.settlement import HandResult, settle

SCORES = (0, 40, 0, 0)  # South wins, East deals


@pytest.mark.parametrize(
    ("discarder", "amounts"),
    [
        ("equal", [-80, 160, -40, -40]),
        ("double", [-80, 200, -80, -40]),
        ("pays_for_all", [0, 160, -160, 0]),
        ("alone", [0, 40, -40, 0]),
    ],
)
def test_each_way_of_settling_pays_its_amounts_when_west_discards(discarder, amounts):
    settlement = SettlementRules(discarder=discarder)
    assert settle(settlement, HandResult(SCORES, 1, discarder=2)) == amounts
    assert settle(settlement, HandResult(SCORES, 1)) == [-80, 160, -40, -40]


def test_whoever_is_liable_pays_for_all():
    for discarder in (None, 2):
        outcome = HandResult(SCORES, 1, discarder=discarder, liable=3)
        assert settle(SettlementRules(losers_settle=True), outcome) == [0, 160, 0, -160]


def test_nobody_pays_for_a_draw():
    assert settle(SettlementRules(losers_settle=True), HandResult((40, 8, 0, 0), None)) == [
        0,
        0,
        0,
        0,
    ]


def test_losers_pay_each_other_the_difference():
    settlement = SettlementRules(losers_settle=True)
    assert settle(settlement, HandResult((100, 200, 50, 20), 1)) == [-140, 800, -270, -390]
