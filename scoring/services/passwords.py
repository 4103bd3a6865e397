"""One's own password: a new one, and asking for it again where a session left open is not enough."""

from django.contrib.auth import authenticate
from django.db import transaction
from django.http import HttpRequest

from scoring.models.permissions import Account, User, check_signed_in

from .audit import log_audit
from .locks import lock_account
from .signed_in import keep_device


def is_own_password(request: HttpRequest, password: str) -> bool:
    """Whether ``password`` is that of the account of ``request``. A wrong one counts as a wrong sign-in.

    :raises PermissionDenied: for a visitor.
    """
    account = check_signed_in(request.user)
    return authenticate(request, username=account.get_username(), password=password) == account


def change_password(
    account: Account, password: str, *, by: User, own_device: int | None = None
) -> bool:
    """Store ``password`` as that of ``account``; False if it was given another one meanwhile.

    Whoever asks has shown that they know the old one. ``password`` was looked at by the validators.

    :param own_device: the subscription of the browser that asks, which goes on showing notices.
    :raises ValidationError: if the account was deleted meanwhile.
    """
    keep_device(account, own_device)
    return _store("change_password", account, password, by)


def reset_password(account: Account, password: str, *, by: User) -> bool:
    """As :func:`change_password`, for whoever holds a link that gives a new password."""
    return _store("reset_password", account, password, by)


def _store(action: str, account: Account, password: str, by: User) -> bool:
    before = account.password
    # It takes long: nobody waits for the lock meanwhile.
    account.set_password(password)
    with transaction.atomic():
        if lock_account(account).password != before:
            return False
        account.save(update_fields=["password"])
        log_audit(action, account, by=by)
    return True
