"""Who pays whom (``docs/rules.md``, Paying). Whole points; every hand sums to zero."""

from fractions import Fraction
from math import floor

from .rules import RuleSet

Amounts = tuple[int, int, int, int]


def settle(
    final: int, *, winner: int, dealer: int, discarder: int | None, rules: RuleSet
) -> Amounts:
    """What each of the four places wins or pays for a hand of ``final`` points.

    Shares that are not whole are rounded half up for each loser; the winner gets their sum.

    >>> from .rules import CLUB
    >>> settle(80, winner=1, dealer=0, discarder=None, rules=CLUB)
    (-160, 320, -80, -80)
    """
    owed = {
        place: final
        * _share(place, discarder, rules)
        * _dealer_factor(place, winner, dealer, rules)
        for place in range(4)
        if place != winner
    }
    if rules.discarder == "pays_for_all" and discarder is not None:
        everything = sum(owed.values(), Fraction(0))
        owed = {place: everything if place == discarder else Fraction(0) for place in owed}
    whole = {place: floor(amount + Fraction(1, 2)) for place, amount in owed.items()}
    east, south, west, north = (
        -whole[place] if place in whole else sum(whole.values()) for place in range(4)
    )
    return (east, south, west, north)


def _share(place: int, discarder: int | None, rules: RuleSet) -> Fraction:
    if rules.discarder == "split":
        return Fraction(1, 3)
    if discarder is None:
        return Fraction(1)
    if rules.discarder == "double" and place == discarder:
        return Fraction(2)
    if rules.discarder == "others_half" and place != discarder:
        return Fraction(1, 2)
    return Fraction(1)


def _dealer_factor(place: int, winner: int, dealer: int, rules: RuleSet) -> int:
    return 2 if rules.dealer_doubles and dealer in (place, winner) else 1
