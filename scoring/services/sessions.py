"""Ending what somebody is signed in with: browsers and programs."""

from django.db import transaction

from scoring.models.permissions import Account, User

from .audit import log_audit
from .roles import check_may_handle
from .signed_in import sign_out_everywhere


@transaction.atomic
def end_sessions(account: Account, *, by: User) -> int:
    """Sign ``account`` out of every browser and program; the number of those.

    :raises PermissionDenied: unless ``by`` may handle the account.
    """
    check_may_handle(account, by=by)
    ended = sign_out_everywhere(account)
    log_audit("end_sessions", account, by=by, ended=ended)
    return ended


@transaction.atomic
def close_account(account: Account, *, by: User) -> None:
    """Let nobody sign in to ``account`` any more, and end what it is signed in with.

    :raises PermissionDenied: unless ``by`` may handle the account.
    """
    check_may_handle(account, by=by)
    account.is_active = False
    account.save(update_fields=["is_active"])
    log_audit("close_account", account, by=by, ended=sign_out_everywhere(account))
