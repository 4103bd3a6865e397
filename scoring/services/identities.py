"""Accounts of another server of the club's (OpenID Connect) by which members sign in here."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models.permissions import Account, Permission, Role, User, check_permission
from scoring.models.roles import role_of

from .audit import log_audit
from .locks import lock_own_account


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody of another server.

    :ivar server: its address.
    :ivar subject: what that server, and nobody else, calls this person.
    :ivar email: a mail address that it has verified; empty if it has none.
    """

    server: str
    subject: str
    email: str = ""


def find_member_by_mail(identity: Identity) -> Account | None:
    """The account that confirmed the mail of ``identity`` here, too, and is connected to nobody yet.

    Only a member's: at many servers people change their mail address by themselves. Who may do more
    connects by hand.
    """
    if not identity.email:
        return None
    addresses = EmailAddress.objects.filter(email__iexact=identity.email, verified=True)
    address = addresses.select_related("user").first()
    if address is None or is_connected(address.user):
        return None
    member = address.user
    return member if role_of(member) == Role.MEMBER and not member.is_staff else None


def is_connected(account: Account) -> bool:
    """Whether somebody signs in to ``account`` by another server."""
    return bool(SocialAccount.objects.filter(user=account).exists())


@transaction.atomic
def connect_identity(account: Account, identity: Identity, *, by: User) -> None:
    """Let ``identity`` sign in to ``account`` from now on. No role changes by it.

    :param by: the account itself.
    :raises PermissionDenied: for a visitor, for a program with a token, and if the account was given
        another password meanwhile.
    :raises ValidationError: if the identity signs in to another account, or this account is connected
        to another one of that server.
    """
    check_permission(by, Permission.CHANGE_OWN_ACCOUNT)
    lock_own_account(account)
    rows = SocialAccount.objects.filter(provider=identity.server)
    if rows.filter(user=account).exclude(uid=identity.subject).exists():
        message = _("You are connected already: disconnect first.")
        raise ValidationError(message, code="connected")
    connected, made = rows.get_or_create(
        provider=identity.server, uid=identity.subject, defaults={"user": account}
    )
    if connected.user_id != account.pk:
        message = _("Another account of the club is connected to this one.")
        raise ValidationError(message, code="connected_other")
    if not made:
        return
    log_audit("connect_identity", account, by=by, server=identity.server)


@transaction.atomic
def disconnect_identity(*, by: User) -> None:
    """Let nobody sign in to the account of ``by`` from another server any more.

    :raises PermissionDenied: for a visitor, and for a program with a token.
    :raises ValidationError: for who would have no way in any more.
    """
    account = check_permission(by, Permission.CHANGE_OWN_ACCOUNT)
    if not account.has_usable_password():
        message = _("Set a password first: you could not sign in any more.")
        raise ValidationError(message, code="no_password")
    gone, _rows = SocialAccount.objects.filter(user=account).delete()
    if gone:
        log_audit("disconnect_identity", account, by=by)


def confirm_mail(account: Account, identity: Identity) -> None:
    """Take the mail of ``account`` for confirmed if the server of ``identity`` has verified it."""
    own = EmailAddress.objects.filter(user=account, email__iexact=identity.email)
    own.update(verified=True)
