"""Close and open accounts, and end what they are signed in with, logged in the audit."""

from collections.abc import Sequence

from allauth.usersessions.models import UserSession
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import NoticeKind, PushSubscription
from scoring.models.permissions import Account, Permission, User, check_permission

from .audit import log_audit
from .locks import lock_account, lock_owners
from .notices import notify
from .roles import check_may_handle, require_another_owner
from .signed_in import (
    device_of,
    forget_device,
    forget_devices,
    forget_unknown_devices,
    sign_out_everywhere,
)


@transaction.atomic
def end_sessions(account: Account, *, by: User) -> int:
    """Sign ``account`` out of every browser and program; the number of those. No device shows its notices.

    :raises PermissionDenied: unless ``by`` may handle the account.
    """
    check_may_handle(account, by=by)
    shows_notices = PushSubscription.objects.filter(user=account).exists()
    ended = sign_out_everywhere(account)
    if ended or shows_notices:
        log_audit("end_sessions", account, by=by, ended=ended)
    return ended


@transaction.atomic
def end_own_sessions(
    sessions: Sequence[UserSession],
    *,
    by: User,
    all_others: bool = False,
    own_device: int | None = None,
) -> None:
    """Sign ``by`` out of the browsers of ``sessions``, which are their own. They show no more notices.

    :param all_others: whether these are all but the one that asks.
    :param own_device: the subscription of the browser that asks.
    :raises PermissionDenied: for a visitor, and for a program with a token.
    """
    account = check_permission(by, Permission.CHANGE_OWN_ACCOUNT)
    if all_others:
        forget_devices(account, but=own_device)
    devices = {session.pk: device_of(session.session_key) for session in sessions}
    for session in sessions:
        # An earlier session of the browser that asks knows the same one.
        if devices[session.pk] != own_device:
            forget_device(account, devices[session.pk])
        session.end()
    if None in devices.values():
        forget_unknown_devices(account, but=own_device)
    if sessions:
        log_audit("end_own_sessions", account, by=by, ended=len(sessions))


@transaction.atomic
def close_account(account: Account, *, by: User) -> None:
    """Let nobody sign in to ``account`` any more, and end what it is signed in with.

    It keeps its role, for the day on which it is opened again.

    :raises PermissionDenied: unless ``by`` may handle the account.
    :raises ValidationError: for one's own account, and if the club would have no owner then.
    """
    lock_owners()
    if check_may_handle(account, by=by) == account:
        message = _("This is your own account: leave by “My account”.")
        raise ValidationError(ValidationError(message, code="own"))
    require_another_owner(account)
    if _set_open(account, is_open=False):
        log_audit("close_account", account, by=by, ended=sign_out_everywhere(account))


@transaction.atomic
def open_account(account: Account, *, by: User) -> None:
    """Let the person of a closed ``account`` sign in as before.

    :raises PermissionDenied: unless ``by`` may handle the account.
    """
    check_may_handle(account, by=by)
    if _set_open(account, is_open=True):
        log_audit("open_account", account, by=by)
        notify(NoticeKind.ACCOUNT, [account.pk], about="opened")


def _set_open(account: Account, *, is_open: bool) -> bool:
    """Whether that changes anything."""
    account = lock_account(account)
    if account.is_active == is_open:
        return False
    account.is_active = is_open
    account.save(update_fields=["is_active"])
    return True
