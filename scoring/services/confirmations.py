"""Confirm and dispute hands. Without an answer, a hand counts as confirmed after the hours of its league.

A disputed hand keeps its place, and the deal goes on from it; its points count for nobody until it
is settled. That is when whoever disputes it confirms it after all, when an organiser lets it stand,
when it is declared void, or when it is corrected in what is disputed (``hands/left_disputed.py``).
"""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Confirmations, Hand, HandEvent, Payment, Player
from scoring.models.permissions import (
    Permission,
    PermissionDenied,
    User,
    check_permission,
    is_account_of,
    is_own_player,
)
from scoring.models.refusals import ANSWERED_AT_THE_TABLE, SOMETHING_CHANGED

from . import reasons, tallies
from .audit import log_audit
from .errors import Conflict, require_etag
from .hands.correct import get_current_version
from .hands.record import lock_game
from .hands.revise import recount
from .notices import notify_disputed, notify_settled
from .pins import Proof


@transaction.atomic
def confirm_hand(
    hand: Hand, *, by: User, player: Player | None = None, proof: Proof | None = None
) -> Hand:
    """Say that ``hand`` is right. Saying it twice says it once.

    :param player: whose answer it is, if not that of ``by``: a phone was passed round.
    :param proof: that ``player``, who has an account of their own, holds the phone of ``by``.
    :raises PermissionDenied: unless ``by`` sits at the table or runs the club; for the scorer; for somebody
        with an account and without ``proof``; for a guest on a phone that is not the scorer's.
    :raises Conflict: if nobody is asked, or no longer.
    """
    event = HandEvent(kind=HandEvent.Kind.CONFIRMED, by_id=by.pk)
    return _answer("confirm_hand", hand, event, by, player, proof)


@transaction.atomic
def dispute_hand(
    hand: Hand,
    *,
    by: User,
    player: Player | None = None,
    proof: Proof | None = None,
    about: str = "",
    reason: str = "",
) -> Hand:
    """Say that ``hand`` is wrong: its points count when that is settled.

    It takes and raises what :func:`confirm_hand` does. ``about`` (one of ``HandEvent.About``) and
    ``reason`` may say what is wrong; said anew, they take the place of what was said before.

    :raises ValidationError: for another ``about``, or a reason that is too long.
    """
    event = _dispute(by, about, reason)
    return _answer("dispute_hand", hand, event, by, player, proof)


@transaction.atomic
def take_over_dispute(hand: Hand, *, by: User, player: Player) -> Hand:
    """Keep a hand of another site disputed by ``player``, however long ago it was played.

    :raises PermissionDenied: unless ``by`` is an organiser, or if ``player`` sits elsewhere.
    """
    game = lock_game(hand.game_id)
    check_permission(by, Permission.SETTLE_A_DISPUTE, game)
    hand = get_current_version(game, hand)
    if player not in game.players:
        raise PermissionDenied(str(ANSWERED_AT_THE_TABLE))
    _add(hand, _dispute(by, "", ""), player)
    log_audit("take_over_dispute", hand, by=by)
    return hand


@transaction.atomic
def settle_hand(hand: Hand, *, by: User, reason: str, expected_etag: str = "") -> Hand:
    """Let a disputed hand stand as it was logged: its points count, and nobody is asked again.

    :param expected_etag: the ``etag`` of the confirmations that the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises Conflict: if nobody disputes it, or this version no longer stands; with the code ``moved_on``
        if it is disputed otherwise than was seen.
    :raises ValidationError: without a reason.
    """
    game = lock_game(hand.game_id)
    by = check_permission(by, Permission.SETTLE_A_DISPUTE, game)
    reason = reasons.required(reason)
    hand = get_current_version(game, hand)
    if not hand.disputed:
        message = _("Nobody disputes hand %(number)s.") % {"number": hand.number}
        raise Conflict(message, code="not_disputed", state=game.state, hand=hand)
    etag = Confirmations(hand, hand.events.all()).etag
    require_etag(etag, expected_etag, game.state, str(SOMETHING_CHANGED))
    hand.events.create(kind=HandEvent.Kind.SETTLED, by=by, reason=reason)
    _take_status(hand)
    log_audit("settle_hand", hand, by=by, reason=reason)
    notify_settled(hand, by=by)
    return hand


def _dispute(by: User, about: str, reason: str) -> HandEvent:
    if about and about not in HandEvent.About.values:
        message = _("Say what is wrong by one of these words: %(words)s.")
        words = {"words": ", ".join(HandEvent.About.values)}
        raise ValidationError({"about": ValidationError(message % words, code="invalid_choice")})
    reason = reasons.optional(reason)
    return HandEvent(kind=HandEvent.Kind.DISPUTED, by_id=by.pk, about=about, reason=reason)


def _answer(
    action: str,
    hand: Hand,
    event: HandEvent,
    by: User,
    player: Player | None,
    proof: Proof | None,
) -> Hand:
    game = lock_game(hand.game_id)
    check_permission(by, Permission.ANSWER_A_HAND, game)
    hand = get_current_version(game, hand)
    answers = Confirmations(hand, hand.events.all())
    who = _who(answers, by, player, proof)
    # Who disputes a hand anew that an organiser has settled is told so.
    settled = event.kind == HandEvent.Kind.DISPUTED and answers.settled
    if not settled and _adds_nothing(event, answers.given.get(who.pk)):
        return hand
    if refusal := why_not_answered(answers, who):
        code, message = refusal
        raise Conflict(message, code=code, state=game.state, hand=hand)
    was_disputed = hand.disputed
    _add(hand, event, who)
    log_audit(action, hand, by=by)
    answer = answers.given.get(who.pk)
    if event.kind == HandEvent.Kind.DISPUTED and (answer is None or answer.kind != event.kind):
        notify_disputed(hand, by=by, player=who)
    elif was_disputed and not hand.disputed:
        notify_settled(hand, by=by, withdrawn=True)
    return hand


def _adds_nothing(event: HandEvent, given: HandEvent | None) -> bool:
    """Whether ``given`` says it already, what is wrong included if that is said."""
    if given is None or given.kind != event.kind:
        return False
    new = (event.about, event.reason)
    return new in ((given.about, given.reason), ("", ""))


def _add(hand: Hand, event: HandEvent, player: Player) -> None:
    event.hand, event.player = hand, player
    event.save()
    _take_status(hand)


def why_not_answered(answers: Confirmations, who: Player) -> tuple[str, str] | None:
    """Why ``who`` cannot answer, or not any more (a code and a sentence); None while they can."""
    params = {"number": answers.hand.number}
    if answers.until is None and who not in answers.asked:
        return "nobody_is_asked", _("This league asks nobody to confirm its hands.")
    if answers.accepted:
        message = _("Hand %(number)s counts as accepted: it can be corrected, no longer disputed.")
        return "accepted", message % params
    return None


def _who(answers: Confirmations, by: User, player: Player | None, proof: Proof | None) -> Player:
    """Whose answer it is.

    :raises PermissionDenied: if it is nobody's who may give one here.
    """
    hand = answers.hand
    own = next((one for one in hand.game.players if is_own_player(one, by)), None)
    who = player or own
    if who is None or who not in hand.game.players:
        raise PermissionDenied(str(ANSWERED_AT_THE_TABLE))
    logged_it = is_account_of(who, answers.entered_by)
    if logged_it and who.pk not in answers.given:
        raise PermissionDenied(
            _("Who logged a hand has confirmed it by that: the others are asked.")
        )
    if who != own and proof != Proof(who.pk):
        _require_guest(who, answers, by)
    return who


def _require_guest(who: Player, answers: Confirmations, by: User) -> None:
    """:raises PermissionDenied: unless ``who`` has no account, and answers on this phone."""
    if who.user_id is not None:
        message = _(
            "%(name)s has an account: %(name)s answers when signed in to it, or types their PIN here."
        )
        raise PermissionDenied(message % {"name": who})
    if by.pk != answers.phone_of(who):
        check_permission(by, Permission.SETTLE_A_DISPUTE)


def _take_status(hand: Hand) -> None:
    """Let the points of ``hand`` count, or wait, by what was said about it."""
    disputed = Confirmations(hand, hand.events.all()).disputed
    if disputed == hand.disputed:
        return
    game = hand.game
    if game.finished:
        tallies.lock(game.league_id)
    hand.status = Hand.status_for(disputed=disputed)
    hand.save(update_fields=["status"])
    paid = (hand, _amounts(hand))
    side = {"removed": [paid]} if disputed else {"added": [paid]}
    recount(game, **side, had_finished_at=game.finished_at)


def _amounts(hand: Hand) -> dict[int, int]:
    return dict(Payment.objects.filter(hand=hand).values_list("player", "amount"))
