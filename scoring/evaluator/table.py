"""Deal, winds and rounds (``docs/rules.md``, The game): a fold over who won."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from .tiles import WINDS, Wind


class DealRules(Protocol):
    """Whether a dealer deals on: after a win, and after a hand that nobody won."""

    @property
    def dealer_stays_on_win(self) -> bool: ...

    @property
    def dealer_stays_on_draw(self) -> bool: ...


class Calls(NamedTuple):
    """What four players say of a hand besides who won it, where their rules ask for it.

    ``staked``: who declared riichi and put a stick on the table. ``calling``: who lacked one tile when
    the wall ran out. Both are ids of players, or places, whichever the reader deals with. ``abortive``:
    the hand was broken off before the wall ran out.
    """

    staked: tuple[int, ...] = ()
    calling: tuple[int, ...] = ()
    abortive: bool = False

    @classmethod
    def of(cls, values: Mapping[str, Any] | None) -> "Calls":
        """What ``values`` says by name, beside whatever else.

        >>> Calls.of({"staked": [3, 1], "outcome": "draw"})
        Calls(staked=(3, 1), calling=(), abortive=False)
        """
        stored = values or {}
        staked, calling = stored.get("staked") or (), stored.get("calling") or ()
        return cls(tuple(staked), tuple(calling), bool(stored.get("abortive")))

    def renamed(self, now: Callable[[int], int]) -> "Calls":
        """The same of other people: each is who ``now`` says.

        >>> Calls(staked=(12,), abortive=True).renamed({12: 0}.__getitem__)
        Calls(staked=(0,), calling=(), abortive=True)
        """
        staked, calling = (tuple(map(now, people)) for people in self.people.values())
        return Calls(staked, calling, self.abortive)

    @property
    def people(self) -> dict[str, tuple[int, ...]]:
        """Who is named, by the name of the field."""
        return {"staked": self.staked, "calling": self.calling}

    def ordered(self, seats: Sequence[int]) -> "Calls":
        """The same with everybody once, in the order of ``seats``; who sits elsewhere comes last.

        >>> Calls(staked=(7, 9, 5, 7)).ordered([5, 6, 7, 8]).staked
        (5, 7, 9)
        """
        staked, calling = (
            tuple(dict.fromkeys((*(one for one in seats if one in people), *people)))
            for people in self.people.values()
        )
        return Calls(staked, calling, self.abortive)

    def placed(self, seats: Sequence[int]) -> "Calls":
        """The same by places, of ids; ``seats`` are those of the four. Who sits elsewhere is passed over.

        >>> Calls().placed([9, 10, 11, 12]) == SILENT
        True
        >>> Calls(staked=(12, 9)).placed([9, 10, 11, 12]).staked
        (3, 0)
        """
        if self == SILENT:
            return self
        staked, calling = (
            tuple(seats.index(pk) for pk in people if pk in seats)
            for people in self.people.values()
        )
        return Calls(staked, calling, self.abortive)

    @property
    def as_json(self) -> dict[str, Any] | None:
        """What is said, by name, as a hand keeps it; None if that is nothing.

        >>> Calls(staked=(12,)).as_json
        {'staked': [12]}
        """
        named: dict[str, Any] = {name: list(who) for name, who in self.people.items() if who}
        return {**named, **({"abortive": True} if self.abortive else {})} or None


SILENT = Calls()


@dataclass(frozen=True, slots=True)
class TableState:
    """Where a game stands before a hand. Places 0 to 3 are East to North of the first hand.

    ``counters`` and ``sticks`` lie on the table, where the rules keep such.
    """

    round: Wind
    dealer: int
    number: int
    finished: bool = False
    counters: int = 0
    sticks: int = 0

    ROUNDS: ClassVar[int] = 4

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
        TableState(round=<Wind.EAST: 'E'>, dealer=1, number=2, finished=False, counters=0, sticks=0)
        """
        stays = rules.dealer_stays_on_draw
        if winner is not None:
            stays = winner == self.dealer and rules.dealer_stays_on_win
        return self.dealt_on(stays=stays)

    def dealt_on(
        self, *, stays: bool, rounds: int = ROUNDS, counters: int = 0, sticks: int = 0
    ) -> "TableState":
        """The table after a hand: whether the dealer ``stays``, and what lies there then.

        :param rounds: after so many rounds the game is over.

        >>> TableState(Wind.SOUTH, 3, 9).dealt_on(stays=False, rounds=2).finished
        True
        """
        following = self.number + 1
        if stays:
            return TableState(self.round, self.dealer, following, self.finished, counters, sticks)
        dealer = (self.dealer + 1) % 4
        if dealer:
            return TableState(self.round, dealer, following, self.finished, counters, sticks)
        played = WINDS.index(self.round) + 1
        if played >= rounds:
            return TableState(self.round, self.dealer, following, True, counters, sticks)
        return TableState(WINDS[played], 0, following, self.finished, counters, sticks)


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
