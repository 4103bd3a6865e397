"""Restore a hand that was declared void or undone: it stands at its number again, as it was entered.

It is the inverse of declaring it void. The void version stays as it is, and the next version brings back
what it says, with what was said about it. A preview takes the same steps and stores nothing.
"""

import dataclasses
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Confirmations, Game, Hand, HandEvent, Payment
from scoring.models.game_tables import with_table
from scoring.models.permissions import (
    Permission,
    PermissionDenied,
    User,
    can,
    check_permission,
    check_signed_in,
)
from scoring.models.problems import at_no_field

from .. import reasons
from ..audit import log_audit
from ..errors import Conflict, require_etag
from ..notices import notify_corrected, notify_disputed
from .correct import Revised
from .entry import deal_again, in_any_order, is_same_hand, payable_amounts
from .left_disputed import disputed_again
from .record import hand_at, lock_game
from .replay import HandChange, Replay, replay, require_settled_stay
from .revise import apply_replay, events_that_hold


def preview_restore(hand: Hand, *, by: User) -> Replay:
    """What :func:`restore_hand` would change, without changing it. It raises the same."""
    return _restoration(restorable(with_table(Game.objects).get(pk=hand.game_id), hand, by), by)


@transaction.atomic
def restore_hand(hand: Hand, *, by: User, reason: str, expected_etag: str = "") -> Revised:
    """Let the void ``hand`` stand at its number again; later hands, the deal, tallies and ratings follow.

    What was said about it comes back with it: disputes that stood when it was declared void, and how an
    organiser settled them; confirmations unless others pay now.

    :param expected_etag: the ``etag`` of the preview that the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` may declare hands of this table void; where an organiser settled
        the hand, or ended a dispute by declaring it void, unless ``by`` is an organiser.
    :raises Conflict: if this version is not void, or was restored already (``no_longer_stands``); if its
        number is taken, or a hand before it was played after it (``place_taken``); if it was logged again
        under another number (``logged_again``); if the preview would be another now.
    :raises ValidationError: without a reason; if others sit at the table, if it or a later hand could not
        have been played then or would pay more than can be kept, or a later hand that an organiser
        settled would pay otherwise.
    """
    by = check_signed_in(by)
    void = restorable(lock_game(hand.game_id), hand, by)
    reason = reasons.required(reason)
    plan = _restoration(void, by)
    require_etag(plan.etag, expected_etag, plan.game.state)
    new = plan.changes[0].after
    assert new is not None
    apply_replay(plan, by=by, reason=reason)
    log_audit("restore_hand", new, by=by)
    notify_corrected(new, by=by, restored=True)
    for event in plan.disputes:
        if event.player:
            notify_disputed(new, by=by, player=event.player)
    return Revised(new, plan.changes, plan.state)


def may_restore(hand: Hand, by: User) -> bool:
    """Whether ``by`` is offered to restore ``hand``, at its table: all that is asked before it is played again."""
    if hand.status != Hand.Status.VOID:
        return False
    try:
        _require_version(hand, by)
        _require_room(hand)
    except (PermissionDenied, Conflict, ValidationError):
        return False
    return True


def restorable(game: Game, hand: Hand, by: User) -> Hand:
    """``hand`` fetched afresh, at the table of ``game``, for ``by`` to restore it.

    :raises PermissionDenied, Conflict: as :func:`restore_hand` does about who restores it, and which version.
    """
    void = game.hands.get(pk=hand.pk)
    void.game, void.ruleset_version = game, game.ruleset_version
    _require_version(void, by)
    return void


def _require_version(hand: Hand, by: User) -> None:
    """:raises PermissionDenied, Conflict: about who restores ``hand``, and which version of it that is."""
    check_permission(by, Permission.CORRECT_A_HAND, hand.game)
    _require_void(hand)
    if _left_to_organisers(hand, by):
        message = _("An organiser decided about hand %(number)s: only organisers can restore it.")
        raise PermissionDenied(message % {"number": hand.number})


def _require_room(hand: Hand) -> None:
    """:raises Conflict, ValidationError: unless ``hand`` has its place still, for the same people, and only once."""
    _require_place(hand)
    _require_players(hand)
    _require_not_logged_again(hand)


def _restoration(hand: Hand, by: User) -> Replay:
    _require_room(hand)
    new = _dealt_again(hand)
    new.version = hand.game.hands.filter(number=hand.number).count() + 1
    new.logged_by_id = check_signed_in(by).pk
    disputes = _disputes(hand, new, by)
    new.status = Hand.status_for(disputed=bool(disputes))
    plan = replay(hand, new)
    require_settled_stay(plan.later, by)
    return dataclasses.replace(plan, disputes=disputes, kept=_kept(plan.changes[0]))


def _require_void(void: Hand) -> None:
    """:raises Conflict: if it is not void, or was restored already; with the hand that stands there."""
    params = {"number": void.number}
    if void.status != Hand.Status.VOID:
        message = _("This version of hand %(number)s is not void: there is nothing to restore.")
        raise _conflict(void, "not_void", message % params)
    if Hand.objects.filter(supersedes=void).exists():
        message = _("Hand %(number)s was restored since: look at it as it stands now.")
        raise _conflict(void, "no_longer_stands", message % params)


def _left_to_organisers(hand: Hand, by: User) -> bool:
    """Whether an organiser decided about ``hand`` what ``by``, who is none, cannot take back.

    They settled a dispute about it, or ended one by declaring it void.
    """
    if can(by, Permission.SETTLE_A_DISPUTE):
        return False
    events = list(hand.events.select_related("by"))
    answers = Confirmations(hand, events)
    if answers.settled:
        return True
    ended_by = [event.by for event in events if event.kind in HandEvent.ENDINGS and event.by]
    return bool(answers.disputes) and any(can(one, Permission.SETTLE_A_DISPUTE) for one in ended_by)


def _require_place(hand: Hand) -> None:
    """:raises Conflict: if the table has gone on from before ``hand`` since it was taken back."""
    params = {"number": hand.number}
    if there := hand_at(hand.game, hand.number):
        if _is_same(hand, there) or _says_the_same(hand, there):
            message = _("Hand %(number)s was logged again since: there is nothing to restore.")
        else:
            message = _(
                "Another hand is number %(number)s by now. Declare that one void first, or log this "
                "one again as the next hand."
            )
        raise _conflict(hand, "place_taken", message % params)
    first = _first_versions(hand.game)
    standing = hand.game.hands.current().order_by("number").values_list("pk", "number")
    for pk, number in standing:
        is_before, is_older = number < hand.number, first[pk] < first[hand.pk]
        if is_before == is_older:
            continue
        message = _(
            "Hand %(other)s was played before this one, and would stand after it. Declare that one "
            "void first, or log this one again as the next hand."
        )
        if is_before:
            message = _(
                "Hand %(other)s was played after this one, and would stand before it. Declare that "
                "one void first, or log this one again as the next hand."
            )
        raise _conflict(hand, "place_taken", message % {"other": number})


def _first_versions(game: Game) -> dict[int | None, int]:
    """The first version (its id) of each version of a hand of ``game``: as it was logged."""
    first: dict[int | None, int] = {}
    # Each version comes after the one that it supersedes.
    for pk, supersedes in game.hands.order_by("pk").values_list("pk", "supersedes"):
        first[pk] = first.get(supersedes, pk)
    return first


def _require_players(hand: Hand) -> None:
    """:raises ValidationError: if somebody who played ``hand`` sits elsewhere now."""
    paid = set(Payment.objects.filter(hand=hand).values_list("player", flat=True))
    if paid - {player.pk for player in hand.game.players}:
        message = _(
            "Hand %(number)s was played by others than those who sit at this table now. Change the "
            "players back first, or log the hand again as the next one."
        )
        raise at_no_field(message % {"number": hand.number}, code="other_players")


def _require_not_logged_again(hand: Hand) -> None:
    """Refuse to let a hand count twice that was logged again, under another number, since it was taken back.

    Whoever restores a draw or a claimed score sees what changes: of those :func:`is_same_hand` says nothing.

    :raises Conflict: naming the other one.
    """
    if not hand.tiles:
        return
    alike = hand.game.hands.current().filter(winner=hand.winner_id)
    for other in alike.order_by("number"):
        if _is_same(hand, other) and _logged_again(hand, other):
            message = _(
                "Hand %(other)s is this hand, logged again. Declare that one void first, then restore "
                "this one."
            )
            raise _conflict(hand, "logged_again", message % {"other": other.number}, there=other)


def _logged_again(hand: Hand, other: Hand) -> bool:
    """Whether one of the two was first logged while the other was void."""
    first = _first_versions(hand.game)
    logged = dict(hand.game.hands.values_list("pk", "logged_at"))
    taken_back = next(event.at for event in hand.events.all() if event.kind in HandEvent.ENDINGS)
    if logged[first[other.pk]] > taken_back:
        return True
    since = logged[first[hand.pk]]
    endings = HandEvent.objects.filter(kind__in=HandEvent.ENDINGS, at__lt=since)
    of_other = endings.filter(hand__game=hand.game, hand__number=other.number)
    return of_other.filter(hand__superseded_by__logged_at__gt=since).exists()


def _is_same(hand: Hand, other: Hand) -> bool:
    return is_same_hand(in_any_order(hand), in_any_order(other))


def _says_the_same(hand: Hand, other: Hand) -> bool:
    """Whether both were entered alike, whatever they are worth by the winds that each has."""
    return in_any_order(hand) == dataclasses.replace(in_any_order(other), number=hand.number)


def _dealt_again(hand: Hand) -> Hand:
    """The unsaved version that brings ``hand`` back, with the winds that its place has now.

    :raises ValidationError: if it could not be played there, or would pay more than can be kept.
    """
    state, params = _state_before(hand), {"number": hand.number}
    if state.finished:
        message = _(
            "By the hands that stand, the game is over before hand %(number)s: it cannot be restored."
        )
        raise at_no_field(message % params, code="game_over_before")
    try:
        again = deal_again(hand, state)
        payable_amounts(again)
    except ValidationError as error:
        message = _("Hand %(number)s cannot be restored as it was: %(why)s")
        why = " ".join(error.messages)
        raise at_no_field(message % {**params, "why": why}, code="impossible_hand") from error
    return again


def _state_before(hand: Hand) -> TableState:
    """The table after the hand that stands before ``hand``."""
    before = hand.game.hands.current().filter(number__lt=hand.number).order_by("number").last()
    if before is None:
        return dataclasses.replace(TableState.start(), number=hand.number)
    before.game, before.ruleset_version = hand.game, hand.ruleset_version
    return dataclasses.replace(before.state_after, number=hand.number)


def _disputes(hand: Hand, new: Hand, by: User) -> list[HandEvent]:
    """The disputes that are open with ``new``: those that stood when ``hand`` was taken back.

    Besides, what was disputed of a hand that was logged there meanwhile, if ``new`` says that again.
    """
    answers = Confirmations(hand, hand.events.select_related("player"))
    if answers.settled:
        return []
    open_ones = {event.player_id: event for event in disputed_again(new, by=by)}
    open_ones |= {event.player_id: event for event in answers.disputes}
    return [open_ones[player.pk] for player in hand.game.players if player.pk in open_ones]


def _kept(change: HandChange) -> Sequence[HandEvent]:
    """What else was said about a hand that is restored, and holds."""
    hand, events = change.before, list(change.before.events.all())
    as_paid = dataclasses.replace(change, paid_before=Payment.objects.by_hand([hand.pk])[hand.pk])
    held = events_that_hold(as_paid, events)
    settled = Confirmations(hand, events).settled
    return [
        event
        for event in held
        if event != settled and (settled or event.kind != HandEvent.Kind.DISPUTED)
    ]


def _conflict(hand: Hand, code: str, message: str, *, there: Hand | None = None) -> Conflict:
    game = hand.game
    return Conflict(message, code=code, state=game.state, hand=there or hand_at(game, hand.number))
