"""Sitting down at a table, watching it, getting up."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_http_methods, require_safe

from scoring.league.evenings import left_open_at
from scoring.models import Game
from scoring.play.errors import Conflict, KeyReused, NotAllowed, TooManyAttempts
from scoring.play.games import finish_game, open_game, tables_elsewhere
from scoring.play.once import Answer
from scoring.play.permissions import Call, may, require

from ..forms.games import NewGameForm
from ..forms.hands import HandForm
from ..lost_session import kept_for
from ..pad import pad_of
from ..sending import sent_once
from ..shell import modules
from ..table import table_of, table_version
from ..throttles import too_often


def visible_game(request: HttpRequest, pk: int) -> Game:
    """The game ``pk`` with its table.

    :raises Http404: if there is none that this person may see.
    """
    return get_object_or_404(Game.objects.visible_to(request.user).with_table(), pk=pk)


def allow(request: HttpRequest, call: Call, game: Game | None) -> None:
    """Nobody fills in a form that is refused afterwards.

    :raises PermissionDenied: unless this person may do ``call``.
    """
    try:
        require(request.user, call, game)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal


@login_required
@require_http_methods(["GET", "POST"])
def new_game(request: HttpRequest) -> HttpResponse:
    form = NewGameForm(request.POST or None, user=request.user)
    if form.is_bound and form.is_valid():
        try:
            answer = sent_once(request, form, lambda: _open(request, form))
            return redirect("game", answer.body["game"])
        except KeyReused:
            messages.info(request, _("That table is open already. Seat the next one here."))
            return redirect("new_game")
        except TooManyAttempts as refusal:
            return too_often(request, refusal.seconds)
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from refusal
        except ValidationError as error:
            elsewhere = _elsewhere(request, form, error)
            if not elsewhere:
                form.refuse(error)
            return render(
                request, "games/new.html", {"form": form, "elsewhere": elsewhere}, status=422
            )
    status = 422 if form.is_bound else 200
    return render(request, "games/new.html", {"form": form}, status=status)


def _open(request: HttpRequest, form: NewGameForm) -> Answer:
    answer = form.cleaned_data["elsewhere"]
    shown = request.POST.getlist("leaving") if answer == "end" else []
    leaving = [there for there in tables_elsewhere(form.players) if str(there.pk) in shown]
    game = open_game(
        form.cleaned_data["league"],
        form.players,
        by=request.user,
        anyway=answer == "anyway",
        leaving=leaving,
    )
    return Answer(201, {"game": game.pk})


def _elsewhere(
    request: HttpRequest, form: NewGameForm, error: ValidationError
) -> dict[str, Any] | None:
    """Where some of the four sit already, if that is all that ``error`` asks about."""
    codes = {one.code for errors in error.error_dict.values() for one in errors}
    if codes != {"seated_elsewhere"}:
        return None
    tables = tables_elsewhere(form.players)
    return {
        "tables": [
            {
                "game": there,
                "names": ", ".join(one.name for one in there.players if one in form.players),
            }
            for there in tables
        ],
        "may_end": all(may(request.user, Call.FINISH_A_GAME, there) for there in tables),
    }


@require_safe
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """The table: where the game stands, and the pad for those who play."""
    shown = visible_game(request, pk)
    context = table_context(request, shown)
    typed = kept_for(request, request.path)
    if typed and context["form"]:
        context["form"] = HandForm(typed, game=shown)
        messages.warning(request, _("You were signed out. Your hand is here, and not saved yet."))
    return render(request, "games/table.html", context)


def table_context(
    request: HttpRequest, game: Game, form: HandForm | None = None, **more: Any
) -> dict[str, Any]:
    """What the table's templates show; ``form`` is what was sent, or a fresh one who may log."""
    table = table_of(game, request.user)
    if form is None and table.may_log and not game.finished:
        form = HandForm(game=game)
    pad = pad_of(game.ruleset_version.rules) if form else None
    return {"table": table, "form": form, "pad": pad, "modules": modules(), **more}


def _etag(request: HttpRequest, pk: int) -> str | None:
    version = table_version(Game.objects.visible_to(request.user).filter(pk=pk))
    return version and f'"{version}"'


@require_safe
@cache_control(private=True, no_cache=True)
@condition(etag_func=_etag)
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the table page that others change: 304 while nobody has, for one query."""
    table = table_of(visible_game(request, pk), request.user)
    return render(request, "games/_state.html", {"table": table, "live": True})


@login_required
@require_http_methods(["GET", "POST"])
def finish(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks whether the game shall end here, and ends it."""
    ending = visible_game(request, pk)
    if not may(request.user, Call.FINISH_A_GAME, ending):
        raise PermissionDenied
    if request.method == "POST":
        try:
            finish_game(ending, by=request.user)
            messages.success(request, _("The game is over."))
        except NotAllowed as refusal:
            raise PermissionDenied(str(refusal)) from refusal
        except Conflict as refusal:
            messages.info(request, str(refusal))
        return redirect("game", pk)
    if ending.finished:
        return redirect("game", pk)
    context = {"table": table_of(ending, request.user), "left": left_open_at(ending)}
    return render(request, "games/finish.html", context)
