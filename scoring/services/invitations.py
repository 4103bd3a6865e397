"""Invitations: made and revoked by organisers, and taken up by whoever has the link."""

import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import Club, Invitation, InvitationUse, Player
from scoring.models.invitations import MOST_CARDS
from scoring.models.letters import plain_letters
from scoring.models.names import Looks, SameNames
from scoring.models.permissions import Account, Permission, User, check_permission
from scoring.models.problems import Refused

from .accounts import ask_to_confirm_mail, create_account, is_taken_alike, require_open
from .audit import log_audit
from .digests import digest_of
from .identities import Identity, confirm_mail, connect_identity
from .locks import (
    lock_account,
    lock_all_players,
    lock_invitations,
    lock_player,
    require_not_anonymous,
)
from .notices import notify_claim_decided, notify_invited, notify_player_claim, withdraw_question
from .people import change_player, save_new_player
from .roles import check_still

DAYS, MOST_DAYS = 14, 366
LONGEST_CODE = 100


class InvitationRefused(Refused):
    """Nobody joins with this code, or not any more. The message says how to go on.

    :ivar code: ``unknown``, ``revoked``, ``ended``, ``used`` or ``has_account``.
    """

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code


@transaction.atomic
def invite(
    player: Player | None = None,
    *,
    days: int = DAYS,
    once: bool = True,
    email: str = "",
    username: str = "",
    by: User,
) -> tuple[Invitation, str]:
    """A new invitation, and its code, which is kept nowhere.

    :param player: who is invited; None is for whoever has the link.
    :param days: how long it holds.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: for a player who has an account or is gone, and for days, a mail address or
        a sign-in name that cannot be.
    """
    own = check_permission(by, Permission.MANAGE_PEOPLE)
    if player is not None:
        player = lock_player(player, field="player")
        _check_has_no_account(player, "player")
    check_still(by, Permission.MANAGE_PEOPLE)
    ends_at = _end(days)
    code = secrets.token_urlsafe(24)
    invitation = Invitation(
        digest=digest_of(code),
        player=player,
        once=once,
        email=email.strip(),
        username=username.strip(),
        made_by=own,
        ends_at=ends_at,
    )
    invitation.full_clean()
    invitation.save()
    log_audit("invite", invitation, by=by, player=player and player.pk, once=once)
    return invitation, code


@transaction.atomic
def invite_each(
    players: Sequence[Player], *, days: int = DAYS, again: bool = False, by: User
) -> list[tuple[Invitation, str]]:
    """An invitation for each of ``players``, valid once, with its code, which is kept nowhere.

    :param again: also for who is invited already: the invitations of before are revoked.
    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: for nobody, for more than ``MOST_CARDS`` players, for one who has an
        account, and for days that cannot be; at ``again``, if some are invited already.
    """
    own = check_permission(by, Permission.MANAGE_PEOPLE)
    ends_at = _end(days)
    if not players:
        message = _("Choose at least one person.")
        raise ValidationError({"players": ValidationError(message, code="required")})
    if len(players) > MOST_CARDS:
        message = _("At most %(most)s people at once.") % {"most": MOST_CARDS}
        raise ValidationError({"players": ValidationError(message, code="too_many")})
    for player in lock_all_players(players, field="players"):
        _check_has_no_account(player, "players")
    _replace(players, again=again, by=by)
    check_still(by, Permission.MANAGE_PEOPLE)
    made = _made([Invitation(player=player, made_by=own, ends_at=ends_at) for player in players])
    people = [player.pk for player in players]
    log_audit("invite_each", Club(pk=1), by=by, people=people)
    return made


def mail_each(people: Sequence[tuple[Player, str, str]], *, by: User) -> None:
    """Mail an invitation of their own to each of ``people``: player, mail address and sign-in name.

    It is for a service that has checked all three, and writes the audit.

    :raises PermissionDenied: unless ``by`` is an organiser.
    """
    own = check_still(by, Permission.MANAGE_PEOPLE)
    ends_at = _end(DAYS)
    _mail(
        _made(
            [
                Invitation(
                    player=player, email=email, username=username, made_by=own, ends_at=ends_at
                )
                for player, email, username in people
            ]
        )
    )


def _made(invitations: Sequence[Invitation]) -> list[tuple[Invitation, str]]:
    """``invitations``, stored, each with a code of its own."""
    codes = [secrets.token_urlsafe(24) for _invitation in invitations]
    for invitation, code in zip(invitations, codes, strict=True):
        invitation.digest = digest_of(code)
    return list(zip(Invitation.objects.bulk_create(invitations), codes, strict=True))


def _replace(players: Sequence[Player], *, again: bool, by: User) -> None:
    """Revoke the invitations that ``players`` have.

    :raises ValidationError: if there are some and ``again`` is false.
    """
    earlier = Invitation.objects.running().filter(player__in=players)
    invited = lock_invitations(earlier)
    if invited and not again:
        message = ngettext(
            "%(n)s of them has an invitation that still holds.",
            "%(n)s of them have an invitation that still holds.",
            len(invited),
        )
        raise ValidationError({"again": message % {"n": len(invited)}})
    earlier.update(revoked_at=timezone.now())
    _log_revoked(invited, by)


@transaction.atomic
def revoke_invitation(invitation: Invitation, *, by: User) -> None:
    """Let nobody join with ``invitation`` any more. Whoever has joined stays.

    :raises PermissionDenied: unless ``by`` is an organiser.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    changed = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
    if changed.update(revoked_at=timezone.now()):
        check_still(by, Permission.MANAGE_PEOPLE)
        log_audit("revoke_invitation", invitation, by=by)


@transaction.atomic
def revoke_invitations(*, by: User) -> int:
    """Let nobody join with any invitation of before; the number of those that still held.

    :raises PermissionDenied: unless ``by`` is an organiser.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    running = lock_invitations(Invitation.objects.running())
    check_still(by, Permission.MANAGE_PEOPLE)
    pks = [invitation.pk for invitation in running]
    Invitation.objects.filter(pk__in=pks).update(revoked_at=timezone.now())
    _log_revoked(running, by)
    return len(running)


def revoke_invitations_of(player: Player, *, by: User) -> None:
    """Let nobody join as ``player``, who is locked, with a link of before, for a service that may do so."""
    earlier = Invitation.objects.running().filter(player=player)
    _log_revoked(lock_invitations(earlier), by)
    earlier.update(revoked_at=timezone.now())


def _log_revoked(invitations: Iterable[Invitation], by: User) -> None:
    revoked = [invitation.player_id for invitation in invitations]
    if revoked:
        people = [player for player in revoked if player is not None]
        log_audit("revoke_invitations", Club(pk=1), by=by, people=people, number=len(revoked))


def find_invitation(code: str, *, lock: bool = False) -> Invitation:
    """The invitation with this ``code``.

    :param lock: let others who join with it wait.
    :raises InvitationRefused: if nobody can join with it.
    """
    rows = Invitation.objects.select_related("player")
    if lock:
        rows = rows.select_for_update(of=("self",))
    known = len(code) <= LONGEST_CODE
    invitation = rows.filter(digest=digest_of(code)).first() if known else None
    if invitation is None:
        message = _("This invitation is not known here. Ask an organiser for the whole link.")
        raise InvitationRefused(message, code="unknown")
    if invitation.revoked_at:
        message = _("This invitation was revoked. Ask an organiser for another one.")
        raise InvitationRefused(message, code="revoked")
    if invitation.used_at:
        raise _used()
    if invitation.once and (player := invitation.player) and _has_account(player):
        raise _taken(player)
    if invitation.ended:
        message = _("This invitation ended on %(day)s. Ask an organiser for another one.")
        day = date_format(timezone.localtime(invitation.ends_at).date())
        raise InvitationRefused(message % {"day": day}, code="ended")
    return invitation


def join(
    code: str,
    *,
    username: str,
    password: str | None,
    email: str = "",
    language: str = "",
    name: str = "",
    claim: Player | None = None,
    anyway: bool = False,
    identity: Identity | None = None,
) -> Account:
    """The new account of who has the link with ``code``; of a named invitation, that of its player.

    :param name: who it is, for an invitation that names nobody: a new player, unless ``claim`` says
        that it is one who is there already. An organiser confirms that later.
    :param anyway: a new player also where the name looks like that of another.
    :param identity: of the server by which the account signs in, without a ``password``. The mail that
        the server has verified counts as confirmed.
    :raises InvitationRefused: if nobody can join with it any more.
    :raises ValidationError: with all that is wrong with the account; at ``name``, if there is one of
        that name, or, with the code ``looks_like``, one who may be the same person.
    """
    find_invitation(code)
    asked = {
        "username": username,
        "password": password,
        "hashed": make_password(password),
        "email": email,
        "language": language,
    }
    return _join(code, asked, name=name, claim=claim, anyway=anyway, identity=identity)


@transaction.atomic
def _join(
    code: str,
    asked: dict[str, Any],
    *,
    name: str,
    claim: Player | None,
    anyway: bool,
    identity: Identity | None,
) -> Account:
    named = find_invitation(code).player or claim
    who = lock_player(named) if named is not None else None
    invitation = find_invitation(code, lock=True)
    if who is not None and invitation.player is None:
        _check_has_no_account(who, "name", _("%(name)s has an account already: sign in with it."))
    account = create_account(**asked, by=None)
    if identity is not None:
        connect_identity(account, identity, by=account)
        confirm_mail(account, identity)
    ask_to_confirm_mail(account)
    claimed = who if invitation.player is None else None
    if who is None:
        who = save_new_player(name, user=account, anyway=anyway)
        log_audit("add_player", who, by=account, invitation=invitation.pk)
    elif claimed is None:
        _link(who, account)
    if invitation.once:
        invitation.used_at = timezone.now()
        invitation.save(update_fields=["used_at"])
    use = InvitationUse.objects.create(
        invitation=invitation, account=account, name=str(who), claim=claimed
    )
    log_audit("join", account, by=account, invitation=invitation.pk)
    if use.claim is not None:
        notify_player_claim(use)
    return account


@transaction.atomic
def decide_claim(use: InvitationUse, *, confirm: bool, by: User) -> None:
    """Give the account of ``use`` the player who its person says to be, or decline that.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if the player has an account by now or is gone; if the account of ``use`` is
        gone, or, to confirm it, closed.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    account = lock_account(use.account)
    claim = InvitationUse.objects.select_related("claim").get(pk=use.pk).claim
    if claim is None:
        return
    player = lock_player(claim)
    # Somebody else may have decided until the player was locked.
    use = InvitationUse.objects.select_for_update(of=("self",)).get(pk=use.pk)
    if use.claim_id is None:
        return
    check_still(by, Permission.MANAGE_PEOPLE)
    if confirm:
        require_open(account)
        _check_both_are_free(player, use.account)
        change_player(player, user=use.account, by=by)
    use.claim = None
    use.save(update_fields=["claim"])
    log_audit("decide_claim", use.account, by=by, player=player.pk, confirmed=confirm)
    withdraw_question(joined=use.pk)
    notify_claim_decided(use.account, player, confirmed=confirm)


def _check_both_are_free(player: Player, account: Account) -> None:
    """:raises ValidationError: if ``player`` has an account, or ``account`` is another player's."""
    names = {"name": player, "own": getattr(account, "player", None)}
    if names["own"] is not None:
        message = _(
            "This account is that of %(own)s by now. Decline; if %(name)s is the same person, merge both "
            "records."
        )
    elif _has_account(player):
        message = _("%(name)s has an account already.")
    else:
        return
    raise ValidationError(ValidationError(message % names, code="has_account"))


def look_alike(name: str) -> Player | None:
    """The player of that ``name``; else one whose name looks like it, best without an account; or None."""
    players = list(
        Player.objects.order_by(F("user").asc(nulls_first=True), "pk").only("name", "user")
    )
    return SameNames(players).find(name) or Looks(players).find(name)


def propose_username(name: str) -> str:
    """A sign-in name for somebody of that ``name`` that nobody has yet."""
    base = re.sub(r"[^\w]+", ".", plain_letters(name)).strip("._")[:100] or "member"
    names = list(Account.objects.values_list("username", flat=True))
    taken = {one.casefold() for one in names}
    username, number = base, 1
    while username in taken or is_taken_alike(username, names):
        number += 1
        username = f"{base}{number}"
    return username


def join_path(code: str) -> str:
    """The path of the page on which somebody joins with ``code``."""
    return reverse("join", args=[code])


def mail_invitation(invitation: Invitation, code: str) -> None:
    """Send the link with ``code`` to the mail address of ``invitation``, if it has one."""
    if invitation.email:
        _mail([(invitation, code)])


def _mail(made: Sequence[tuple[Invitation, str]]) -> None:
    """Send each link to the mail address of its invitation."""
    makers = {invitation.made_by_id for invitation, _code in made} - {None}
    rows = Player.objects.filter(user__in=makers).values_list("user", "pk")
    inviters: dict[int | None, int] = dict(rows)
    notify_invited(
        (
            invitation.email,
            join_path(code),
            {
                "invitation": invitation.pk,
                "player": invitation.player_id,
                "asker": inviters.get(invitation.made_by_id),
                "until": timezone.localtime(invitation.ends_at).date().isoformat(),
            },
        )
        for invitation, code in made
    )


def _link(player: Player, account: Account) -> None:
    """Let ``player``, who is locked, sign in as ``account``, and be offered a seat."""
    # Another invitation of the same player may have been taken up until now, or the name taken out.
    if player.anonymous_since:
        raise _used()
    if _has_account(player):
        raise _taken(player)
    player.user, player.guest, player.active = account, False, True
    player.save(update_fields=["user", "guest", "active"])
    log_audit("link_player", player, by=account)


def _used() -> InvitationRefused:
    message = _("This invitation was used already. Sign in, or ask an organiser for another one.")
    return InvitationRefused(message, code="used")


def _taken(player: Player) -> InvitationRefused:
    message = _("%(name)s has an account already. If that is you, sign in.") % {"name": player}
    return InvitationRefused(message, code="has_account")


def _check_has_no_account(player: Player, field: str, message: str = "") -> None:
    """:raises ValidationError: at ``field``, for a player who has an account, or is anonymous."""
    if player.user_id is not None:
        message = (message or _("%(name)s has an account already.")) % {"name": player}
        raise ValidationError({field: ValidationError(message, code="has_account")})
    require_not_anonymous(player, field=field)


def _end(days: int) -> datetime:
    """When an invitation that is made now ends.

    :raises ValidationError: unless ``days`` is from 1 to ``MOST_DAYS``.
    """
    if not 1 <= days <= MOST_DAYS:
        message = _("An invitation holds from 1 to %(most)s days.") % {"most": MOST_DAYS}
        raise ValidationError({"days": ValidationError(message, code="invalid")})
    return timezone.now() + timedelta(days=days)


def _has_account(player: Player | None) -> bool:
    return player is not None and player.user_id is not None
