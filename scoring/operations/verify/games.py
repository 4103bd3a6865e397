"""One game: what is stored of it, beside what its entries make."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from django.utils.translation import gettext as _

from scoring.models import Hand, HandEvent
from scoring.services.hands.entry import DECIDED
from scoring.services.left_sticks import left_to

from .differences import Difference, deepest
from .reading import GameData
from .replay import ReplayedGame, ReplayedHand

STATE = ("round", "dealer_place", "next_number", "counters", "sticks")

Differs = Callable[..., Difference]


def game_differences(data: GameData, again: ReplayedGame) -> Iterator[Difference]:
    """Everything about the game and its hands that is stored as something else than it should be."""
    differs = partial(Difference, data.game.league.slug, game=data.game.pk)
    yield from _state(data, again, differs)
    corrected = {hand.supersedes_id for hand in data.hands}
    for replayed in again.hands:
        stored = replayed.stored
        of_hand = partial(differs, hand=stored.pk, number=stored.number)
        yield from _status(data, stored, corrected, of_hand)
        yield from _hand(data, replayed, of_hand)
        yield from _payments(data, replayed, of_hand)
    yield from _left(data, again, differs)


def decided_columns(computed: Hand) -> dict[str, object]:
    """What recording a hand decides, by column."""
    return {column: getattr(computed, column) for column in DECIDED}


def state_columns(again: ReplayedGame) -> dict[str, object]:
    """Where the table stands after all its hands, by column."""
    assert again.state is not None
    state = again.state
    columns = (state.round.value, state.dealer, state.number, state.counters, state.sticks)
    return dict(zip(STATE, columns, strict=True))


def undisputed_payments(data: GameData, again: ReplayedGame) -> list[tuple[Hand, dict[int, int]]]:
    """The hands that nobody disputes in their order, with what is paid by player.

    As stored where nothing else is known.
    """
    return [
        (replayed.computed, replayed.amounts)
        if replayed.computed is not None and replayed.amounts is not None
        else (replayed.stored, data.payments[replayed.stored.pk])
        for replayed in again.hands
        if replayed.stored.current and not data.answers(replayed.stored).disputed
    ]


def expected_left(
    data: GameData,
    again: ReplayedGame,
    paid: Iterable[Mapping[int, int]],
) -> Counter[int]:
    """What each player should have of the sticks that were left, in whole points by id.

    :param paid: for each hand that nobody disputes, by player.
    """
    game = data.game
    if again.state is None or game.withdrawn or not expected_finished(data, again):
        return +data.left if game.withdrawn else Counter()
    won: Counter[int] = Counter()
    for amounts in paid:
        won.update(amounts)
    rules = game.ruleset_version.table_rules
    return left_to(rules, again.state.sticks, [seat.player_id for seat in game.table], won)


def expected_finished(data: GameData, again: ReplayedGame) -> bool:
    """Whether the game is over: it was ended early, or its hands end it.

    A game that cannot be replayed is as it is stored.
    """
    if again.state is None:
        return data.game.finished
    return data.game.ended_early or again.state.finished


def expected_status(data: GameData, hand: Hand) -> str:
    """The status that ``hand`` should have, by what was said about it; that of one that is not current stays."""
    if not hand.current:
        return hand.status
    return Hand.status_for(disputed=data.answers(hand).disputed)


def _state(data: GameData, again: ReplayedGame, differs: Differs) -> Iterator[Difference]:
    if broken := again.broken:
        hand = broken.hand
        where = {"hand": hand.pk, "number": hand.number} if hand else {}
        yield differs(broken.field, broken.stored, broken.sentence, **where, repairable=False)
    if again.state is None:
        return
    for column, computed in state_columns(again).items():
        stored = getattr(data.game, column)
        if stored != computed:
            yield differs(column, stored, computed)
    if expected_finished(data, again) != data.game.finished:
        end = data.current[-1].played_at if again.state.finished else None
        yield differs("finished_at", data.game.finished_at, end)


def _status(
    data: GameData, hand: Hand, corrected: set[int | None], differs: Differs
) -> Iterator[Difference]:
    if hand.current and hand.pk in corrected:
        sentence = _("Another version corrects it, so it cannot stand.")
        yield differs("status", hand.status, sentence, repairable=False)
    if hand.status == Hand.Status.SUPERSEDED and hand.pk not in corrected:
        sentence = _("No other version corrects it.")
        yield differs("status", hand.status, sentence, repairable=False)
    taken_back = any(event.kind in HandEvent.ENDINGS for event in data.events[hand.pk])
    if hand.current and taken_back:
        sentence = _("It was taken back, so it cannot stand.")
        yield differs("status", hand.status, sentence, repairable=False)
    if hand.status == Hand.Status.VOID and not taken_back:
        sentence = _("Nobody took it back.")
        yield differs("status", hand.status, sentence, repairable=False)
    if expected_status(data, hand) != hand.status:
        yield differs("status", hand.status, expected_status(data, hand))


def _left(data: GameData, again: ReplayedGame, differs: Differs) -> Iterator[Difference]:
    paid = [amounts for _hand, amounts in undisputed_payments(data, again)]
    computed = expected_left(data, again, paid)
    names = {seat.player_id: seat.player.name for seat in data.game.table}
    for player in {**data.left, **computed}:
        if data.left[player] != computed[player]:
            name = names.get(player, f"#{player}")
            yield differs("left", data.left[player], computed[player], player=name)


def _hand(data: GameData, replayed: ReplayedHand, differs: Differs) -> Iterator[Difference]:
    for field, sentence in replayed.refusals:
        yield differs(field, getattr(replayed.stored, field, None), sentence, repairable=False)
    if replayed.computed is None:
        return
    for column, computed in decided_columns(replayed.computed).items():
        stored = getattr(replayed.stored, column)
        if stored != computed:
            yield differs(*deepest(column.removesuffix("_id"), stored, computed))
    wind = data.rounds.get(replayed.stored.round_id)
    if wind != replayed.computed.prevailing:
        yield differs("round", wind or _("of another game"), replayed.computed.prevailing)


def _payments(data: GameData, replayed: ReplayedHand, differs: Differs) -> Iterator[Difference]:
    stored = data.payments[replayed.stored.pk]
    if replayed.amounts is None:
        if rest := sum(stored.values()) + replayed.stored.on_table:
            sentence = _("Payments sum to zero.")
            yield differs("payments", rest, sentence, repairable=False)
        return
    names = {seat.player_id: seat.player.name for seat in data.game.table}
    names |= {pk: player.name for pk, player in data.players.items()}
    for player in {**replayed.amounts, **stored}:
        there, computed = stored.get(player), replayed.amounts.get(player)
        if there != computed:
            yield differs("payment", there, computed, player=names.get(player, f"#{player}"))
