"""Recording a hand: the one place where hands come into being.

Form, API, import and demo all end here. A preview takes the same steps up to the score, and stores nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Game, Hand, HandEvent, LateHand, Payment, Player, Round
from scoring.models.game_tables import with_table
from scoring.models.hands import undisputed_hand
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    User,
    check_permission,
    check_signed_in,
)

from .. import tallies
from ..audit import log_audit
from ..errors import Conflict, KeyReused
from ..notices import notify_disputed
from ..ratings import share_out_and_rate
from .entry import (
    HandEntry,
    in_any_order,
    is_same_hand,
    payable_amounts,
    same_entry,
    score,
    validate,
)
from .left_disputed import disputed_again


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand with its payments (player, whole points) and the table after it.

    :ivar repeated: the hand had been logged before with the same key; nothing was stored now.
    :ivar first: no hand of its game has counted before it.
    """

    hand: Hand
    payments: list[tuple[Player, int]]
    state: TableState
    repeated: bool = False
    first: bool = False


def preview_hand(game: Game, entry: HandEntry) -> Recorded:
    """What :func:`record_hand` would store, without storing it.

    :raises Conflict: if ``entry.number`` is not the next hand, or the game is over.
    :raises ValidationError: naming every field that is wrong.
    """
    _require_open(game)
    require_position(game, entry)
    hand = entry.to_hand(game)
    validate(hand)
    score(hand)
    return recorded(hand)


@transaction.atomic
def record_hand(
    game: Game, entry: HandEntry, *, by: User, key: str = "", at: datetime | None = None
) -> Recorded:
    """Score ``entry``, store it with its payments, move the table on. One transaction.

    The same entry under the same ``key`` is stored once, however often and however late it comes:
    then the hand is returned as the site has it now, even if it was corrected or taken back since.

    :param at: when it was played and logged, for hands of the past; None is now.
    :raises PermissionDenied: unless ``by`` is one of the four players or an organiser.
    :raises Conflict: if ``entry.number`` is not the next hand, or the game is over.
    :raises ValidationError: naming every field that is wrong. Nothing is stored then.
    :raises KeyReused: if ``by`` has logged another hand of ``game`` with ``key``, however long ago.
    """
    by = check_signed_in(by)
    game = lock_game(game)
    if key and (before := game.hands.filter(with_key(by, key)).with_people().first()):
        return _repeated(game, before, entry)
    check_permission(by, Permission.LOG_A_HAND, game)
    _require_open(game)
    require_position(game, entry)
    hand = entry.to_hand(game)
    hand.logged_by, hand.entry_key = by, key
    hand.entry_fingerprint = entry.fingerprint if key else ""
    hand.played_at = hand.logged_at = at or timezone.now()
    validate(hand)
    score(hand)
    stored = store(hand, by=by)
    count(stored)
    log_audit("record_hand", hand, by=by, **_take_in(hand))
    return stored


def store(hand: Hand, *, by: User) -> Recorded:
    """Store ``hand``, the next one of a locked game, validated and scored, with its payments.

    It is disputed if it says what was disputed of a hand that stood at its position before, or is one that was
    disputed at another.
    :func:`count` is the next step.

    :param by: whose entry it is.
    :raises ValidationError: if it would pay more than can be kept (:func:`recorded`). Nothing is stored then.
    """
    result, game = recorded(hand), hand.game
    hand.round, _created = Round.objects.get_or_create(
        game=game, wind=hand.prevailing, defaults={"started_at": hand.played_at}
    )
    if result.state.finished or game.finished:
        # The end of a game moves ratings far and wide: whoever does that holds all tallies first.
        tallies.lock(game.league_id)
    raised = HandEvent.objects.filter(hand=OuterRef("pk"), kind=HandEvent.Kind.DISPUTED)
    before = game.hands.aggregate(
        versions=Count("pk", filter=Q(number=hand.number)),
        disputed=Count("pk", filter=Exists(raised)),
        undisputed=Count("pk", filter=undisputed_hand()),
    )
    hand.version = before["versions"] + 1
    disputes = disputed_again(hand, by=by) if before["disputed"] else []
    hand.status = Hand.status_for(disputed=bool(disputes))
    hand.save(force_insert=True)
    _dispute_again(hand, disputes, by)
    Payment.objects.bulk_create(
        Payment(hand=hand, player=player, amount=amount) for player, amount in result.payments
    )
    return replace(result, first=not before["undisputed"])


def _dispute_again(hand: Hand, disputes: Sequence[HandEvent], by: User) -> None:
    HandEvent.objects.bulk_create(event.copied_to(hand) for event in disputes)
    for event in disputes:
        if event.player:
            notify_disputed(hand, by=by, player=event.player)


def count(stored: Recorded) -> None:
    """Count a hand that was just stored: the tallies, where the table stands, the ratings."""
    hand, game = stored.hand, stored.hand.game
    amounts = {player.pk: amount for player, amount in stored.payments}
    # A game counts from its first hand that counts: of those before it some may be disputed.
    if hand.undisputed:
        tallies.change(game.league_id, added=[(hand, amounts)], games=int(stored.first))
    game.apply_state(stored.state, at=hand.played_at)
    game.save()
    if game.finished:
        share_out_and_rate(game)


def lock_game(game: Game | int) -> Game:
    """``game``, or the one of that id, fetched afresh and locked: who writes to this table waits.

    :raises PermissionDenied: if it is gone.
    """
    pk = game if isinstance(game, int) else game.pk
    if connection.features.has_select_for_update:
        # The row alone, in a statement of its own: one that waited for the lock sees this row anew,
        # but not what else was written meanwhile: the league, the seats, whether the evening is closed.
        # Without its key: who moves another game rates this one again, and commits while it is locked.
        list(Game.objects.select_for_update(no_key=True).filter(pk=pk).order_by().values_list("pk"))
    locked = with_table(Game.objects).filter(pk=pk).first()
    if locked is None:
        raise PermissionDenied(_("This game is no longer here."), code="gone")
    return locked


def _take_in(hand: Hand) -> dict[str, int]:
    """Its late hand, if ``hand`` had been asked for before the game was opened again: it is there now."""
    if not (hand.entry_key and hand.game.late_hands_waiting):
        return {}
    asked = hand.game.late_hands.waiting().filter(by=hand.logged_by, key=hand.entry_key).first()
    if asked is None:
        return {}
    asked.status, asked.hand = LateHand.Status.TAKEN, hand
    asked.decided_at, asked.decided_by = hand.logged_at, hand.logged_by
    asked.save()
    return {"late_hand": asked.pk}


def with_key(by: Account | None, key: str) -> Q:
    """The hands that ``by`` has logged with ``key``, if it is one: those of others are others."""
    return Q(logged_by=by, entry_key=key) & ~Q(entry_key="")


def _repeated(game: Game, hand: Hand, entry: HandEntry) -> Recorded:
    """``hand``, if it is what ``entry`` says.

    :raises KeyReused: if it is another.
    """
    hand.game = game
    if not was_logged_as(hand, entry):
        raise KeyReused(hand)
    # As it was paid then: since, others may have taken a place at the table.
    payments = [(payment.player, payment.amount) for payment in hand.payments.all()]
    return Recorded(hand, payments, _since(hand), repeated=True)


def _since(hand: Hand) -> TableState:
    """The table after ``hand``; as it is now, if somebody else plays for one of its people since."""
    places = [hand.game.place_of(pk) for pk in (hand.dealer_id, hand.winner_id) if pk]
    return hand.game.state if None in places else hand.state_after


def was_logged_as(hand: Hand, entry: HandEntry) -> bool:
    """Whether ``hand``, at its table, is what ``entry`` said, perhaps in another spelling.

    A late hand may stand under another number than it had on the phone.
    """
    if entry.number == hand.number:
        return _describes(entry, hand)
    late = hand.game.late_hands.filter(hand=hand).first()
    if late is None:
        return False
    return entry.fingerprint in fingerprints(late) or _describes(
        replace(entry, number=hand.number), hand
    )


def fingerprints(late: LateHand) -> set[str]:
    """Of what the phone sent, and of what that says since somebody else sits in a player's place."""
    return {late.entry_fingerprint, HandEntry.from_json(late.entry).fingerprint}


def _describes(entry: HandEntry, hand: Hand) -> bool:
    """Whether ``entry`` is what was entered of ``hand``, or means the same."""
    if entry.fingerprint == hand.entry_fingerprint:
        return True
    again = entry.to_hand(hand.game, hand.state_before)
    try:
        validate(again)
    except ValidationError:
        return False
    score(again)
    return same_entry(again, hand)


def _require_open(game: Game) -> None:
    if game.finished:
        message = _("This game is over: start a new one to go on.")
        if game.ended_early:
            message = _("This game was ended. Open it again to log this hand, or start a new game.")
        raise Conflict(message, code="finished", state=game.state)


def require_position(game: Game, entry: HandEntry, *, may_be_later: bool = False) -> None:
    """Refuse an ``entry`` that is not the next hand of ``game``.

    :param may_be_later: also accept one that others come before.
    :raises Conflict: with the hand that stands at its position, if there is one.
    """
    number, following = entry.number, game.next_number
    if number == following or (may_be_later and number > following):
        return
    there = hand_at(game, number)
    message = _("Hand %(number)s is already logged. The next one is number %(next)s.")
    if there is None:
        message = _("The next hand is number %(next)s, not %(number)s.")
        if number > following and game.hands.filter(number=following).exists():
            message = _(
                "Hand %(next)s was taken back or declared void: the next hand is number %(next)s, not %(number)s."
            )
    raise Conflict(
        message % {"next": following, "number": number},
        code="already_there" if may_be_later else "not_the_next_hand",
        state=game.state,
        hand=there,
    )


def hand_at(game: Game, number: int) -> Hand | None:
    """The hand that stands at the position ``number`` of ``game``, with its people."""
    return game.hands.current().with_people().filter(number=number).first()


def find_same_hand(game: Game, entry: HandEntry) -> Hand | None:
    """The hand of ``game`` that is the one of ``entry`` (:func:`is_same_hand`), with its people.

    Of several the one with the number of ``entry``, else the first.
    """
    wanted = entry.to_hand(game)
    try:
        validate(wanted)
    except ValidationError:
        return None
    meant = in_any_order(wanted)
    logged = game.hands.current().with_people().filter(winner=entry.winner).exclude(tiles="")
    same = [hand for hand in logged if is_same_hand(in_any_order(hand), meant)]
    return min(same, key=lambda hand: hand.number != entry.number, default=None)


def recorded(hand: Hand) -> Recorded:
    """``hand``, which is validated and scored, with what it pays and the table after it.

    :raises ValidationError: if that is more than can be kept.
    """
    return Recorded(
        hand=hand,
        payments=list(zip(hand.game.players, payable_amounts(hand), strict=True)),
        state=hand.state_after,
    )
