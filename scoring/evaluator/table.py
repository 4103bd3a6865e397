"""Deal, winds and rounds (``docs/rules.md``, The game): a fold over who won."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from .tiles import WINDS, Wind


class DealRules(Protocol):
    """Whether a dealer deals on: after a win, and after a hand that nobody won."""

    @property
    def dealer_stays_on_win(self) -> bool: ...

    @property
    def dealer_stays_on_draw(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class TableState:
    """Where a game stands before a hand. Places 0 to 3 are East to North of the first hand."""

    round: Wind
    dealer: int
    number: int
    finished: bool = False

    @classmethod
    def start(cls) -> "TableState":
        return cls(Wind.EAST, 0, 1)

    @property
    def prevailing_wind(self) -> Wind:
        return self.round

    def seat_wind(self, place: int) -> Wind:
        """The wind of ``place`` in this hand: the dealer is East."""
        return WINDS[(place - self.dealer) % 4]

    def after(self, winner: int | None, rules: DealRules) -> "TableState":
        """The table after a hand that ``winner`` (a place; None for a draw) won.

        >>> from .rules import CLUB
        >>> TableState.start().after(2, CLUB)
        TableState(round=<Wind.EAST: 'E'>, dealer=1, number=2, finished=False)
        """
        stays = rules.dealer_stays_on_draw
        if winner is not None:
            stays = winner == self.dealer and rules.dealer_stays_on_win
        if stays:
            return TableState(self.round, self.dealer, self.number + 1, self.finished)
        dealer = (self.dealer + 1) % 4
        if dealer:
            return TableState(self.round, dealer, self.number + 1, self.finished)
        if self.round is Wind.NORTH:
            return TableState(self.round, self.dealer, self.number + 1, True)
        following = WINDS[WINDS.index(self.round) + 1]
        return TableState(following, 0, self.number + 1, self.finished)


def replay(winners: Iterable[int | None], rules: DealRules) -> list[TableState]:
    """The table before the first hand and after each of ``winners``.

    >>> from .rules import CLUB
    >>> [(state.round.value, state.dealer) for state in replay([0, None, 2, 3, 1], CLUB)]
    [('E', 0), ('E', 0), ('E', 0), ('E', 1), ('E', 2), ('E', 3)]
    """
    states = [TableState.start()]
    for winner in winners:
        states.append(states[-1].after(winner, rules))
    return states
