"""Playing a game again: each entry is recorded once more, from the first deal on.

The number of a hand that was taken back stays empty; the deal goes on as if it had not been played.
"""

import dataclasses
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.evaluator.problems import HandError
from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import WINDS, Wind
from scoring.models import Game, Hand
from scoring.services.hands.entry import HandEntry, score, stored_calls, validate
from scoring.variants import MISSING_LIBRARY

from .reading import GameData


@dataclass(frozen=True, slots=True)
class ReplayedHand:
    """A stored hand beside the same hand recorded again.

    ``computed`` and ``amounts`` (whole points by player) are None where the entry would be refused
    today; ``refusals`` then says why, at the field that is wrong. ``missing`` says which library its rules
    need, where that is not installed: then nobody knows what the hand is worth.
    """

    stored: Hand
    computed: Hand | None = None
    amounts: dict[int, int] | None = None
    refusals: tuple[tuple[str, str], ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """Why the current hands are no game that can have been played: at which field (of which hand)."""

    field: str
    stored: object
    sentence: str
    hand: Hand | None = None


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """All hands of a game recorded again, and where the table stands then (None if ``broken``)."""

    hands: list[ReplayedHand]
    state: TableState | None = None
    broken: Broken | None = None


def replay(data: GameData) -> ReplayedGame:
    """Record the hands of a game again: the current ones in a row, the others by themselves."""
    if broken := _no_game(data.game):
        return ReplayedGame([ReplayedHand(hand) for hand in data.hands], broken=broken)
    game, table = data.game, copy(data.game)
    replayed = [_by_itself(hand, data.table_of(hand)) for hand in data.hands if not hand.current]
    state, void = TableState.start(), data.void
    seats = [player.pk for player in game.players]
    for position, hand in enumerate(data.current):
        while state.number < hand.number and state.number in void:
            state = dataclasses.replace(state, number=state.number + 1)
        if sentence := _not_the_next(hand, state):
            replayed += [_by_itself(later, table) for later in data.current[position:]]
            return ReplayedGame(replayed, broken=Broken("number", hand.number, sentence, hand))
        again = recorded_again(hand, table_at(table, state))
        replayed.append(again)
        winner = game.place_of(hand.winner_id) if hand.winner_id else None
        calls = (
            again.computed.calls_by_place if again.computed else stored_calls(hand).placed(seats)
        )
        state = game.ruleset_version.table_rules.after(state, winner, calls)
    return ReplayedGame(replayed, state)


def _by_itself(stored: Hand, table: Game) -> ReplayedHand:
    """``stored`` recorded again at the table as it is stored: the fold does not reach it."""
    dealer = table.place_of(stored.dealer_id)
    if dealer is None or stored.prevailing not in WINDS:
        sentence = _("Its dealer and prevailing wind are none of this table.")
        return ReplayedHand(stored, refusals=(("dealer", sentence),))
    dealt = TableState(
        Wind(stored.prevailing),
        dealer,
        stored.number,
        counters=stored.counters,
        sticks=stored.sticks,
    )
    return recorded_again(stored, table_at(table, dealt))


def recorded_again(stored: Hand, table: Game) -> ReplayedHand:
    """``stored`` entered once more at ``table``, scored by its rules, or refused as the service would."""
    hand = HandEntry.from_hand(stored).to_hand(table)
    try:
        validate(hand)
    except ValidationError as error:
        return ReplayedHand(
            stored, refusals=tuple(_sentences(error)), missing=" ".join(_missing(error))
        )
    score(hand)
    players = (seat.player_id for seat in table.table)
    return ReplayedHand(stored, hand, dict(zip(players, hand.amounts(), strict=True)))


def _sentences(error: ValidationError) -> Iterator[tuple[str, str]]:
    """What is wrong, by field; that a library is missing is not the hand's fault."""
    for field, problems in error.error_dict.items():
        wrong = [one for one in problems if one.code != MISSING_LIBRARY]
        if wrong:
            yield field, " ".join(ValidationError(wrong).messages)


def _missing(error: ValidationError) -> Iterator[str]:
    for problems in error.error_dict.values():
        for one in problems:
            if one.code == MISSING_LIBRARY:
                yield from one.messages


def _no_game(game: Game) -> Broken | None:
    if len(game.table) != 4:
        return Broken("seats", len(game.table), _("A table has four players."))
    try:
        game.ruleset_version.table_rules  # noqa: B018
    except HandError as error:
        return Broken("ruleset_version", str(game.ruleset_version), str(error))
    return None


def _not_the_next(hand: Hand, state: TableState) -> str:
    if state.finished:
        return _("The game was over before this hand.")
    if hand.number != state.number:
        return _("There is no hand %(number)s before it.") % {"number": state.number}
    return ""


def table_at(table: Game, state: TableState) -> Game:
    """``table`` with the deal where ``state`` says; a game that goes on."""
    table.deal_from(state)
    table.finished_at = None
    return table
