"""Answer what django-allauth asks this site: who may sign up, how mail goes out, what a code looks like."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.models.permissions import Account
from scoring.models.refusals import MAIL_ADDRESS_TAKEN
from scoring.services.notices import notify_account, notify_reset
from scoring.services.passwords import change_password, is_own_password, reset_password
from scoring.services.sign_in_rate import client_address
from scoring.services.signed_in import DEVICE

# What the mails that allauth asks for are about.
ABOUT: Mapping[str, str] = {
    "account_connected": "connected",
    "account_disconnected": "disconnected",
    "email_changed": "mail",
    "email_confirmation": "confirm",
    "email_deleted": "mail",
    "password_changed": "password",
    "password_reset": "password",
    "password_set": "password",
    "recovery_codes_generated": "second_step",
    "totp_activated": "second_step",
    "totp_deactivated": "second_step",
    "webauthn_added": "second_step",
    "webauthn_removed": "second_step",
}
# Where a session keeps a digest of the password with which its first step was taken.
FIRST_STEP = "first_step"
WRONG_CODE = _("This code is wrong, or was used before. Try the next one.")


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by ``create_account`` alone; passwords are checked by one backend."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "cannot_remove_primary_email": _("Make another mail address the main one first."),
        "duplicate_email": _("This is one of your mail addresses already."),
        "email_taken": MAIL_ADDRESS_TAKEN,
        "enter_current_password": _("This is not your password."),
        "incorrect_code": WRONG_CODE,
        "incorrect_password": _("This is not your password."),
        "max_email_addresses": _("You can have %d mail addresses: remove one first."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_login(self, request: HttpRequest, user: AbstractBaseUser, **about: Any) -> Any:
        """Remember the password of now until the second step."""
        request.session[FIRST_STEP] = user.get_session_auth_hash()
        return super().pre_login(request, user, **about)

    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        return is_own_password(context.request, password)

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Store ``password``, unless somebody else with the same link or session was faster."""
        assert isinstance(user, Account)
        request = context.request
        by_link = request.resolver_match.url_name == "account_reset_password_from_key"
        by = request.user if request.user.is_authenticated else user
        if by_link:
            stored = reset_password(user, password, by=by)
        else:
            own_device = request.session.get(DEVICE)
            stored = change_password(user, password, by=by, own_device=own_device)
        if not stored:
            # A link says on its page that it was used.
            raise ImmediateHttpResponse(redirect(context.request.path))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address past the proxies; 0.0.0.0 where the server does not tell one."""
        return client_address(request) or "0.0.0.0"

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        super().send_notification_mail(
            template_prefix, user, {**(context or {}), "user": user}, email
        )

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Leave the mail to the worker, so that no page waits for a mail server.

        Send nothing where the site sends no mail: a link has no place in the server's log.
        """
        if not settings.SENDS_MAIL:
            return
        name = template_prefix.rpartition("/")[2]
        account = context.get("user")
        if name == "password_reset_key":
            path = urlsplit(context["password_reset_url"]).path
            notify_reset(account, path, address=email)  # type: ignore[arg-type]
            return
        notify_account(
            ABOUT[name],
            email,
            account=account,
            link=urlsplit(context.get("activate_url", "")).path,
            language=get_language() or "",
        )

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
