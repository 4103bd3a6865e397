"""Paying and the passing of the deal, slow and obvious, written from docs/rules.md alone.

The other half of `reference`; it shares no code with `scoring.evaluator` either.
"""

from fractions import Fraction
from typing import NamedTuple

from tests.evaluator.reference import WINDS, House, half_up


def payments(
    final: int, winner: int, dealer: int, discarder: int | None, house: House
) -> list[int]:
    """What the places 0 to 3 receive for a hand; "others_half" and "split" round each debt."""
    debts = {}
    for place in {0, 1, 2, 3} - {winner}:
        debt = Fraction(final)
        if house.dealer_doubles and dealer in (winner, place):
            debt *= 2
        if house.discarder == "double" and place == discarder:
            debt *= 2
        if house.discarder == "others_half" and discarder not in (None, place):
            debt /= 2
        if house.discarder == "split":
            debt /= 3
        debts[place] = half_up(debt)
    received = [0, 0, 0, 0]
    received[winner] = sum(debts.values())
    if house.discarder == "pays_for_all" and discarder is not None:
        received[discarder] = -sum(debts.values())
    else:
        for place, debt in debts.items():
            received[place] = -debt
    return received


class Table(NamedTuple):
    """Who deals (a place) in which round before hand `number`; `round` is None after the last."""

    round: str | None = "E"
    dealer: int = 0
    number: int = 1


def play(winners: list[int | None], house: House) -> Table:
    """Fold a game's hands, each a winner's place or None for a draw, over the rules of the deal."""
    table = Table()
    for winner in winners:
        stays = (
            house.dealer_stays_on_draw
            if winner is None
            else house.dealer_stays_on_win and winner == table.dealer
        )
        round_, dealer = table.round, table.dealer
        if not stays:
            dealer = (dealer + 1) % 4
            if dealer == 0:
                round_ = {"E": "S", "S": "W", "W": "N", "N": None}[round_]
        table = Table(round_, dealer, table.number + 1)
    return table


def seat_wind(table: Table, place: int) -> str:
    """The dealer is East, and the winds follow the places round the table."""
    return WINDS[(place - table.dealer) % 4]
