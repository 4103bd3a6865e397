"""Codes of an authenticator app and recovery codes: each is good once, whichever worker sees it."""

from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt
from django.db import transaction

from scoring.models.permissions import Account, User

from .sign_in import Device, count_tries

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def has_second_factor(user: User) -> bool:
    """Whether ``user`` is asked for more than a password."""
    return bool(Authenticator.objects.filter(user=user.pk, type__in=FACTORS).exists())


def check_code_of(account: Account, code: str, device: Device) -> Authenticator | None:
    """The authenticator of ``account`` that ``code`` is from, if it is good. It is used up then.

    Call it outside a transaction: a wrong code is counted.

    :raises SignInStopped: after too many wrong ones, also for a good one.
    """
    known = device.key_for(account)
    key = f"{known}:code" if known else f"second:{account.pk}"
    return count_tries(key, lambda: _use(account, code))


def use_first_code(account: Account, code: str) -> None:
    """Use up the ``code`` with which ``account`` has just set up its app."""
    _use(account, code)


@transaction.atomic
def _use(account: Account, code: str) -> Authenticator | None:
    rows = Authenticator.objects.select_for_update().filter(user=account)
    for row in rows.exclude(type=Authenticator.Type.WEBAUTHN):
        is_app = row.type == Authenticator.Type.TOTP
        if _use_of_app(row, code) if is_app else row.wrap().validate_code(code):
            return row
    return None


def _use_of_app(row: Authenticator, code: str) -> bool:
    """Whether ``code`` is one of now, and newer than the last that was used."""
    secret, used = decrypt(row.data["secret"]), row.data.get("used", 0)
    for counter in yield_hotp_counters_from_time():
        is_this = compare_user_code(
            actual=code, expected=format_hotp_value(hotp_value(secret, counter))
        )
        if is_this and counter > used:
            row.data["used"] = counter
            row.save(update_fields=["data"])
            return True
    return False
