"""A hand as a person entered it. Every entry point builds this and nothing else."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from scoring.evaluator.table import TableState
from scoring.evaluator.win import USUAL, Win
from scoring.models import Game, Hand

Melds = Sequence[str | Sequence[str] | Mapping[str, object]]

# What somebody says of a hand, as the model keeps it: two hands that agree in these are the same.
ENTERED = (
    *("outcome", "winner_id", "discarder_id", *Win._fields, "tiles", "melds"),
    *("checked", "final", "claimed_limit"),
)


def same_entry(one: Hand, other: Hand) -> bool:
    """Whether two validated hands say the same of what was played."""
    return all(getattr(one, field) == getattr(other, field) for field in ENTERED)


@dataclass(frozen=True, slots=True)
class HandEntry:
    """A hand as it was entered; nothing in it has been checked.

    Players are given by id. ``tiles`` is text or a list of codes and may mark open sets with ``*``.
    ``claimed_final`` is a score in whole points that the table worked out itself, ``claimed_limit``
    the id of the limit hand that it says it was: each instead of tiles. ``asks_discarder`` refuses
    a discarder that is left out, also where the rules can do without: somebody may have forgotten
    to tap.
    """

    number: int
    outcome: str
    winner: int | None = None
    discarder: int | None = None
    tiles: str | Sequence[str] = ""
    melds: Melds = ()
    win: Win = USUAL
    claimed_final: int | None = None
    claimed_limit: str = ""
    asks_discarder: bool = False

    @property
    def as_json(self) -> dict[str, Any]:
        """The entry by the names of its fields, as it is kept; those of ``win`` stand beside them."""
        said = asdict(self)
        said |= said.pop("win")._asdict()
        said["melds"] = [dict(meld) if isinstance(meld, Mapping) else meld for meld in self.melds]
        if not isinstance(self.tiles, str):
            said["tiles"] = " ".join(map(str, self.tiles))
        return said

    @property
    def fingerprint(self) -> str:
        """Short for what was entered, but for its number: it tells the same hand sent again.

        It holds whoever sits at the table by then, and whatever the rules are.
        """
        said = self.as_json
        del said["number"], said["asks_discarder"]
        return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Self:
        """The entry that ``said`` is by the names of :attr:`as_json`; what it leaves out is as usual.

        :raises TypeError: for a name that is none of them.
        """
        others = {name: value for name, value in said.items() if name not in Win._fields}
        return cls(**others, win=Win.of(said))

    @classmethod
    def from_hand(cls, hand: Hand) -> Self:
        """What somebody entered, of all that is stored of ``hand``.

        Old draws may hold how a win was drawn: that says nothing about a hand without a winner.
        """
        won = hand.outcome == Hand.Outcome.WIN
        return cls(
            number=hand.number,
            outcome=hand.outcome,
            winner=hand.winner_id,
            discarder=hand.discarder_id,
            tiles=hand.tiles,
            melds=hand.melds if won else (),
            win=Win.from_columns(hand) if won else USUAL,
            claimed_final=None if hand.checked or hand.claimed_limit else hand.final,
            claimed_limit=hand.claimed_limit,
        )

    def to_hand(self, game: Game, state: TableState | None = None) -> Hand:
        """The unsaved hand that this entry describes: the next one of ``game``, or as of ``state``."""
        state = state or game.state
        won = self.outcome == Hand.Outcome.WIN and self.winner is not None
        place = game.place_of(self.winner) if won else None
        hand = Hand(
            game=game,
            ruleset_version=game.ruleset_version,
            number=self.number,
            outcome=self.outcome,
            winner_id=self.winner,
            discarder_id=self.discarder,
            **self.win._asdict(),
            prevailing=state.round.value,
            dealer=game.table[state.dealer].player,
            seat="" if place is None else state.seat_wind(place).value,
            tiles=self.tiles if isinstance(self.tiles, str) else " ".join(map(str, self.tiles)),
            melds=list(self.melds),
            claimed_limit=self.claimed_limit,
            checked=self.claimed_final is None and not self.claimed_limit,
            final=self.claimed_final,
        )
        hand.claimed_final = self.claimed_final
        hand.asks_discarder = self.asks_discarder
        return hand

    def to_correction(self, hand: Hand, state: TableState) -> Hand:
        """The same as the next version of ``hand``, as of ``state``; it was played when that was."""
        new = self.to_hand(hand.game, state)
        new.version, new.supersedes, new.played_at = hand.version + 1, hand, hand.played_at
        return new
