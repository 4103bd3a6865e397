"""The addresses under ``/account/``. Allauth's views go by the names that allauth gives them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as allauth
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, register_converter
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoring.models.permissions import check_signed_in
from scoring.services.locks import lock_own_account

from ..converters import AlphanumericConverter
from ..throttles import throttled
from . import tokens, trail, views  # noqa: F401 - the trail registers itself

View = Callable[..., HttpResponseBase]

register_converter(AlphanumericConverter, "alnum")


def page(view: View) -> View:
    """A view of allauth as a page of this site: not kept, not asked too often, 422 if refused."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @throttled("sign_in", methods=("POST",))
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        form = (getattr(response, "context_data", None) or {}).get("form")
        if (
            request.method == "POST"
            and response.status_code == 200
            and getattr(form, "errors", None)
        ):
            response.status_code = 422
        return response

    return answered


def at(route: str, view: View, name: str) -> URLPattern:
    """For everybody; what is in it may still depend on the link that leads there."""
    return path(f"account/{route}", page(view), name=name)


def own(route: str, view: View, name: str) -> URLPattern:
    """For whoever is signed in."""
    return path(f"account/{route}", login_required(page(view)), name=name)


def way_in(route: str, view: View, name: str) -> URLPattern:
    """As :func:`own`, where something is stored by which one signs in."""

    @wraps(view)
    def locked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        with transaction.atomic():
            lock_own_account(check_signed_in(request.user))
            return view(request, *args, **kwargs)

    return own(route, locked, name)


urlpatterns = [
    path("account/", views.overview, name="account"),
    # Allauth's name for it.
    path("account/sign-in/", views.SignIn.as_view(), name="account_login"),
    path("account/name/", views.name, name="account_name"),
    path("account/hide-name/", views.hide_name, name="hide_name"),
    path("account/sessions/", views.sessions, name="sessions"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/end/", tokens.end, name="end_token"),
    at("sign-up/", allauth.signup, "account_signup"),
    at("closed/", allauth.account_inactive, "account_inactive"),
    own("again/", allauth.reauthenticate, "account_reauthenticate"),
    own("again/code/", mfa.reauthenticate, "mfa_reauthenticate"),
    own("again/key/", webauthn.reauthenticate_webauthn, "mfa_reauthenticate_webauthn"),
    way_in("mail/", views.Mails.as_view(), "account_email"),
    at("mail/sent/", allauth.email_verification_sent, "account_email_verification_sent"),
    at("mail/confirm/<str:key>/", views.ConfirmMail.as_view(), "account_confirm_email"),
    own("password/change/", allauth.password_change, "account_change_password"),
    own("password/set/", allauth.password_set, "account_set_password"),
    at("password/reset/", allauth.password_reset, "account_reset_password"),
    at("password/reset/sent/", allauth.password_reset_done, "account_reset_password_done"),
    at(
        "password/reset/done/",
        allauth.password_reset_from_key_done,
        "account_reset_password_from_key_done",
    ),
    at(
        "password/reset/key/<alnum:uidb36>-<str:key>/",
        allauth.password_reset_from_key,
        "account_reset_password_from_key",
    ),
    own("mfa/", mfa.index, "mfa_index"),
    at("mfa/code/", views.SecondStep.as_view(), "mfa_authenticate"),
    way_in("mfa/app/", views.SetUpApp.as_view(), "mfa_activate_totp"),
    own("mfa/app/remove/", totp.deactivate_totp, "mfa_deactivate_totp"),
    own("mfa/recovery-codes/", recovery.view_recovery_codes, "mfa_view_recovery_codes"),
    way_in(
        "mfa/recovery-codes/new/", recovery.generate_recovery_codes, "mfa_generate_recovery_codes"
    ),
    own("mfa/keys/", webauthn.list_webauthn, "mfa_list_webauthn"),
    way_in("mfa/keys/add/", webauthn.add_webauthn, "mfa_add_webauthn"),
    at("mfa/keys/sign-in/", webauthn.login_webauthn, "mfa_login_webauthn"),
    way_in("mfa/keys/<int:pk>/edit/", webauthn.edit_webauthn, "mfa_edit_webauthn"),
    own("mfa/keys/<int:pk>/remove/", webauthn.remove_webauthn, "mfa_remove_webauthn"),
]

if settings.OIDC.usable:
    from . import oidc

    urlpatterns += oidc.urlpatterns
