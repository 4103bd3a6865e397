"""A hand as a person entered it, and the two steps that make it a scored hand: validate, then score.

Every entry point builds a ``HandEntry`` and nothing else. Every service that stores or previews a hand
takes both steps, in this order. Verify and what-if ask :func:`worth` what a stored hand is worth.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, Self

from scoring.evaluator import scorecard
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard
from scoring.evaluator.table import TableState
from scoring.evaluator.win import USUAL, Win
from scoring.models import Game, Hand

Melds = Sequence[str | Sequence[str] | Mapping[str, object]]

# What somebody says of a hand, as the model keeps it: two hands that agree in these are the same.
ENTERED = (
    *("outcome", "winner_id", "discarder_id", *Win._fields, "tiles", "melds"),
    *("checked", "final", "claimed_limit"),
)

# Decided by the service, not by the person: validated by the database, not by sentences.
# ``concealed`` may still be open: the melds decide it. The length of what was typed is the
# evaluator's to judge: the tiles are kept in their canonical spelling. A claimed score is ``final``
# already: what is wrong with it is said of ``claimed_final``.
NOT_ENTERED = (
    *("game", "round", "winner", "discarder", "dealer", "ruleset_version", "card", "logged_by"),
    *("concealed", "supersedes", "tiles", "final"),
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
        values = asdict(self)
        values |= values.pop("win")._asdict()
        values["melds"] = [dict(meld) if isinstance(meld, Mapping) else meld for meld in self.melds]
        if not isinstance(self.tiles, str):
            values["tiles"] = " ".join(map(str, self.tiles))
        return values

    @property
    def fingerprint(self) -> str:
        """Short for what was entered, but for its number: it tells the same hand sent again.

        It holds whoever sits at the table by then, and whatever the rules are.
        """
        values = self.as_json
        del values["number"], values["asks_discarder"]
        return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The entry that ``values`` is by the names of :attr:`as_json`; what it leaves out is as usual.

        :raises TypeError: for a name that is none of them.
        """
        others = {name: value for name, value in values.items() if name not in Win._fields}
        return cls(**others, win=Win.of(values))

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


class Worth(NamedTuple):
    """What a hand is worth, in whole points. All is empty for a hand that nobody won.

    A score without tiles has neither points nor a scorecard, only ``final``.
    """

    points: int | None = None
    doubles: int | None = None
    total: int | None = None
    final: int | None = None
    limit: bool = False
    card: Scorecard | None = None

    def columns(self) -> dict[str, Any]:
        """The same as a hand keeps it, by column."""
        return {**self._asdict(), "card": self.card and self.card.as_dict()}


def validate(hand: Hand) -> None:
    """Refuse a hand that cannot have been played; keep what was typed in its canonical spelling.

    The constraints are left to the database: each says once more what ``clean()`` or the number of
    the next hand has said already, and asking for it beforehand takes three statements apiece.

    :raises ValidationError: naming every field that is wrong.
    """
    hand.full_clean(exclude=NOT_ENTERED, validate_constraints=False)


def score(hand: Hand) -> None:
    """Fill in the figures of a validated ``hand``: points, doubles, total, final, limit and card."""
    figures = worth(hand, hand.seat, hand.prevailing, hand.ruleset_version.rules)
    for column, value in figures.columns().items():
        setattr(hand, column, value)


def worth(hand: Hand, seat: object, prevailing: object, rules: RuleSet) -> Worth:
    """What ``hand`` is worth to ``seat`` in the round of ``prevailing``, by ``rules``.

    What the table worked out without tiles stays as it was claimed; a claimed limit hand is worth
    the limit of these rules. Tiles that do not win leave everything empty.

    :param hand: a validated hand, or a row that has the columns of one.
    :raises HandError: if the tiles are none that a wall holds, or the melds do not fit them.
    """
    if hand.outcome != Hand.Outcome.WIN:
        return Worth()
    if hand.claimed_limit:
        return Worth(final=rules.limit, limit=True)
    if not hand.checked:
        return Worth(final=hand.final)
    card = scorecard.score(
        hand.tiles,
        seat,
        prevailing,
        melds=hand.melds or None,
        win=Win.from_columns(hand),
        rules=rules,
    )
    figures = card.points, card.doubles, card.total, card.final
    return Worth(*figures, limit=bool(card.limits), card=card)
