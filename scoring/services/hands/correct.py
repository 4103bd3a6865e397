"""Change what was logged: correct a hand, declare it void, or undo it.

Old versions stay as they were, with who, when and why. A preview takes the same steps and stores nothing.
"""

import dataclasses
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Game, Hand, HandEvent, LateHand
from scoring.models.game_tables import with_table
from scoring.models.permissions import (
    Permission,
    PermissionDenied,
    User,
    can,
    check_permission,
    check_signed_in,
    sits_at,
)
from scoring.models.problems import at_no_field

from .. import reasons
from ..audit import log_audit
from ..errors import Conflict, KeyReused, require_etag
from ..notices import notify_corrected, notify_disputed
from .entry import HandEntry, payable_amounts, same_entry, score, validate
from .left_disputed import left_disputed, require_own_disputes
from .record import Recorded, hand_at, lock_game, recorded, with_key
from .replay import HandChange, Replay, replay, require_settled_stay
from .revise import apply_replay
from .settled import barred_by_settling, was_settled

UNDO_FOR = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Revised:
    """A hand that was changed: the version that says so, all ``changes``, the table after them."""

    hand: Hand
    changes: list[HandChange]
    state: TableState


def preview_entry(hand: Hand, entry: HandEntry, *, by: User) -> Recorded:
    """What ``entry`` scores and pays in the place of ``hand``, whatever hangs on it.

    It raises what :func:`correct_hand` does about the entry and about who may change it.
    """
    return recorded(_entered(changeable(_table(hand), hand, by), entry))


def preview_correction(hand: Hand, entry: HandEntry, *, by: User) -> Replay:
    """What :func:`correct_hand` would change, without changing it. It raises the same."""
    return _correction(changeable(_table(hand), hand, by), entry, by)


def preview_void(hand: Hand, *, by: User) -> Replay:
    """What :func:`void_hand` would change, without changing it. It raises the same."""
    return _without(changeable(_table(hand), hand, by), by)


@transaction.atomic
def correct_hand(
    hand: Hand, entry: HandEntry, *, by: User, reason: str, expected_etag: str = "", key: str = ""
) -> Revised:
    """Put ``entry`` in the place of ``hand``; later hands, the deal, tallies and ratings follow.

    Its number stays (``entry.number`` is not read), and so does the time it was played at. It is disputed
    as :func:`left_disputed` says: about what ``entry`` leaves, or brings back. A dispute that an organiser
    ends by it is settled, unless they play at the table.

    :param expected_etag: the ``etag`` of the preview that the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises Conflict: if this version no longer stands, or the preview would be another now.
    :raises ValidationError: naming every field that is wrong; without a field, the later hand that
        could not have been played then, that would pay more than can be kept, or that an organiser
        settled and that would pay otherwise.
    :raises KeyReused: if ``by`` has logged another hand of the game with ``key``, however long ago.
    """
    by = check_signed_in(by)
    before = changeable(lock_game(hand.game_id), hand, by)
    reason = reasons.required(reason)
    correction = _correction(before, entry, by)
    require_etag(correction.etag, expected_etag, correction.game.state)
    new = correction.changes[0].after
    assert new is not None
    if key and new.game.hands.filter(with_key(by, key)).exists():
        raise KeyReused
    new.entry_key = key
    hand_was_disputed = correction.changes[0].before.disputed
    apply_replay(correction, by=by, reason=reason)
    log_audit("correct_hand", new, by=by)
    if hand_was_disputed and not new.disputed and _decides_as_organiser(by, new.game):
        new.events.create(kind=HandEvent.Kind.SETTLED, by=by, reason=reason)
    notify_corrected(new, by=by)
    for event in correction.disputes:
        if event.hand_id != hand.pk and event.player:
            notify_disputed(new, by=by, player=event.player)
    return Revised(new, correction.changes, correction.state)


@transaction.atomic
def void_hand(hand: Hand, *, by: User, reason: str, expected_etag: str = "") -> Revised:
    """Declare ``hand`` void: nobody pays, and the deal goes on as if it had not been played.

    Its number stays empty, unless it was the last: then the next hand takes it.

    :param expected_etag: the ``etag`` of the preview that the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises Conflict: if this version no longer stands, or the preview would be another now.
    :raises ValidationError: without a reason, while others dispute the hand (:func:`require_own_disputes`),
        or for a later hand as in :func:`correct_hand`.
    """
    by = check_signed_in(by)
    before = changeable(lock_game(hand.game_id), hand, by)
    reason = reasons.required(reason)
    plan = _without(before, by)
    require_etag(plan.etag, expected_etag, plan.game.state)
    apply_replay(plan, by=by, reason=reason)
    log_audit("void_hand", hand, by=by)
    notify_corrected(hand, by=by, void=True)
    return _taken_back(plan)


@transaction.atomic
def undo_hand(hand: Hand, *, by: User) -> Revised:
    """Take back the hand that ``by`` has just logged, without a question. Twice is once.

    :raises PermissionDenied: unless ``by`` logged it, and the evening is open.
    :raises Conflict: if it was logged more than 60 seconds ago, is no longer the last hand, was
        corrected, disputed or settled since, or was taken back in another way.
    """
    by = check_signed_in(by)
    game = lock_game(hand.game_id)
    if hand.events.filter(kind=HandEvent.Kind.UNDONE, by=by).exists():
        _require_not_restored(game, hand)
        return Revised(game.hands.get(pk=hand.pk), [], game.state)
    hand = changeable(game, hand, by)
    if hand.logged_by_id != by.pk:
        raise PermissionDenied(_("Only who logged a hand can undo it. You can declare it void."))
    if refusal := why_not_undone(hand):
        code, message = refusal
        raise Conflict(message, code=code, state=hand.game.state, hand=hand)
    plan = replay(hand, None)
    apply_replay(plan, by=by, reason="", ending=HandEvent.Kind.UNDONE)
    log_audit("undo_hand", hand, by=by)
    return _taken_back(plan)


def _require_not_restored(game: Game, hand: Hand) -> None:
    """:raises Conflict: if ``hand``, which was undone, stands again: an undo is asked for until it is answered."""
    if game.hands.filter(supersedes=hand.pk).exists():
        message = _("Hand %(number)s was taken back and restored since.")
        raise Conflict(
            message % {"number": hand.number},
            code="restored",
            state=game.state,
            hand=hand_at(game, hand.number),
        )


def why_not_undone(hand: Hand) -> tuple[str, str] | None:
    """Why it is too late to undo ``hand`` (a code and a sentence); None while it can be undone."""
    params = {"number": hand.number}
    if hand.supersedes_id:
        return "corrected", _("Hand %(number)s was corrected: correct it again instead.") % params
    if hand.number != hand.game.next_number - 1:
        message = _("Hand %(number)s is no longer the last one: correct it, or declare it void.")
        return "not_the_last_hand", message % params
    if timezone.now() - hand.logged_at > UNDO_FOR or _taken_in(hand):
        message = _("It is too late to undo hand %(number)s: correct it, or declare it void.")
        return "too_late", message % params
    if hand.disputed:
        message = _("Hand %(number)s is disputed: correct it. Who disputes it can declare it void.")
        return "disputed", message % params
    if was_settled(hand):
        # Who is no organiser hears of :func:`changeable` that only organisers change it.
        message = _("Hand %(number)s was settled: correct it, or declare it void.")
        return "settled", message % params
    return None


def _taken_in(hand: Hand) -> bool:
    """Whether an organiser took ``hand`` in for who logged it: what these log themselves, they decide."""
    return LateHand.objects.filter(hand=hand).exclude(decided_by=hand.logged_by_id).exists()


def get_current_version(game: Game, hand: Hand) -> Hand:
    """``hand`` fetched afresh, at the table of ``game``.

    :raises Conflict: if this version no longer stands; with the hand that does, if there is one.
    """
    current = game.hands.get(pk=hand.pk)
    if not current.current:
        there = hand_at(game, current.number)
        message = _("Hand %(number)s was taken back.")
        if current.status == Hand.Status.SUPERSEDED:
            message = _("Hand %(number)s was corrected since: look at it as it stands now.")
        elif not current.events.filter(kind=HandEvent.Kind.UNDONE).exists():
            message = _("Hand %(number)s was declared void.")
        raise Conflict(
            message % {"number": current.number},
            code="no_longer_stands",
            state=game.state,
            hand=there,
        )
    current.game, current.ruleset_version = game, game.ruleset_version
    return current


def _decides_as_organiser(by: User, game: Game) -> bool:
    return not sits_at(by, game) and can(by, Permission.SETTLE_A_DISPUTE)


def _table(hand: Hand) -> Game:
    return with_table(Game.objects).get(pk=hand.game_id)


def changeable(game: Game, hand: Hand, by: User) -> Hand:
    """``hand`` fetched afresh, at the table of ``game``, for ``by`` to change it.

    :raises PermissionDenied: unless ``by`` may correct a hand of this table; what an organiser settled,
        only organisers change.
    :raises Conflict: if this version no longer stands.
    """
    check_permission(by, Permission.CORRECT_A_HAND, game)
    hand = get_current_version(game, hand)
    if barred_by_settling([hand], by):
        message = _("An organiser settled hand %(number)s: only organisers can change it now.")
        raise PermissionDenied(message % {"number": hand.number})
    return hand


def _entered(hand: Hand, entry: HandEntry) -> Hand:
    entry = dataclasses.replace(entry, number=hand.number)
    new = entry.to_correction(hand, hand.state_before)
    validate(new)
    score(new)
    return new


def _correction(hand: Hand, entry: HandEntry, by: User) -> Replay:
    new = _entered(hand, entry)
    payable_amounts(new)  # refused before anything follows from it
    if same_entry(new, hand):
        message = _("This is hand %(number)s as it stands: change something, or leave it.")
        raise at_no_field(message % {"number": hand.number}, code="nothing_changed")
    disputes = left_disputed(hand, new, by=by)
    new.status = Hand.status_for(disputed=bool(disputes))
    return dataclasses.replace(_changed_to(new, hand, by), disputes=disputes)


def _without(hand: Hand, by: User) -> Replay:
    require_own_disputes(hand, by)
    return _changed_to(None, hand, by)


def _changed_to(instead: Hand | None, hand: Hand, by: User) -> Replay:
    plan = replay(hand, instead)
    require_settled_stay(plan.later, by)
    return plan


def _taken_back(plan: Replay) -> Revised:
    hand = plan.changes[0].before
    hand.status = Hand.Status.VOID
    return Revised(hand, plan.changes, plan.state)
