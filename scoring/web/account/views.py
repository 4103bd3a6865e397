"""Signing in, and the pages on which people look after their own account."""

from typing import Any

from allauth.account.internal import flows
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.models import EmailAddress, Login
from allauth.account.stages import LoginStageController
from allauth.account.views import ConfirmEmailView, EmailView
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.i18n import set_language

from scoring.models import AccountSettings, Player
from scoring.models.permissions import Role, check_signed_in
from scoring.queries.leading import leads
from scoring.services.accounts import change_name, choose_language
from scoring.services.identities import is_connected
from scoring.services.locks import lock_account, lock_sign_in_names
from scoring.services.people import hide_own_name
from scoring.services.second_factor import has_second_factor, use_first_code
from scoring.services.sessions import end_own_sessions
from scoring.services.signed_in import DEVICE

from ..shared.requests import members_post
from ..throttles import throttled
from .adapter import FIRST_STEP
from .devices import device_name
from .forms import AppForm, MailForm, SignInForm, SignInNameForm


@method_decorator(throttled("sign_in", methods=("POST",)), name="dispatch")
class SignIn(LoginView):
    """Django's own page, which follows ``next`` to this site only; then allauth's second step."""

    template_name = "account/login.html"
    authentication_form = SignInForm
    http_method_names = ["get", "head", "post", "options"]

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        login = Login(user=form.get_user(), redirect_url=self.get_success_url())
        response: HttpResponse = flows.login.perform_password_login(self.request, {}, login)
        return response

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form again, with the reason; 422 as every form of this site that is refused."""
        response = super().form_invalid(form)
        response.status_code = 422
        return response


class SecondStep(AuthenticateView):
    """The second step of signing in: what the account has for it, and a word where that is gone.

    A password that has changed since the first step is asked for once more.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        begun = LoginStageController.enter(request, AuthenticateStage.key)
        if begun and request.session.get(FIRST_STEP) != begun.login.user.get_session_auth_hash():
            messages.info(request, _("The password was changed meanwhile: sign in again."))
            return begun.abort()
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        stage = getattr(self, "stage", None)
        if stage is not None and not has_second_factor(stage.login.user):
            messages.info(
                request, _("Your second step was removed. Sign in with the password alone.")
            )
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        ways = set(self.stage.login.user.authenticator_set.values_list("type", flat=True))
        if Authenticator.Type.WEBAUTHN not in ways:
            context["webauthn_form"] = None
        return context | {"has_app": Authenticator.Type.TOTP in ways}


@never_cache
@login_required
@require_GET
def overview(request: HttpRequest) -> HttpResponse:
    """Everything about one's own account, each with the page that changes it."""
    account = check_signed_in(request.user)
    own = AccountSettings.objects.filter(user=account).first()
    context = {
        "organises": leads(account, Role.ORGANISER),
        "owns": leads(account, Role.OWNER),
        "mails": EmailAddress.objects.filter(user=account).order_by("-primary", "email"),
        "second_factor": has_second_factor(account),
        "connected": settings.OIDC.usable and is_connected(account),
        "own_player": Player.objects.filter(user=account).first(),
        "sessions": len(sessions_of(request)),
        "tokens": account.api_tokens.count(),
        "own_language": dict(settings.LANGUAGES).get(own.language, "") if own else "",
    }
    return render(request, "account/overview.html", context)


@sensitive_post_parameters("password")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@throttled("sign_in", methods=("POST",))
def name(request: HttpRequest) -> HttpResponse:
    """Another name to sign in with."""
    account = check_signed_in(request.user)
    initial = {"username": account.get_username()}
    sent = request.POST if request.method == "POST" else None
    form = SignInNameForm(sent, request=request, initial=initial)
    if form.is_bound and form.is_valid():
        try:
            change_name(account, form.cleaned_data["username"], by=account)
            messages.success(request, _("Your name is changed."))
            return redirect("account")
        except ValidationError as error:
            form.add_error("username", error.error_dict["username"])
    return render(
        request, "account/name.html", {"form": form}, status=422 if form.is_bound else 200
    )


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Another language: for this browser, and for the account of who is signed in."""
    response: HttpResponse = set_language(request)
    chosen = request.POST.get("language")
    if request.user.is_authenticated and chosen in dict(settings.LANGUAGES):
        choose_language(chosen, by=request.user)
    return response


@members_post()
def hide_name(request: HttpRequest) -> HttpResponse:
    """Hide one's own name from visitors, or show it again."""
    hides = request.POST.get("hides") != "no"
    try:
        hide_own_name(hides, by=request.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        done = _("Whoever is not signed in reads your initials from now on.")
        shown = _("Whoever is not signed in reads your name again.")
        messages.success(request, done if hides else shown)
    return redirect("account")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """Where one is signed in, and an end to any of it."""
    listed = sessions_of(request)
    if request.method == "POST":
        return _end(request, listed)
    devices = [(one, device_name(one.user_agent)) for one in listed]
    return render(request, "account/sessions.html", {"sessions": devices})


def sessions_of(request: HttpRequest) -> list[UserSession]:
    """Where the person of ``request`` is signed in, this session first."""
    account, key = check_signed_in(request.user), request.session.session_key
    if not UserSession.objects.filter(user=account, session_key=key).exists():
        # One of before the site listed them.
        UserSession.objects.create_from_request(request)
    own_sessions = UserSession.objects.purge_and_list(account)
    return sorted(
        own_sessions, key=lambda one: (one.session_key != key, -one.created_at.timestamp())
    )


def _end(request: HttpRequest, own_sessions: list[UserSession]) -> HttpResponse:
    wanted = request.POST.get("session", "")
    others = [one for one in own_sessions if one.session_key != request.session.session_key]
    ended = [one for one in others if wanted in ("others", str(one.pk))]
    if not ended and wanted != "others":
        raise Http404
    raise_if_reauthentication_required(request, app="allauth.account")
    end_own_sessions(
        ended,
        by=request.user,
        all_others=wanted == "others",
        own_device=request.session.get(DEVICE),
    )
    messages.success(request, _("Signed out there."))
    return redirect("sessions")


class Mails(EmailView):
    """One's mail addresses. Of two people who add the same one at once, the second is refused."""

    @transaction.atomic
    def form_valid(self, form: MailForm) -> HttpResponse:
        lock_sign_in_names()
        # Somebody else may have added it until now.
        form.full_clean()
        answer = super().form_valid if form.is_valid() else self.form_invalid
        response: HttpResponse = answer(form)
        return response


class ConfirmMail(ConfirmEmailView):
    """A mail address is confirmed by its link, unless it is gone by then: allauth would store it anew."""

    @transaction.atomic
    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        lock_account(self.get_object().email_address.user)
        response: HttpResponse = super().post(*args, **kwargs)
        return response


class SetUpApp(ActivateTOTPView):
    """The code that sets up an app is used up: it is not good for signing in as well."""

    @transaction.atomic
    def form_valid(self, form: AppForm) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        use_first_code(check_signed_in(self.request.user), form.cleaned_data["code"])
        return response
