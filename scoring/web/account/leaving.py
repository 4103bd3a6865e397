"""Show members what the site keeps about them, as a page and a file, and let them leave."""

from typing import Any

from django import forms
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from scoring.models import Game, Player
from scoring.models.permissions import Permission, check_permission, check_signed_in
from scoring.queries.my_data import my_data
from scoring.services.anonymity import names_of, ordinary_words
from scoring.services.leaving import leave_club

from ..shared.password_form import PasswordForm
from ..throttles import throttled

NAMES = [
    ("keep", gettext_lazy("Keep my name in the tables and on the scorecards")),
    ("anonymous", gettext_lazy("Take my name out everywhere, for good")),
]


class LeaveClubForm(PasswordForm):
    """How somebody leaves, with the password of their account."""

    name = forms.ChoiceField(
        label=gettext_lazy("Your name"),
        choices=NAMES,
        initial="keep",
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say what becomes of your name.")},
    )
    sure = forms.BooleanField(
        label=gettext_lazy("I know that this cannot be taken back."),
        error_messages={"required": gettext_lazy("Tick this, if you really want to leave.")},
    )
    field_order = ("name", "sure", "password")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, why, who reads it, and for how long."""
    return render(request, "account/privacy.html")


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@throttled("sign_in", methods=("POST",))
def data(request: HttpRequest) -> HttpResponse:
    """What is in the file with everything about whoever asks; by POST, the file."""
    account = check_permission(request.user, Permission.LEAVE)
    if request.method == "GET":
        return render(request, "account/data.html", {"me": _own_player(request)})
    response = JsonResponse(
        my_data(account), json_dumps_params={"indent": 1, "ensure_ascii": False}
    )
    name = slugify(account.username) or "member"
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@sensitive_post_parameters("password")
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@throttled("sign_in", methods=("POST",))
def leave(request: HttpRequest) -> HttpResponse:
    """End one's own account; by choice the name goes from everything that is kept."""
    form = LeaveClubForm(request.POST if request.method == "POST" else None, request=request)
    if form.is_bound and form.is_valid() and _left(form):
        logout(request)
        return redirect("goodbye")
    me = _own_player(request)
    words = ordinary_words(names_of(me)) if me else []
    open_games = Game.objects.open().filter(seats__player=me) if me else []
    context: dict[str, Any] = {"form": form, "me": me, "words": words, "games": open_games}
    return render(request, "account/leave.html", context, status=422 if form.is_bound else 200)


@require_safe
def goodbye(request: HttpRequest) -> HttpResponse:
    """What remains, said to somebody who has just left."""
    return render(request, "account/goodbye.html")


def _left(form: LeaveClubForm) -> bool:
    """Whether the account is gone; if not, ``form`` says why."""
    try:
        leave_club(anonymous=form.cleaned_data["name"] == "anonymous", by=form.request.user)
    except ValidationError as error:
        form.add_error(None, error.messages[0])
        return False
    return True


def _own_player(request: HttpRequest) -> Player | None:
    return Player.objects.filter(user=check_signed_in(request.user)).first()
