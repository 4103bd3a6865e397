"""Signing in by another server of the club's (OpenID Connect), where the settings name one."""

import logging
from typing import Any, NoReturn

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthError, AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from requests import RequestException

from scoring.models.permissions import Account, check_signed_in
from scoring.services.identities import (
    Identity,
    connect_identity,
    disconnect_identity,
    find_member_by_mail,
)

from ..throttles import throttled
from .joining import JOIN, remember_identity

logger = logging.getLogger(__name__)
# How allauth fails at answers that no such server gives.
MALFORMED = (AttributeError, KeyError, TypeError, ValueError)


class Client(OpenIDConnectOAuth2Adapter):
    """This site, as the server knows it."""

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("oidc_callback"))


class SignInServer(OpenIDConnectProvider):
    """The server of the settings. What it tells about a person beyond these is kept nowhere."""

    oauth2_adapter_class = Client

    def extract_uid(self, data: dict[str, Any]) -> str:
        """:raises OAuth2Error: unless both answers of the server are about the same person."""
        subject = data["id_token"]["sub"]
        if data["userinfo"]["sub"] != subject:
            raise OAuth2Error("sub of id_token, other sub of userinfo")
        return str(subject)

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        addresses: list[EmailAddress] = super().extract_email_addresses(data)
        # Some servers write "false".
        return [address for address in addresses if address.verified is True]


class Adapter(DefaultSocialAccountAdapter):
    """Who is known signs in; who is not needs an invitation."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        identity = _identity(sociallogin)
        if sociallogin.state.get("process") == AuthProcess.CONNECT:
            raise ImmediateHttpResponse(_connected(request, identity))
        if sociallogin.is_existing:
            return
        member = find_member_by_mail(identity)
        if member is not None:
            connect_identity(member, identity, by=member)
            self._tell(member, "account_connected")
            sociallogin.user = member
            return
        after = sociallogin.state.get("next") or ""
        if after.startswith(JOIN):
            remember_identity(request, identity)
            raise ImmediateHttpResponse(redirect(after))
        raise ImmediateHttpResponse(_failed(request, "unknown", 403))

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: OpenIDConnectProvider,
        error: str = AuthError.UNKNOWN,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> NoReturn:
        if error == AuthError.CANCELLED:
            raise ImmediateHttpResponse(_failed(request, "cancelled", 403))
        logger.warning("Signing in by %s failed: %s", settings.OIDC.server_url, exception or error)
        raise ImmediateHttpResponse(_failed(request, "error", 502 if exception else 400))

    def _tell(self, account: Account, what: str) -> None:
        self.send_notification_mail(f"socialaccount/email/{what}", account)


@never_cache
@require_POST
@throttled("sign_in")
def begin(request: HttpRequest) -> HttpResponse:
    """Lead to the server; whoever is signed in connects their account with one there.

    By a page that goes on by itself: a form of this site may send nobody elsewhere.
    """
    process = AuthProcess.LOGIN
    if request.user.is_authenticated:
        raise_if_reauthentication_required(request, app="allauth.socialaccount")
        process = AuthProcess.CONNECT
    after = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(after, request.get_host(), request.is_secure())
    provider = get_adapter().get_provider(request, settings.OIDC.server_url)
    try:
        answer = provider.redirect(request, process, next_url=after if here else None)
    except (RequestException, *MALFORMED) as error:
        logger.warning("%s does not answer: %s", settings.OIDC.server_url, error)
        return _failed(request, "error", 502)
    return render(request, "account/oidc_go.html", {"address": answer.url})


@never_cache
@require_GET
@throttled("sign_in")
def callback(request: HttpRequest) -> HttpResponse:
    """Where the server leads back to."""
    try:
        view = OAuth2CallbackView.adapter_view(Client(request, settings.OIDC.server_url))
        response: HttpResponse = view(request)
    except MALFORMED as error:
        logger.warning("%s answers what cannot be: %r", settings.OIDC.server_url, error)
        return _failed(request, "error", 502)
    return response


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def connection(request: HttpRequest) -> HttpResponse:
    """Whether one's account is connected with one of the server, and an end to that."""
    account = check_signed_in(request.user)
    refusal = ""
    if request.method == "POST":
        raise_if_reauthentication_required(request, app="allauth.socialaccount")
        try:
            disconnect_identity(by=account)
        except ValidationError as error:
            refusal = error.messages[0]
        else:
            get_adapter()._tell(account, "account_disconnected")
            messages.success(request, _("Disconnected."))
            return redirect("oidc")
    connected = SocialAccount.objects.filter(user=account).first()
    context = {"connected": connected, "refusal": refusal, "oidc": settings.OIDC}
    return render(request, "account/oidc.html", context, status=422 if refusal else 200)


def _identity(login: SocialLogin) -> Identity:
    mails = [address.email for address in login.email_addresses if address.verified]
    return Identity(login.account.provider, login.account.uid, mails[0] if mails else "")


def _connected(request: HttpRequest, identity: Identity) -> HttpResponse:
    if not request.user.is_authenticated:
        return _failed(request, "error", 400)
    try:
        connect_identity(request.user, identity, by=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        get_adapter()._tell(request.user, "account_connected")
        messages.success(request, _("Connected."))
    return redirect("oidc")


def _failed(request: HttpRequest, why: str, status: int) -> HttpResponse:
    context = {"why": why, "oidc": settings.OIDC}
    return render(request, "account/oidc_failed.html", context, status=status)


urlpatterns = [
    path("account/oidc/", connection, name="oidc"),
    path("account/oidc/sign-in/", begin, name="oidc_sign_in"),
    path("account/oidc/callback/", callback, name="oidc_callback"),
]
