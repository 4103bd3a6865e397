"""What one of the four tells the site about a hand. Every door builds this and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from scoring.evaluator.table import TableState
from scoring.models import Game, Hand

Melds = Sequence[str | Sequence[str] | Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class HandEntry:
    """A hand as it was entered; nothing in it has been checked.

    Players are given by id. ``tiles`` is text or a list of codes and may mark open sets with ``*``.
    ``claimed_final`` is a score in whole points that the table worked out itself. ``concealed`` None
    leaves it to the melds.
    """

    number: int
    outcome: str
    winner: int | None = None
    discarder: int | None = None
    tiles: str | Sequence[str] = ""
    melds: Melds = ()
    concealed: bool | None = None
    self_drawn: bool = False
    claimed_final: int | None = None

    @classmethod
    def of(cls, hand: Hand) -> Self:
        """What somebody entered, of all that is stored of ``hand``."""
        return cls(
            number=hand.number,
            outcome=hand.outcome,
            winner=hand.winner_id,
            discarder=hand.discarder_id,
            tiles=hand.tiles,
            melds=hand.melds,
            concealed=hand.concealed,
            self_drawn=hand.self_drawn,
            claimed_final=None if hand.checked else hand.final,
        )

    def at(self, game: Game, state: TableState | None = None) -> Hand:
        """The unsaved hand that this entry describes: the next one of ``game``, or as of ``state``."""
        state = state or game.state
        hand = Hand(
            game=game,
            ruleset_version=game.ruleset_version,
            number=self.number,
            outcome=self.outcome,
            winner_id=self.winner,
            discarder_id=self.discarder,
            self_drawn=self.self_drawn,
            concealed=self.concealed,
            prevailing=state.round.value,
            dealer=game.table[state.dealer].player,
            tiles=self.tiles if isinstance(self.tiles, str) else " ".join(map(str, self.tiles)),
            melds=list(self.melds),
        )
        hand.claimed_final = self.claimed_final
        return hand

    def instead_of(self, hand: Hand, state: TableState) -> Hand:
        """The same as the next version of ``hand``, as of ``state``; it was played when that was."""
        new = self.at(hand.game, state)
        new.version, new.supersedes, new.played_at = hand.version + 1, hand, hand.played_at
        return new
