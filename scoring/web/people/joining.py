"""Joining the club with an invitation: from its link to an account that is signed in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from scoring.models import Game, Invitation, Player
from scoring.models.permissions import Account, full_names
from scoring.services.identities import Identity
from scoring.services.invitations import (
    InvitationRefused,
    find_invitation,
    join,
    look_alike,
    propose_username,
)

from ..account.joining import forget_identity, joining_identity
from ..throttles import throttled
from .forms import JoinForm

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
# Whoever holds the code was invited, perhaps as a player of that name.
@full_names()
def join_page(request: HttpRequest, code: str) -> HttpResponse:
    """Who holds the code makes an account; a code that is none says why, and how to go on."""
    if request.user.is_authenticated:
        return render(request, "people/joined_already.html", {"code": code})
    try:
        invitation = find_invitation(code)
    except InvitationRefused as refusal:
        return _refused(request, refusal)
    if request.method == "POST":
        return _joins(request, code, invitation)
    return _asks(request, invitation)


@throttled("sign_in")
def _refused(request: HttpRequest, refusal: InvitationRefused) -> HttpResponse:
    """Counted: whoever tries codes waits."""
    status = 404 if refusal.code == "unknown" else 410
    return render(request, "people/no_invitation.html", {"refusal": refusal}, status=status)


def _asks(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    player, identity = invitation.player, joining_identity(request)
    mail = identity.email if identity else ""
    initial = {"language": get_language(), "email": mail or invitation.email}
    if player is not None:
        initial["username"] = invitation.username or propose_username(player.name)
    form = JoinForm(initial=initial, player=player, with_password=identity is None)
    return _shown(request, form, player)


@throttled("sign_in")
def _joins(request: HttpRequest, code: str, invitation: Invitation) -> HttpResponse:
    player, identity = invitation.player, joining_identity(request)
    form = JoinForm(request.POST, player=player, with_password=identity is None)
    alike = None
    if player is None:
        alike = look_alike(request.POST.get("name", "")[:80])
        if alike is not None:
            form.ask_whether(alike.name)
    if form.is_valid():
        try:
            account = _join(code, form, player, alike, identity)
        except InvitationRefused as refusal:
            return _refused(request, refusal)
        except ValidationError as error:
            form.refuse(error)
        else:
            forget_identity(request)
            return _welcomed(request, account, form.cleaned_data["language"])
    return _shown(request, form, player, status=422)


def _shown(
    request: HttpRequest, form: JoinForm, player: Player | None, status: int = 200
) -> HttpResponse:
    context = {"form": form, "player": player, "identity": joining_identity(request)}
    return render(request, "people/join.html", context, status=status)


def _join(
    code: str,
    form: JoinForm,
    player: Player | None,
    alike: Player | None,
    identity: Identity | None,
) -> Account:
    asked: dict[str, Any] = {"password": None, "identity": identity, **form.cleaned_data}
    who = asked.pop("who", "")
    name = asked.pop("name", "") or str(player)
    asked["username"] = asked["username"] or propose_username(name)
    claim = alike if who == JoinForm.SAME else None
    return join(code, name=name, claim=claim, anyway=who == JoinForm.OTHER, **asked)


def _welcomed(request: HttpRequest, account: Account, language: str) -> HttpResponse:
    """Signed in, in the language that was chosen, at the own table or at home."""
    login(request, account, backend=BACKEND)
    own = Player.objects.filter(user=account).first()
    table = Game.objects.open().filter(seats__player=own).first() if own else None
    with override(language or get_language()):
        if own is None:
            message = _("Welcome. An organiser confirms who you are; you can look around already.")
        else:
            message = _("Welcome, %(name)s. Your account is ready.") % {"name": own}
        if account.has_usable_password():
            message += " " + _("You sign in as “%(name)s”.") % {"name": account.get_username()}
        messages.success(request, message)
    return redirect(table or "home")
