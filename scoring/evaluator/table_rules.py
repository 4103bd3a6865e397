"""The one interface to the rules that a table plays by: options, or a rule book.

What a league does with a hand asks here and nowhere else: whether it can be, what it is worth, who pays
whom, and who deals next. Whole points; places 0 to 3 are the seats of a game.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from .books.circumstances import only_the_winner
from .payments import PLACES, Amounts
from .problems import HandError, Problem, refuse
from .table import SILENT, Calls, TableState
from .text import Text
from .tiles import Tile, Wind
from .win import Win

JsonObject = dict[str, Any]
NOT_BOTH = Text("Enter the tiles or the score you worked out, not both.")
NOT_ASKED = Text("By these rules nobody is asked for this: leave it out.")


class Card(Protocol):
    """A scorecard of whatever rules."""

    @property
    def winning(self) -> bool: ...

    def as_dict(self) -> Any: ...


class Worth(NamedTuple):
    """What a hand is worth, in whole points. All is empty for a hand that nobody won.

    A score without tiles has neither points nor a scorecard, only ``final``.
    """

    points: int | None = None
    doubles: int | None = None
    total: int | None = None
    final: int | None = None
    limit: bool = False
    card: Card | None = None

    def columns(self) -> dict[str, Any]:
        """The same as a hand keeps it, by column."""
        return {**self._asdict(), "card": self.card and self.card.as_dict()}


class Read(NamedTuple):
    """A hand that wins, in its canonical spelling: codes parted by blanks, declared sets as JSON."""

    tiles: str
    melds: list[JsonObject]
    win: Win


class HandRow(Protocol):
    """What is read of a validated hand, or of a row with its columns, to work out what it is worth."""

    outcome: str
    tiles: str
    melds: Any
    checked: bool
    final: int | None
    claimed_limit: str
    liable_id: int | None


class Claims(NamedTuple):
    """Which scores a table may have worked out itself: from ``least`` to ``most``, in whole points.

    They are multiples of ``step``, or one of ``listed`` where that is not empty.
    """

    least: int
    most: int
    step: int = 1
    listed: tuple[int, ...] = ()

    def allow(self, claim: int) -> bool:
        """Whether ``claim`` is such a score."""
        if self.listed:
            return claim in self.listed
        return self.least <= claim <= self.most and (claim % self.step == 0 or claim == self.most)


def outside(claims: Claims) -> Text:
    """What is said of a score outside of the bounds of ``claims``.

    >>> str(outside(Claims(0, 500)))
    'A score lies between 0 and 500.'
    """
    return Text.of(
        "A score lies between {least} and {limit}.", least=claims.least, limit=claims.most
    )


@dataclass(frozen=True, slots=True)
class LoserEntry:
    """What somebody entered of the hand of a player who did not win: tiles, or ``claimed`` points.

    ``player`` is an id. ``tiles`` is text, or a list of codes, and may mark declared sets. ``bonus`` are
    codes and ``flags`` names, parted by blanks.
    """

    player: int
    tiles: str | Sequence[str] = ""
    melds: Sequence[Any] = ()
    bonus: str = ""
    flags: str = ""
    claimed: int | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        return not (self.tiles or self.melds or self.bonus or self.flags or self.claimed)


class LoserWorth(NamedTuple):
    """What a loser's hand is worth. ``final`` is the score that the losers settle by, in whole points."""

    final: int
    card: JsonObject | None


class Paid(NamedTuple):
    """Who settles with whom: the scores of the four places, and who is the winner (None: a draw).

    ``liable`` pays for everybody where the rules know that; ``discarder`` is None for a drawn tile.
    ``counters`` and ``sticks`` lay on the table before; ``calls`` name places.
    """

    scores: Sequence[int]
    winner: int | None
    dealer: int
    discarder: int | None = None
    liable: int | None = None
    counters: int = 0
    sticks: int = 0
    calls: Calls = SILENT

    @classmethod
    def of(
        cls,
        winner: int | None,
        final: int,
        *,
        dealer: int,
        discarder: int | None = None,
        liable: int | None = None,
        losers: Mapping[int, int] = MappingProxyType({}),
        table: TableState | None = None,
        calls: Calls = SILENT,
    ) -> "Paid":
        """The same from the winner's score and, by place, those of the ``losers`` that have one.

        :param table: as it was dealt, for what lay there; None for rules that keep nothing there.

        >>> Paid.of(1, 70, dealer=0, losers={3: 8}).scores
        (0, 70, 0, 8)
        """
        scores = {**losers} if winner is None else {**losers, winner: final}
        east, south, west, north = (scores.get(place, 0) for place in PLACES)
        paid = (east, south, west, north), winner, dealer, discarder, liable
        if table is None:
            return cls(*paid)
        return cls(*paid, table.counters, table.sticks, calls)


class TableRules(ABC):
    """What a table plays by, in one version that never changes."""

    slug: str
    name: str
    version: int
    dealer_stays_on_win: bool
    dealer_stays_on_draw: bool
    asks_nothing: bool = False  # besides who won and the tiles
    bonus: bool = False
    winning_bonus: int = 0  # how many bonus tiles win by themselves; 0 if none do
    losers_score: bool = False
    liability: bool = False
    reads_card: bool = False
    reads_winning_tile: bool = False
    needs_winning_tile: bool = False  # to score tiles
    reads_claimed_kongs: bool = False
    # What these rules keep on the table between hands, and ask about it; most keep nothing.
    keeps_table: bool = False
    stick: int = 0
    left_to_first: bool = False
    knows_abortive: bool = False
    reads_dora: bool = False
    rounds: int = TableState.ROUNDS
    knows_pairs: bool = False  # a hand of seven pairs wins
    # The tiles of limit hands that have certain ones, by id: one choice, or one for each suit.
    limit_tiles: Mapping[str, Sequence[Sequence[Tile]]] = MappingProxyType({})

    @property
    @abstractmethod
    def claims(self) -> Claims:
        """Which scores are possible without tiles."""

    @property
    @abstractmethod
    def limits(self) -> Mapping[str, int]:
        """What each limit hand that may be claimed scores, in whole points, by its id."""

    @property
    @abstractmethod
    def limit_names(self) -> Mapping[str, str]:
        """What these rules call each of their limit hands, in English, by its id."""

    @property
    @abstractmethod
    def won_by(self) -> Sequence[str]:
        """In which special ways a hand may be won, in the order of the vocabulary."""

    @property
    @abstractmethod
    def flags(self) -> Sequence[str]:
        """What else the table may say of a hand."""

    @property
    @abstractmethod
    def needs_discarder(self) -> bool:
        """Whether it matters for the payments who discarded."""

    @abstractmethod
    def check_circumstances(self, win: Win) -> None:
        """:raises HandError: for what these rules do not know of how a hand was won, each by its field."""

    def check_possible(self, row: HandRow, seat: object, prevailing: object) -> str:
        """How a hand that can be read was won, also where the limit hand it claims says it.

        :raises HandError: for what cannot be of its tiles and how it was won, each by its field.
        """
        return Win.from_columns(row).way

    def may_be_liable(self, row: HandRow, seat: object, prevailing: object) -> bool:
        """Whether somebody may have to pay for everybody with this hand, as far as its tiles tell."""
        return self.liability

    @abstractmethod
    def read(self, row: HandRow, seat: object, prevailing: object) -> Read:
        """A winner's tiles in their canonical spelling.

        :raises HandError: for tiles that cannot be or do not win, each problem by its field.
        """

    @abstractmethod
    def worth(self, row: HandRow, seat: object, prevailing: object) -> Worth:
        """What a validated hand is worth. What these rules do not know is passed over.

        What the table worked out without tiles stays as it was claimed. Tiles that do not win leave
        everything empty.

        :raises HandError: if the tiles are none that a wall holds, the melds do not fit them, or the limit
            hand that is claimed is none of these rules.
        """

    def claimed(self, limit: str) -> Worth:
        """What the limit hand ``limit``, an id, is worth where the table names it without its tiles.

        :raises HandError: if these rules have none of that name.
        """
        if limit not in self.limits:
            message = "{book} has no limit hand “{name}”."
            raise refuse("claimed_limit", "not_a_limit", message, book=self.name, name=limit)
        return Worth(final=self.limits[limit], limit=True)

    def read_loser(
        self, entry: LoserEntry, seat: Wind, prevailing: Wind
    ) -> tuple[str, list[JsonObject]]:
        """A loser's tiles and melds in their canonical spelling; none where points are claimed.

        :raises HandError: for a hand that cannot be; by rules under which losers do not score, always.
        """
        raise self._only_winner_scores()

    def loser_worth(self, entry: LoserEntry, seat: Wind, prevailing: Wind) -> LoserWorth:
        """What a loser's hand is worth; points that are claimed stay as they are.

        :raises HandError: as :meth:`read_loser`.
        """
        raise self._only_winner_scores()

    def _only_winner_scores(self) -> HandError:
        return HandError([only_the_winner(self.name, "others")])

    @abstractmethod
    def settle(self, paid: Paid) -> Amounts:
        """What each place wins or pays; sums to zero, with what comes onto the table or leaves it."""

    def divides(self, claim: int, *, drawn: bool, deals: bool) -> bool:
        """Whether a score that was worked out without tiles can be shared by those who pay it.

        :param drawn: whether the winner drew the winning tile, and ``deals`` whether the winner dealt.
        """
        return True

    def check_calls(self, calls: Calls, winner: int | None) -> None:
        """Refuse what the table cannot have said besides. ``calls`` and ``winner`` are places or ids.

        :raises HandError: for what these rules do not ask, or what cannot be, each by its field.
        """
        problems = [
            Problem(field, "not_in_book", NOT_ASKED)
            for field in Calls._fields
            if getattr(calls, field)
        ]
        if problems:
            raise HandError(problems)

    def follow_calls(self, calls: Calls, winner: int | None, flags: str) -> tuple[Calls, str]:
        """What the table said besides, and the ``flags`` of the ``winner``, with what follows from each other.

        It refuses nothing, and what follows is the same asked twice.

        :param calls: and ``winner`` by places or ids.
        :param flags: names, parted by blanks.
        """
        return calls, flags

    def after(self, state: TableState, winner: int | None, calls: Calls = SILENT) -> TableState:
        """The table after a hand that ``winner`` (a place; None for a draw) won.

        :param calls: by places.
        """
        return state.after(winner, self)

    def between_losers(self, paid: Paid) -> Mapping[tuple[int, int], int]:
        """What each loser gets from each other one, by their places; empty where they do not settle."""
        return {}


def codes(tiles: Iterable[Any]) -> str:
    """``tiles`` by their codes, as a hand keeps them.

    >>> from .notation import parse_tiles
    >>> codes(parse_tiles("22B G"))
    '2B 2B G'
    """
    return " ".join(tile.code for tile in tiles)
