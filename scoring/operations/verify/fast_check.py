"""Check a game without building the models of its hands. Most games pass, and need no replay.

A game passes if every figure, worked out from the entries, is as it is stored. Any other game, and one
with anything but undisputed hands one after another, is left to the replay, which says what differs.
"""

from collections.abc import Sequence
from copy import copy

from scoring.evaluator.counts import counts_of
from scoring.evaluator.option_rules import OptionTableRules, meld_as_json
from scoring.evaluator.payments import Amounts
from scoring.evaluator.problems import HandError
from scoring.evaluator.scorecard import Scorecard
from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import Paid, TableRules, Worth
from scoring.evaluator.tiles import BY_CODE
from scoring.evaluator.win import Win
from scoring.models import Hand
from scoring.models.hands import wrong_discarder
from scoring.services.hands.entry import worth

from .games import decided_columns, expected_finished, expected_left, state_columns
from .reading import GameData
from .replay import ReplayedGame, recorded_again, table_at


def passes_fast_check(data: GameData) -> bool:
    """Whether all that is stored of ``data`` (read without cards) is what it works out to.

    False says nothing: the full check tells what differs, if anything does.
    """
    game = data.game
    if len(game.table) != 4 or data.events:
        return False
    try:
        rules = game.ruleset_version.table_rules
    except HandError:
        return False
    seats = [seat.player_id for seat in game.table]
    state = TableState.start()
    for hand in data.hands:
        amounts = _amounts(data, hand, state, seats, rules)
        if amounts is None or data.payments.get(hand.pk) != dict(zip(seats, amounts, strict=True)):
            return False
        calls = Calls.of(hand.calls).placed(seats) if hand.calls else SILENT
        winner = seats.index(hand.winner_id) if hand.winner_id else None
        state = rules.after(state, winner, calls)
    again = ReplayedGame([], state)
    return (
        all(getattr(game, column) == value for column, value in state_columns(again).items())
        and expected_finished(data, again) == game.finished
        and data.left == expected_left(data, again, data.payments.values())
    )


def _amounts(
    data: GameData, hand: Hand, state: TableState, seats: Sequence[int], rules: TableRules
) -> Amounts | None:
    """What the four places win or pay for ``hand``, as dealt by ``state``; None if there is a doubt."""
    as_dealt = (
        hand.status == Hand.Status.COUNTED
        and hand.supersedes_id is None
        and hand.number == state.number
        and not state.finished
        and hand.prevailing == state.round.value == data.rounds.get(hand.round_id)
        and hand.dealer_id == seats[state.dealer]
        and hand.ruleset_version_id == data.game.ruleset_version_id
    )
    if not as_dealt:
        return None
    if hand.outcome == Hand.Outcome.DRAW and not rules.keeps_table:
        return NOTHING if _is_drawn(hand, rules) else None
    if hand.outcome == Hand.Outcome.WIN and hand.checked and _is_plain(hand, rules):
        return _of_a_win(hand, state, seats, rules)
    # Rule books have no shorter way, and scores that the table worked out are few.
    again = recorded_again(hand, table_at(copy(data.game), state))
    if again.computed is None or again.amounts is None:
        return None
    same = all(
        getattr(hand, column) == value for column, value in decided_columns(again.computed).items()
    )
    east, south, west, north = again.amounts.values()
    return (east, south, west, north) if same else None


def _is_plain(hand: Hand, rules: TableRules) -> bool:
    """Whether nothing is said of a win that only rule books know."""
    beside_tiles = Win.from_columns(hand).special or hand.liable_id or hand.others is not None
    return isinstance(rules, OptionTableRules) and not (beside_tiles or _with_table(hand))


def _with_table(hand: Hand) -> bool:
    """Whether anything is said of what lies on the table."""
    return hand.calls is not None or bool(hand.counters or hand.sticks or hand.on_table)


def _is_drawn(hand: Hand, rules: TableRules) -> bool:
    columns = (
        *(hand.winner_id, hand.discarder_id, hand.tiles, hand.seat, hand.claimed_limit),
        *(*Win.from_columns(hand), hand.melds, hand.liable_id, hand.others is not None),
    )
    return not (any(columns) or _with_table(hand)) and _keeps(
        hand, worth(hand, hand.seat, hand.prevailing, rules)
    )


def _of_a_win(
    hand: Hand, state: TableState, seats: Sequence[int], rules: TableRules
) -> Amounts | None:
    if hand.winner_id not in seats:
        return None
    winner = seats.index(hand.winner_id)
    if hand.seat != state.seat_wind(winner).value or wrong_discarder(hand, seats, rules):
        return None
    if hand.final is None or not _scored_as_stored(hand, rules):
        return None
    discarder = seats.index(hand.discarder_id) if hand.discarder_id else None
    return rules.settle(Paid.of(winner, hand.final, dealer=state.dealer, discarder=discarder))


def _scored_as_stored(hand: Hand, rules: TableRules) -> bool:
    try:
        computed = worth(hand, hand.seat, hand.prevailing, rules)
    except HandError:
        return False
    card = computed.card
    return (
        isinstance(card, Scorecard)
        and card.winning
        and _in_codes(hand.tiles) == card.counts
        and hand.melds == [meld_as_json(meld) for meld in card.melds]
        and _keeps(hand, computed)
    )


def _keeps(hand: Hand, computed: Worth) -> bool:
    """Whether ``hand`` is stored with what it is worth."""
    return all(getattr(hand, name) == value for name, value in computed.columns().items())


def _in_codes(tiles: str) -> int | None:
    """The counts of tiles that are spelled as they are stored; None for another spelling."""
    try:
        return counts_of([BY_CODE[code] for code in tiles.split(" ")])
    except KeyError:
        return None


NOTHING: Amounts = (0, 0, 0, 0)
