"""A hand as a person entered it, and the two steps that make it a scored hand: validate, then score.

Every entry point builds a ``HandEntry`` and nothing else. Every service that stores or previews a hand
takes both steps, in this order. Verify and what-if ask :func:`worth` and
:func:`loser_worth` what a stored hand is worth.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from typing import Any, Self

from django.utils.translation import gettext as _

from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import LoserEntry, LoserWorth, TableRules, Worth
from scoring.evaluator.tiles import Wind
from scoring.evaluator.win import USUAL, Win
from scoring.figures import whole
from scoring.models import Game, Hand
from scoring.models.problems import at_no_field

# What one player may get or pay for a hand, in whole points: the integers of PostgreSQL hold more (Payment.amount).
MOST_POINTS = 100_000_000

Melds = Sequence[str | Sequence[str] | Mapping[str, object]]

# What somebody says of a hand, as the model keeps it: two hands that agree in these are the same.
ENTERED = (
    *("outcome", "winner_id", "discarder_id", *Win._fields, "tiles", "melds"),
    *("checked", "final", "claimed_limit", "liable_id", "others", "calls"),
)

# What recording a hand decides by the table as it was dealt, tiles and melds in their canonical spelling
# included. ``verify`` compares each, and a hand that is dealt again is another version if one differs.
DECIDED = (
    *("ruleset_version_id", "prevailing", "dealer_id", "seat", "tiles", "melds"),
    *(*Win._fields, "points", "doubles", "total", "final", "limit", "card", "others"),
    *("counters", "sticks", "on_table", "calls"),
)

# Decided by the service, not by the person: validated by the database, not by sentences.
# ``concealed`` may still be open: the melds decide it. The length of what was typed is the
# evaluator's to judge: the tiles are kept in their canonical spelling. A claimed score is ``final``
# already: what is wrong with it is said of ``claimed_final``.
NOT_ENTERED = (
    *("game", "round", "winner", "discarder", "dealer", "ruleset_version", "card", "logged_by"),
    *("concealed", "supersedes", "tiles", "final", "liable", "others", "winning_tile"),
    *("calls", "dora_indicators"),
)


def same_entry(one: Hand, other: Hand) -> bool:
    """Whether two validated hands say the same of what was played, whoever of the others is named first."""
    return all(
        _in_one_order(field, getattr(one, field)) == _in_one_order(field, getattr(other, field))
        for field in ENTERED
    )


# What names players in the order of their seats, which may change.
NAMING_PLAYERS = ("others", "calls", *Calls._fields)


def _in_one_order(field: str, value: Any) -> Any:
    """``value`` of ``field``, with the players that it names by their ids."""
    if field in NAMING_PLAYERS and isinstance(value, Mapping):
        return {name: _in_one_order(name, people) for name, people in value.items()}
    if field in NAMING_PLAYERS and isinstance(value, (list, tuple)):
        return sorted(value, key=itemgetter("player") if field == "others" else None)
    return value


@dataclass(frozen=True, slots=True)
class HandEntry:
    """A hand as it was entered; nothing in it has been checked.

    Players are given by id. ``tiles`` is text or a list of codes and may mark open sets with ``*``.
    ``claimed_final`` is a score in whole points that the table worked out itself, ``claimed_limit``
    the id of the limit hand that it says it was: each instead of tiles. ``asks_discarder`` refuses
    a discarder that is left out, also where the rules can do without: somebody may have forgotten
    to tap. ``accepted`` is what a site has stored: circumstances that were not yet looked at then pass.
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
    liable: int | None = None
    others: Sequence[LoserEntry] = ()
    calls: Calls = SILENT
    accepted: bool = False

    @property
    def as_json(self) -> dict[str, Any]:
        """The entry by the names of its fields, as it is kept; those of ``win`` stand beside them."""
        values = asdict(self)
        values |= values.pop("win")._asdict() | (values.pop("calls").as_json or {})
        values["melds"] = [dict(meld) if isinstance(meld, Mapping) else meld for meld in self.melds]
        if not isinstance(self.tiles, str):
            values["tiles"] = " ".join(map(str, self.tiles))
        # What only rule books ask for is left out where nothing is said: entries that were kept before
        # there were such books have the same fingerprint.
        for name in ("liable", "others", "accepted", *Win._fields[2:]):
            if not values[name]:
                del values[name]
        return values

    @property
    def fingerprint(self) -> str:
        """Short for what was entered, but for its number: it tells the same hand sent again.

        It holds whoever sits at the table by then and wherever, and whatever the rules are: a form names the players
        in the order of their seats.
        """
        values = self.as_json
        del values["number"], values["asks_discarder"]
        values = {field: _in_one_order(field, value) for field, value in values.items()}
        return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The entry that ``values`` is by the names of :attr:`as_json`; what it leaves out is as usual.

        :raises TypeError: for a name that is none of them.
        """
        beside = (*Win._fields, *Calls._fields)
        fields = {name: value for name, value in values.items() if name not in beside}
        losers = [LoserEntry(**other) for other in fields.pop("others", ())]
        return cls(**fields, others=losers, win=Win.of(values), calls=Calls.of(values))

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
            liable=hand.liable_id,
            others=stored_losers(hand),
            calls=stored_calls(hand),
            accepted=True,
        )

    @classmethod
    def to_deal_again(cls, hand: Hand) -> Self:
        """As :meth:`from_hand`; what could be as it was dealt must be able to be as it is dealt now."""
        return replace(cls.from_hand(hand), accepted=bool(hand.impossible()))

    @property
    def players(self) -> set[int]:
        """The ids of all that it names."""
        named = (self.winner, self.discarder, self.liable, *(one.player for one in self.others))
        named += self.calls.staked + self.calls.calling
        return {player for player in named if player is not None}

    def with_players(self, now: Callable[[int], int]) -> Self:
        """The same of other people: each is who ``now`` says."""

        def renamed(player: int | None) -> int | None:
            return None if player is None else now(player)

        return replace(
            self,
            winner=renamed(self.winner),
            discarder=renamed(self.discarder),
            liable=renamed(self.liable),
            others=[replace(other, player=now(other.player)) for other in self.others],
            calls=self.calls.renamed(now),
        )

    def to_hand(self, game: Game, state: TableState | None = None) -> Hand:
        """The unsaved hand that this entry describes: the next one of ``game``, or as of ``state``.

        It says what follows from what was entered, too: who wins with a stick there has declared riichi.
        """
        state = state or game.state
        calls, flags = self._calls_and_flags(game)
        won = self.outcome == Hand.Outcome.WIN and self.winner is not None
        place = game.place_of(self.winner) if won else None
        hand = Hand(
            game=game,
            ruleset_version=game.ruleset_version,
            number=self.number,
            outcome=self.outcome,
            winner_id=self.winner,
            discarder_id=self.discarder,
            **self.win._replace(flags=flags)._asdict(),
            prevailing=state.round.value,
            dealer=game.table[state.dealer].player,
            seat="" if place is None else state.seat_wind(place).value,
            tiles=self.tiles if isinstance(self.tiles, str) else " ".join(map(str, self.tiles)),
            melds=list(self.melds),
            claimed_limit=self.claimed_limit,
            counters=state.counters,
            sticks=state.sticks,
            calls=calls.as_json,
            liable_id=self.liable,
            checked=self.claimed_final is None and not self.claimed_limit,
            final=self.claimed_final,
        )
        hand.claimed_final = self.claimed_final
        hand.asks_discarder, hand.accepted = self.asks_discarder, self.accepted
        hand.losers = [other for other in self.others if not other.empty]
        hand.others = [asdict(other) for other in hand.losers] or None
        return hand

    def _calls_and_flags(self, game: Game) -> tuple[Calls, str]:
        """Who staked and who was calling, in the order of the seats, and the winner's flags."""
        rules = game.ruleset_version.table_rules
        calls, flags = rules.follow_calls(self.calls, self.winner, self.win.flags)
        return calls.ordered([player.pk for player in game.players]), flags

    def to_correction(self, hand: Hand, state: TableState) -> Hand:
        """The same as the next version of ``hand``, as of ``state``; it was played when that was."""
        new = self.to_hand(hand.game, state)
        new.version, new.supersedes, new.played_at = hand.version + 1, hand, hand.played_at
        return new


def in_any_order(hand: Hand) -> HandEntry:
    """What was entered, the same in whatever order tiles and sets were laid."""
    entry = HandEntry.from_hand(hand)
    return replace(entry, tiles=sorted(hand.tiles.split()), melds=sorted(entry.melds, key=str))


def is_same_hand(one: HandEntry, other: HandEntry) -> bool:
    """Whether both are one hand that was played: the same tiles won by the same player.

    Whatever else was entered may be what one of them has wrong. Draws and claimed scores are alike so often
    that nothing follows from it.

    :param one: as :func:`in_any_order` gives it; so is ``other``.
    """
    return bool(one.tiles) and (one.winner, one.tiles) == (other.winner, other.tiles)


def deal_again(hand: Hand, state: TableState, renamed: Mapping[int, int] | None = None) -> Hand:
    """The unsaved next version of ``hand``, with the winds of ``state`` and what follows from them.

    :param renamed: who takes whose place in it, by id.
    :raises ValidationError: if the hand could not have been played then.
    """
    now = renamed or {}
    entry = HandEntry.to_deal_again(hand).with_players(lambda player: now.get(player, player))
    again = entry.to_correction(hand, state)
    validate(again)
    score(again)
    return again


def validate(hand: Hand) -> None:
    """Refuse a hand that cannot have been played; keep what was typed in its canonical spelling.

    The constraints are left to the database: each says once more what ``clean()`` or the number of
    the next hand has said already, and asking for it beforehand takes three statements apiece.

    :raises ValidationError: naming every field that is wrong.
    """
    hand.full_clean(exclude=NOT_ENTERED, validate_constraints=False)


def score(hand: Hand) -> None:
    """Fill in the figures of a validated ``hand``: points, doubles, total, final, limit and card.

    Also what the losers' hands are worth, and what was put on the table.
    """
    rules = hand.ruleset_version.table_rules
    figures = worth(hand, hand.seat, hand.prevailing, rules)
    for column, value in figures.columns().items():
        setattr(hand, column, value)
    hand.on_table = hand.put_on_table()
    if hand.others:
        hand.others = [_scored(other, hand, rules) for other in hand.others]


def payable_amounts(hand: Hand) -> tuple[int, int, int, int]:
    """What the four win or pay for a scored ``hand`` (:meth:`Hand.amounts`), if that can be stored.

    :raises ValidationError: about no field, if it is more than :data:`MOST_POINTS`.
    """
    return _payable(
        hand,
        _(
            "By these rules this hand pays more than %(most)s points: nobody can keep that. Change the rules."
        ),
    )


def payable_amounts_again(hand: Hand) -> tuple[int, int, int, int]:
    """The same of a hand that is dealt again because something else is changed: the refusal names it.

    :raises ValidationError: as :func:`payable_amounts` does.
    """
    return _payable(
        hand,
        _(
            "Hand %(number)s would then pay more than %(most)s points: nobody can keep that. Correct it "
            "first, or declare it void."
        ),
    )


def _payable(hand: Hand, refusal: str) -> tuple[int, int, int, int]:
    amounts = hand.amounts()
    if max(hand.final or 0, *map(abs, amounts)) > MOST_POINTS:
        params = {"number": hand.number, "most": whole(MOST_POINTS)}
        raise at_no_field(refusal % params, code="too_much")
    return amounts


def _scored(other: Mapping[str, Any], hand: Hand, rules: TableRules) -> dict[str, Any]:
    """``other``, of :attr:`Hand.others`, with what it is worth."""
    place = hand.game.place_of(other["player"])
    # Who does not sit at the table was refused.
    assert place is not None
    state = hand.state_before
    figures = loser_worth(loser_entry(other), state.seat_wind(place), state.prevailing_wind, rules)
    return {**other, **figures._asdict()}


def worth(hand: Hand, seat: object, prevailing: object, rules: TableRules) -> Worth:
    """What ``hand`` is worth to ``seat`` in the round of ``prevailing``, by ``rules``.

    :param hand: a validated hand, or a row that has the columns of one.
    :raises HandError: if the tiles are none that a wall holds, or the melds do not fit them.
    """
    return rules.worth(hand, seat, prevailing)


def loser_worth(entry: LoserEntry, seat: Wind, prevailing: Wind, rules: TableRules) -> LoserWorth:
    """What the hand of a player who did not win is worth, by ``rules``.

    :raises HandError: for a hand that cannot be, or that ``rules`` do not score.
    """
    return rules.loser_worth(entry, seat, prevailing)


def stored_losers(hand: Hand) -> list[LoserEntry]:
    """What somebody entered of the losers' hands, of all that is stored of ``hand``.

    What is no such hand, because somebody changed the database, is passed over: verify tells it.
    """
    stored: Any = hand.others
    if not isinstance(stored, list):
        return []
    return [loser_entry(other) for other in stored if _is_a_loser(other)]


def stored_calls(hand: Hand) -> Calls:
    """Who staked and who was calling, by id; nobody where the database was changed to something else."""
    stored: Any = hand.calls
    people = (
        [stored.get(name, []) for name in ("staked", "calling")] if isinstance(stored, dict) else []
    )
    known = all(isinstance(ids, list) and all(type(pk) is int for pk in ids) for ids in people)
    return Calls.of(stored) if people and known else SILENT


def loser_entry(stored: Mapping[str, Any]) -> LoserEntry:
    """What somebody entered of a loser's hand, of all that is stored of it."""
    return LoserEntry(**{name: stored[name] for name in ENTERED_OF_LOSER if name in stored})


def _is_a_loser(stored: object) -> bool:
    return isinstance(stored, Mapping) and all(
        isinstance(stored.get(name), kinds) for name, kinds in ENTERED_OF_LOSER.items()
    )


# What is entered of the hand of a player who did not win, with the types that it is kept in.
ENTERED_OF_LOSER: dict[str, Any] = {
    "player": int,
    "melds": list,
    "claimed": int | None,
    **dict.fromkeys(("tiles", "bonus", "flags"), str),
}
