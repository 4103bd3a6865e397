"""Pages of a game: open it at a table, watch it, finish it."""

from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_http_methods, require_safe

from scoring.models import Game
from scoring.models.left_open import ending_etag, left_open_at
from scoring.models.permissions import Permission, check_permission
from scoring.services.errors import Conflict, KeyReused, TooManyAttempts
from scoring.services.games import finish_game, open_game
from scoring.services.guests import add_guest
from scoring.services.idempotency import StoredResponse
from scoring.services.people import asks_about_name
from scoring.typed_numbers import typed_id

from ..account.drafts import draft_for, member_or_form_later
from ..idempotent_form import carry_out, idempotent_form
from ..offline.precache import modules
from ..shared.elsewhere import answer_about_elsewhere, elsewhere_of
from ..shared.hand_form import HandForm
from ..shared.pad import pad_of
from ..shared.reason_form import ConfirmForm
from ..shared.requests import View, visible_game
from ..shared.rule_fields import asks_more
from ..throttles import too_often
from .board import table_of, table_version
from .game_form import SEATS, NewGameForm

# What an address may say of the form of a new game. Names that were typed are for no log of addresses.
PREFILLED = ("league", *SEATS)


def _member_or_form_later(view: View) -> View:
    """As ``login_required``; who was signed out meanwhile finds the seats of the new game as they were."""

    @wraps(view)
    def asked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        sent = request.POST or request.GET
        kept = {name: sent[name] for name in PREFILLED if name in sent}
        return redirect_to_login(reverse("new_game", query=kept))

    return asked


@_member_or_form_later
@require_http_methods(["GET", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    """Seat four players; in the league of the address, where the way led over its page."""
    chosen = {name: typed_id(request.GET[name]) for name in PREFILLED if name in request.GET}
    form = NewGameForm(request.POST or None, initial=chosen, user=request.user)
    if form.is_bound and form.is_valid():
        try:
            answer = idempotent_form(request, form, lambda: _open(request, form))
            return redirect("game", answer.body["game"])
        except KeyReused:
            messages.info(request, _("That table is open already. Seat the next one here."))
            return redirect("new_game")
        except TooManyAttempts as refusal:
            return too_often(request, refusal.seconds, str(refusal))
        except ValidationError as error:
            elsewhere = elsewhere_of(request, form.players, error)
            if not elsewhere:
                form.refuse(error)
            return render(
                request, "table/new.html", {"form": form, "elsewhere": elsewhere}, status=422
            )
    status = 422 if form.is_bound else 200
    return render(request, "table/new.html", {"form": form}, status=status)


@_member_or_form_later
@require_http_methods(["GET", "POST"])
def seat_guest(request: HttpRequest) -> HttpResponse:
    """Add a guest, and give them the first free seat of the form, which goes on as it was."""
    if request.method == "GET":  # the phone has loaded its tab again
        return redirect("new_game")
    typed = _typed(request)
    try:
        guest = add_guest(typed["guest"], anyway="anyway" in request.POST, by=request.user)
    except TooManyAttempts as refusal:
        return too_often(request, refusal.seconds, str(refusal))
    except ValidationError as error:
        form = NewGameForm(initial=typed, user=request.user)
        asks = "anyway" in request.POST or asks_about_name(error)
        context = {"form": form, "guest_problems": error.messages, "guest_asks": asks}
        return render(request, "table/new.html", context, status=422)
    free = [seat for seat in SEATS if not typed[seat] and str(guest.pk) not in typed.values()]
    taken = {free[0]: guest.pk} if free else {}
    form = NewGameForm(initial={**typed, **taken, "guest": "", "find": ""}, user=request.user)
    return render(request, "table/new.html", {"form": form})


@_member_or_form_later
@require_http_methods(["GET", "POST"])
def find_player(request: HttpRequest) -> HttpResponse:
    """List the players whose name has what was typed; the form goes on as it was."""
    if request.method == "GET":
        return redirect("new_game")
    form = NewGameForm(initial=_typed(request), user=request.user)
    return render(request, "table/new.html", {"form": form})


def _typed(request: HttpRequest) -> dict[str, str]:
    typed = {name: request.POST.get(name, "") for name in NewGameForm.base_fields}
    # From a game that is over there comes none: the form makes one.
    return typed if typed["key"] else {k: v for k, v in typed.items() if k != "key"}


def _open(request: HttpRequest, form: NewGameForm) -> StoredResponse:
    game = open_game(
        form.cleaned_data["league"],
        form.players,
        by=request.user,
        **answer_about_elsewhere(request, form.players),
    )
    return StoredResponse(201, {"game": game.pk})


@require_safe
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """The table: where the game stands, and the pad for those who play."""
    context = table_context(request, pk)
    typed = draft_for(request, request.path)
    if typed and context["form"]:
        context["form"] = HandForm(typed, game=context["table"].game)
        messages.warning(request, _("You were signed out. Your hand is here, and not saved yet."))
    return render(request, "table/table.html", context)


def table_context(
    request: HttpRequest, pk: int, form: HandForm | None = None, **more: Any
) -> dict[str, Any]:
    """What the table's templates show; ``form`` is what was sent, or a fresh one who may log."""
    table = table_of(request, pk)
    game = table.game
    if form is None and table.may_log and not game.finished:
        form = HandForm(game=game)
    rules = game.ruleset_version.table_rules
    context = {"table": table, "form": form, "pad": pad_of(rules) if form else None}
    return {**context, "asks_more": asks_more(rules), "modules": modules(), **more}


def _etag(request: HttpRequest, pk: int) -> str | None:
    version = table_version(Game.objects.visible_to(request.user).filter(pk=pk), request.user)
    return version and f'"{version}"'


@require_safe
@cache_control(private=True, no_cache=True)
@condition(etag_func=_etag)
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the table page that others change: 304 while nobody has, for one query."""
    table = table_of(request, pk)
    return render(request, "table/_state.html", {"table": table, "live": True})


@member_or_form_later
@require_http_methods(["GET", "POST"])
def finish(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks whether the game shall end here, and ends it."""
    ending = visible_game(request, pk)
    form = ConfirmForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            done = _("The game is over.")
            carry_out(request, form, lambda: _finish(request, ending, form), done)
        except Conflict as refusal:
            messages.info(request, str(refusal))
            if refusal.code == "moved_on":
                return _ask_to_finish(request, ending, status=409)
        return redirect("game", pk)
    check_permission(request.user, Permission.FINISH_A_GAME, ending)
    if ending.finished:
        return redirect("game", pk)
    return _ask_to_finish(request, ending, status=422 if form.is_bound else 200)


def _finish(request: HttpRequest, game: Game, form: ConfirmForm) -> StoredResponse:
    finish_game(game, by=request.user, expected_etag=form.cleaned_data["seen"])
    return StoredResponse(200, {"id": game.pk})


def _ask_to_finish(request: HttpRequest, ending: Game, *, status: int) -> HttpResponse:
    form = ConfirmForm(initial={"seen": ending_etag(ending)})
    context = {"table": table_of(request, ending.pk), "left": left_open_at(ending), "form": form}
    return render(request, "table/finish.html", context, status=status)
