"""Guests: members add them while seating, and who comes back with an account asks for their games."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.models import AuditEntry, ClubTable, Game, GuestClaim, InvitationUse, Player
from scoring.models.names import SameNames
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    User,
    can,
    check_permission,
)
from scoring.models.problems import Refused
from scoring.models.refusals import STAYS_ANONYMOUS

from .accounts import require_open
from .audit import log_audit
from .errors import TooManyAttempts
from .locks import lock_account, lock_player
from .merging import merge_guest
from .notices import notify_guest, notify_guest_claim, withdraw_question
from .people import check, require_no_look_alike, save_new_player
from .pins import forget_pin
from .roles import check_still

# How many guests somebody who is no organiser may add in a while: three tables of them.
MOST_ADDED, WHILE = 12, timedelta(hours=1)
TAKEN_BACK = gettext_lazy("This was taken back meanwhile: nobody is asked any more.")


class NotClaimable(Refused):
    """The games of this player are nobody's to ask for, or were given already."""

    code = "not_claimable"


@transaction.atomic
def add_guest(
    name: str, *, anyway: bool = False, by: User, by_code: ClubTable | None = None
) -> Player:
    """The guest of that name: a new player without an account, or one who was a guest here before.

    :param anyway: also where the name looks like that of another player. It is asked about otherwise.
    :param by_code: the table by whose code it was done, on a phone without an account.
    :raises PermissionDenied: unless ``by`` is a member.
    :raises TooManyAttempts: if ``by`` is no organiser and has added too many guests lately, or too many
        were added by the code of that table.
    :raises ValidationError: as :func:`known_guest`.
    """
    account = check_permission(by, Permission.SEAT_A_GUEST)
    if known := known_guest(name, anyway=anyway):
        return known
    _not_too_many(by_code or account)
    player = save_new_player(name, guest=True, anyway=True)
    log_audit("add_guest", player, by=by_code or by)
    return player


def known_guest(name: str, *, anyway: bool = False) -> Player | None:
    """The guest who played here by that name before; None for a name that is free.

    :param anyway: also where the name looks like that of another player.
    :raises ValidationError: if a member has that name, or the name is none; with the code
        ``looks_like`` if there is a player whose name looks the same.
    """
    typed = Player(name=name, guest=True)
    typed.clean()
    guests = Player.objects.active().filter(guest=True, user=None, pin="")
    if player := SameNames(guests).find(typed.name):
        return player
    check(typed)
    if not anyway:
        require_no_look_alike(typed.name)
    return None


@transaction.atomic
def claim_guest(player: Player, *, by: User) -> GuestClaim:
    """Say that ``by`` was the guest ``player``. Saying it twice says it once.

    :raises PermissionDenied: unless ``by`` is a member.
    :raises NotClaimable: if the player is no guest, both sat at one table, or an organiser has yet to say
        who ``by`` is.
    """
    account = check_permission(by, Permission.TAKE_OVER_A_GUEST)
    with _refused_to_asker():
        player = lock_player(player)
    if refusal := why_not_claimed(player, account):
        raise NotClaimable(refusal)
    claim, made = GuestClaim.objects.get_or_create(player=player, by=account, agreed=None)
    if made:
        log_audit("claim_guest", player, by=by)
        notify_guest_claim(claim)
    return claim


@transaction.atomic
def withdraw_claim(player: Player, *, by: User) -> None:
    """Take back that ``by`` was the guest ``player``, while nobody has answered.

    :raises PermissionDenied: unless ``by`` is a member.
    :raises NotClaimable: if there is nothing to take back.
    """
    account = check_permission(by, Permission.TAKE_OVER_A_GUEST)
    claims = GuestClaim.objects.select_for_update(of=("self",))
    claim = claims.filter(player=player, by=account, agreed=None).first()
    if claim is None:
        raise NotClaimable(
            _("There is nothing to take back: it was answered, or taken back before.")
        )
    withdraw_question(claim=claim.pk)
    claim.delete()
    log_audit("withdraw_claim", player, by=by)


def why_not_claimed(player: Player, account: Account) -> str:
    """Why ``account`` cannot ask for the games of ``player``; empty if it can."""
    if not player.guest or player.user_id is not None:
        return _("%(name)s is not a guest.") % {"name": player}
    if player.anonymous_since is not None:
        return STAYS_ANONYMOUS % {"name": player}
    if _sat_together(account, player):
        return _("You sat at one table with %(name)s.") % {"name": player}
    if InvitationUse.objects.filter(account=account).exclude(claim=None).exists():
        message = _("First an organiser says who %(account)s is: that question still waits.")
        return message % {"account": account.get_username()}
    return ""


def _sat_together(account: Account, player: Player) -> bool:
    """Whether ``account`` is another person than ``player``: both sat at one table."""
    games = Game.objects.filter(seats__player__user=account)
    return games.filter(seats__player=player).exists()


@contextmanager
def _refused_to_asker() -> Iterator[None]:
    """:raises NotClaimable: saying what the block refuses."""
    try:
        yield
    except ValidationError as error:
        raise NotClaimable(error.messages[0]) from error


@transaction.atomic
def answer_claim(claim: GuestClaim, *, agree: bool, by: User) -> GuestClaim:
    """Say whether the asker of ``claim`` was that guest. If so, what the guest played is theirs.

    An asker who does not play yet becomes that player; to one who does, the guest's record is merged.

    :raises PermissionDenied: unless ``by`` sat with the guest or is an organiser.
    :raises NotClaimable: if it was answered, or cannot be carried out any more.
    """
    account = check_permission(by, Permission.TAKE_OVER_A_GUEST)
    with _refused_to_asker():
        # Two claims of one asker who are answered at once: the second finds the player of the first.
        lock_account(claim.by)
    claim = _still_there(GuestClaim.objects.select_related("by", "player"), claim)
    _check_may_answer(claim, account)
    _require_open(claim)
    guest = claim.player
    player = _given(guest, claim.by, by=account) if agree else guest
    # Somebody else may have answered until the players were locked.
    claim = _still_there(GuestClaim.objects.select_for_update(of=("self",)), claim)
    _require_open(claim)
    _check_may_answer(claim, check_still(by, Permission.TAKE_OVER_A_GUEST))
    withdraw_question(claim=claim.pk)
    claim.agreed, claim.answered_by, claim.answered_at = agree, account, timezone.now()
    claim.save()
    log_audit("answer_claim", player, by=by, asker=claim.by_id, agree=agree)
    notify_guest(claim.by, guest, agreed=agree)
    if agree:
        _decline_others(claim, player)
    return claim


def _still_there(claims: QuerySet[GuestClaim], claim: GuestClaim) -> GuestClaim:
    """:raises NotClaimable: if whoever asked has taken ``claim`` back meanwhile."""
    found = claims.filter(pk=claim.pk).first()
    if found is None:
        raise NotClaimable(str(TAKEN_BACK))
    return found


def _decline_others(claim: GuestClaim, player: Player) -> None:
    """Answer what can be so no longer, as the asker of ``claim`` is ``player`` now.

    That is what others asked for the same games, and what the asker asked for those of whom they sat with.
    """
    waiting = GuestClaim.objects.select_for_update(of=("self",)).filter(agreed=None).order_by("pk")
    about = waiting.filter(Q(player=player) | Q(by=claim.by))
    for other in about.select_related("by", "player"):
        was_another = other.player_id == player.pk
        if not (was_another or _sat_together(claim.by, other.player)):
            continue
        withdraw_question(claim=other.pk)
        other.agreed, other.answered_by, other.answered_at = (
            False,
            claim.answered_by,
            claim.answered_at,
        )
        other.save()
        notify_guest(other.by, other.player, agreed=False, was_another=was_another)


def _require_open(claim: GuestClaim) -> None:
    """:raises NotClaimable: if somebody has answered ``claim``."""
    if claim.agreed is not None:
        raise NotClaimable(_("This was answered already."))


def _given(guest: Player, asker: Account, *, by: Account) -> Player:
    """The player of ``asker``, who is locked, with what ``guest`` has played.

    :raises NotClaimable: if it cannot be carried out any more, or the account is closed.
    """
    with _refused_to_asker():
        require_open(asker)
        own = Player.objects.filter(user=asker).first()
        if own is None:
            guest = lock_player(guest)
        if _sat_together(asker, guest):
            # Whoever reads this is not the one who asked.
            names = {"name": guest, "asker": own}
            message = _("%(asker)s sat at one table with %(name)s: they are two people. Say no.")
            raise NotClaimable(message % names)
        if refusal := why_not_claimed(guest, asker):
            raise NotClaimable(refusal)
        if own is not None:
            return merge_guest(own, guest, by=by).kept
    guest.user, guest.guest = asker, False
    forget_pin(guest)
    guest.save()
    return guest


def _check_may_answer(claim: GuestClaim, account: Account) -> None:
    """:raises PermissionDenied: for whoever did not sit with the guest, unless they organise."""
    if not claim.may_be_answered_by(account):
        raise PermissionDenied(_("Somebody who sat with this guest answers, or an organiser."))


@transaction.atomic
def make_member(player: Player, *, by: User) -> Player:
    """Let ``player`` be a guest no longer, with or without an account.

    :raises PermissionDenied: unless ``by`` is an organiser.
    """
    check_permission(by, Permission.CHANGE_A_PLAYER)
    player = lock_player(player)
    check_still(by, Permission.CHANGE_A_PLAYER)
    player.guest = False
    player.save(update_fields=["guest"])
    log_audit("make_member", player, by=by)
    return player


def _not_too_many(by: Account | ClubTable) -> None:
    """:raises TooManyAttempts: saying when ``by`` may add the next guest."""
    now = timezone.now()
    added = AuditEntry.objects.filter(action="add_guest", at__gt=now - WHILE)
    if isinstance(by, ClubTable):
        added = added.filter(details__by_code=by.pk)
    elif can(by, Permission.ADD_A_PLAYER):
        return
    else:
        added = added.filter(by=by)
    times = list(added.order_by("-at").values_list("at", flat=True)[:MOST_ADDED])
    if len(times) == MOST_ADDED:
        message = _("You have added %(number)s guests within an hour. Ask an organiser, or wait.")
        raise TooManyAttempts(message % {"number": MOST_ADDED}, wait=times[-1] + WHILE - now)
