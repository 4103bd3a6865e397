"""Log in the audit what people change on allauth's pages: who and what, no value."""

from typing import Any

from allauth.account import signals as account
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.dispatch import receiver

from scoring.models.permissions import Account
from scoring.services.audit import log_audit


@receiver(account.email_added)
def add_mail(user: Account, **_about: Any) -> None:
    log_audit("add_mail", user, by=user)


@receiver(account.email_removed)
def remove_mail(user: Account, **_about: Any) -> None:
    log_audit("remove_mail", user, by=user)


@receiver(account.email_changed)
def change_main_mail(user: Account, **_about: Any) -> None:
    log_audit("change_main_mail", user, by=user)


@receiver(account.email_confirmed)
def confirm_mail(email_address: EmailAddress, **_about: Any) -> None:
    """By the link that was mailed, which only its reader has."""
    log_audit("confirm_mail", email_address.user, by=email_address.user)


@receiver(mfa.authenticator_added)
def add_second_factor(user: Account, authenticator: Authenticator, **_about: Any) -> None:
    _log("add_second_factor", user, authenticator)


@receiver(mfa.authenticator_removed)
def turn_off_second_factor(user: Account, authenticator: Authenticator, **_about: Any) -> None:
    _log("turn_off_second_factor", user, authenticator)


@receiver(mfa.authenticator_reset)
def renew_recovery_codes(user: Account, **_about: Any) -> None:
    log_audit("renew_recovery_codes", user, by=user)


def _log(action: str, user: Account, authenticator: Authenticator) -> None:
    # Recovery codes come and go with what they stand in for.
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        log_audit(action, user, by=user, factor=authenticator.type)
