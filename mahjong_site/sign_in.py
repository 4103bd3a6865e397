"""Signing in: the backend that checks passwords, and the middleware that knows devices again."""

from collections.abc import Callable
from typing import Any

from allauth.account.signals import authentication_step_completed
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _

from scoring.models import AccountSettings
from scoring.models.permissions import Account
from scoring.services.errors import SignInStopped
from scoring.services.sign_in import Device, check_password_of
from scoring.services.sign_in_rate import DEVICE_COOKIE, device_of, note_sign_in
from scoring.services.signed_in import DEVICE, forget_device
from scoring.web.shared.requests import is_script
from scoring.web.throttles import too_often

from .unread_notices import UnreadCount

SIGNED_OUT = _(
    "You were signed out on this device: your role, your password or your account has changed, or somebody "
    "ended what you were signed in with. Sign in again."
)
# What the page says on which somebody has signed out and heard no answer (queue/sign_out.js): its script has set the cookie.
SIGNING_OUT_COOKIE = "signing_out"
SIGNED_OUT_AS_ASKED = _("You are signed out.")
STILL_SIGNED_IN = _("You are still signed in: signing out did not reach the site.")
DEVICE_COOKIE_AGE = 60 * 60 * 24 * 365


class PasswordBackend(UnreadCount):
    """Name or mail, and password; Django's own permissions."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **_credentials: Any,
    ) -> Account | None:
        """:raises PermissionDenied: for a wrong password, so that no other backend tries it again.

        :raises SignInStopped: after too many of them.
        """
        if not username or not password:
            return None
        device = Device.read(None) if request is None else device_of(request)
        account = check_password_of(username, password, device)
        if account is None:
            raise PermissionDenied
        return account


class SignIns:
    """Lists the device on which somebody has just signed in, and gives it a cookie, and their language.

    A device that was signed out from elsewhere is told so once, on the next page that somebody opens
    there; what a page asks for in the background leaves that to it. Whose sign-out had no answer is told
    what became of it. A lock on guessing that no form has
    answered is answered with 429.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        opens_page = _opens_page(request)
        asked = opens_page and bool(request.COOKIES.get(SIGNING_OUT_COOKIE))
        if opens_page and _was_signed_out(request):
            messages.info(request, SIGNED_OUT_AS_ASKED if asked else SIGNED_OUT)
        is_still_here = asked and request.user.is_authenticated
        if is_still_here:
            messages.warning(request, STILL_SIGNED_IN)
        response = self.get_response(request)
        if is_still_here:
            response.delete_cookie(SIGNING_OUT_COOKIE, samesite="Lax")
        # What is answered without a look at the session costs no query for it here.
        if not opens_page and request.session.accessed and _was_signed_out(request):
            # Without it here, the cookie stays in the browser, and the next page finds the session gone.
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
            patch_cache_control(response, private=True)
        account = getattr(request, "signed_in_now", None)
        if account is not None:
            _list_session(request)
            _remember_device(request, response, account)
            _remember_language(response, account)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return too_often(request, error.seconds) if isinstance(error, SignInStopped) else None


@receiver(user_logged_in)
def remember(request: HttpRequest, user: Account, **_more: Any) -> None:
    """Tell :class:`SignIns`. By this time any second factor was given, too."""
    note_sign_in(request, user)


@receiver(user_logged_out)
def note_sign_out(request: HttpRequest | None, user: Account | None = None, **_more: Any) -> None:
    """Whoever signs out knows it. The browser shows no more notices of theirs."""
    if request is not None:
        if user is not None:
            endpoint = request.POST.get("endpoint", "")
            forget_device(user, request.session.get(DEVICE), endpoint=endpoint)
        request.signed_out_now = True  # type: ignore[attr-defined]


@receiver(authentication_step_completed)
def renew_session(request: HttpRequest, reauthenticated: bool = False, **_more: Any) -> None:
    """Give the session another key when its person has shown again who they are."""
    if reauthenticated:
        before = request.session.session_key
        request.session.cycle_key()
        listed = UserSession.objects.filter(session_key=before)
        listed.update(session_key=request.session.session_key)


def _was_signed_out(request: HttpRequest) -> bool:
    """Whether the session of ``request`` is gone, or ended because the password is another one by now."""
    if not request.COOKIES.get(settings.SESSION_COOKIE_NAME) or request.user.is_authenticated:
        return False
    return request.session.session_key is None and not hasattr(request, "signed_out_now")


def _opens_page(request: HttpRequest) -> bool:
    """Whether a person opens a page, rather than a script, a picture or the cache of the phone."""
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    return request.method == "GET" and mode == "navigate" and not is_script(request)


def _list_session(request: HttpRequest) -> None:
    """Let the person's list of devices have this one, whichever way they got in: allauth lists only its own."""
    if request.user.is_authenticated:
        UserSession.objects.create_from_request(request)


def _remember_device(request: HttpRequest, response: HttpResponse, account: Account) -> None:
    response.set_cookie(
        DEVICE_COOKIE,
        device_of(request).with_account(account.pk).written(),
        max_age=DEVICE_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _remember_language(response: HttpResponse, account: Account) -> None:
    """The language that was chosen on another device."""
    own = AccountSettings.objects.filter(user=account).first()
    if own and own.language:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            own.language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
        )
