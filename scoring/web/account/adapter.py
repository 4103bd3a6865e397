"""What django-allauth asks this site: who may sign up, how mail goes out, what a code looks like."""

import logging
from smtplib import SMTPException
from typing import Any

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.services.passwords import is_own_password
from scoring.services.sign_in_rate import client_address

logger = logging.getLogger(__name__)

WRONG_CODE = _("This code is wrong, or was used before. Type the one that is shown now.")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by ``create_account`` alone; passwords are checked by one backend."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "cannot_remove_primary_email": _("Make another mail address the main one first."),
        "duplicate_email": _("This is one of your mail addresses already."),
        "email_taken": _("Another account has this mail address already."),
        "enter_current_password": _("This is not your password."),
        "incorrect_code": WRONG_CODE,
        "incorrect_password": _("This is not your password."),
        "max_email_addresses": _("You can have %d mail addresses: remove one first."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        return is_own_password(context.request, password)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address past the proxies; 0.0.0.0 where the server does not tell one."""
        return client_address(request) or "0.0.0.0"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing where the site sends no mail: a link has no place in the server's log.

        A mail server that does not answer is logged, and the page goes on.
        """
        if not settings.SENDS_MAIL:
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (OSError, SMTPException):
            logger.exception("A mail was not sent: %s", template_prefix)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return "/account/"


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {"incorrect_code": WRONG_CODE}

    def get_totp_issuer(self) -> str:
        return settings.SITE_NAME

    def build_totp_svg(self, url: str) -> str:
        return str(segno.make(url, error="m").svg_inline(scale=5, border=4))

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        return user.get_username()

    def _get_site_name(self) -> str:
        return settings.SITE_NAME
