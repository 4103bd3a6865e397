"""Work out who pays whom (``docs/rules.md``, Paying). Whole points; every hand sums to zero."""

from numbers import Integral

from .problems import refuse
from .rounding import nearest
from .rules import RuleSet

Amounts = tuple[int, int, int, int]

PLACES = range(4)
# Shares are counted in sixths of the final score: a half and a third of it are whole then.
WHOLE, HALF, THIRD = 6, 3, 2
DISCARDER_IS_WINNER = "The winner did not discard the winning tile: choose another player."


def settle(
    final: int, *, winner: int, dealer: int, discarder: int | None, rules: RuleSet
) -> Amounts:
    """What each of the four places wins or pays for a hand of ``final`` points.

    Places 0 to 3 are East to North of the first hand. Shares that are not whole are rounded half up
    for each loser; the winner gets their sum.

    :raises HandError: if the winner is the discarder, and for what is no place or no number of points.

    >>> from .rules import CLUB
    >>> settle(80, winner=1, dealer=0, discarder=None, rules=CLUB)
    (-160, 320, -80, -80)
    """
    if not _is_whole(final):
        raise refuse("final", "no_score", "A final score is a whole number of points.")
    _require_places(winner, dealer, discarder)
    final = int(final)  # the whole numbers of NumPy run over
    sixths = [0, 0, 0, 0]
    for place in range(4):
        if place != winner:
            dealer_pays_or_wins = rules.dealer_doubles and dealer in (place, winner)
            factor = 2 if dealer_pays_or_wins else 1
            sixths[place] = final * _share(place, discarder, rules) * factor
    if rules.discarder == "pays_for_all" and discarder is not None:
        everything = sum(sixths)
        sixths = [everything if place == discarder else 0 for place in range(4)]
    amounts = [-(nearest(amount, WHOLE) // WHOLE) for amount in sixths]
    amounts[winner] = -sum(amounts)
    east, south, west, north = amounts
    return (east, south, west, north)


def _is_whole(value: object) -> bool:
    """Whether it is a whole number, also one of NumPy; yes and no are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _require_places(winner: int, dealer: int, discarder: int | None) -> None:
    places = {"winner": winner, "dealer": dealer, "discarder": discarder}
    for field, place in places.items():
        if place is None and field == "discarder":
            continue
        if not _is_whole(place) or place not in PLACES:
            raise refuse(field, "no_place", "A place at the table is a number from 0 to 3.")
    if winner == discarder:
        raise refuse("discarder", "discarder_is_winner", DISCARDER_IS_WINNER)


def _share(place: int, discarder: int | None, rules: RuleSet) -> int:
    """How much of the final score a loser pays, in sixths."""
    if rules.discarder == "split":
        return THIRD
    if discarder is None:
        return WHOLE
    if rules.discarder == "double" and place == discarder:
        return 2 * WHOLE
    if rules.discarder == "others_half" and place != discarder:
        return HALF
    return WHOLE
