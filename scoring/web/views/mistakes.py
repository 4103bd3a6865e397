"""A game that was opened, or ended, by mistake: opened again, changed, withdrawn, restored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.models import Game, Player
from scoring.play.errors import Conflict, KeyReused, NotAllowed
from scoring.play.games import reopen_game
from scoring.play.once import Answer
from scoring.play.permissions import Call, require
from scoring.play.seats import Plan, change_seats, move_game, preview_move, preview_seats
from scoring.play.withdraw import restore_game, withdraw_game

from ..changes import changes_of
from ..forms.corrections import ReasonForm
from ..forms.seats import MoveForm, SeatsForm, WhereForm, seated
from ..seats import seats_anyway
from ..sending import sent_once
from .games import allow, visible_game


@dataclass(frozen=True, slots=True)
class Words:
    """What the page asks, and what it says when it is done."""

    title: str
    lead: str
    button: str
    done: str
    danger: bool = False


@login_required
@require_http_methods(["GET", "POST"])
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks why the game shall go on, and opens it again."""
    words = Words(
        title=_("Open the game again?"),
        lead=_("It goes on where it was ended. Its rating is worked out anew when it ends."),
        button=_("Open the game again"),
        done=_("The game is open again."),
    )
    act = partial(reopen_game, anyway=seats_anyway(request))
    return _ask(request, visible_game(request, pk), Call.REOPEN_A_GAME, words, act)


@login_required
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks why the game shall not count, and withdraws it."""
    words = Words(
        title=_("Withdraw the game?"),
        lead=_("Nothing in it counts any more. It stays to be read, and can be restored."),
        button=_("Withdraw the game"),
        done=_("The game is withdrawn."),
        danger=True,
    )
    return _ask(request, visible_game(request, pk), Call.WITHDRAW_A_GAME, words, withdraw_game)


@login_required
@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks why the game shall count again, and restores it."""
    words = Words(
        title=_("Restore the game?"),
        lead=_("All its hands count again, as before it was withdrawn."),
        button=_("Restore the game"),
        done=_("The game counts again."),
    )
    act = partial(restore_game, anyway=seats_anyway(request))
    return _ask(request, visible_game(request, pk), Call.WITHDRAW_A_GAME, words, act)


@login_required
@require_http_methods(["GET", "POST"])
def seats(request: HttpRequest, pk: int) -> HttpResponse:
    """What was wrong about the seats; what changing it changes; then it is changed."""
    game = visible_game(request, pk)
    allow(request, Call.CHANGE_A_GAME, game)
    if request.method == "POST":
        form = SeatsForm(request.POST, user=request.user)
        return _apply(request, game, form, _reseat, _seats_preview)
    if "players" in request.GET:
        said = {"players": request.GET["players"], "reason": _default_reason(request, game)}
        return _seats_preview(request, game, SeatsForm(initial=said, user=request.user))
    others = Player.objects.visible_to(request.user).active().exclude(pk__in=_ids(game.players))
    leaver = next((one for one in game.players if str(one.pk) == request.GET.get("replace")), None)
    context = {
        "game": game,
        "leaver": leaver,
        "swaps": _swaps(game),
        "others": [(one, _address(game, {leaver: one})) for one in others] if leaver else [],
    }
    return render(request, "games/seats.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Where the game should count; what moving it changes; then it is moved."""
    game = visible_game(request, pk)
    allow(request, Call.CHANGE_A_GAME, game)
    if request.method == "POST":
        form = MoveForm(request.POST, game=game, user=request.user)
        return _apply(request, game, form, _move, _move_preview)
    where = WhereForm(request.GET or None, game=game, user=request.user)
    if where.is_bound and where.is_valid():
        league, day = where.where
        said = {"league": league.pk, "day": day}
        form = MoveForm(initial=said, game=game, user=request.user)
        return _move_preview(request, game, form)
    status = 422 if where.errors else 200
    return render(request, "games/move.html", {"game": game, "form": where}, status=status)


# ----- a reason and a button ----------------------------------------------------------------------


def _ask(
    request: HttpRequest, game: Game, call: Call, words: Words, act: Callable[..., Game]
) -> HttpResponse:
    form = ReasonForm(request.POST or None)
    try:
        require(request.user, call, game)
        if form.is_bound and form.is_valid():
            sent_once(request, form, lambda: _done(request, game, form, act))
            messages.success(request, words.done)
            return redirect("game", game.pk)
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except Conflict as refusal:
        messages.info(request, str(refusal))
        return redirect("game", game.pk)
    except KeyReused:
        return redirect("game", game.pk)
    except ValidationError as error:
        form.refuse(error)
    context = {"game": game, "form": form, "words": words}
    status = 422 if form.is_bound else 200
    return render(request, "games/reason.html", context, status=status)


def _done(request: HttpRequest, game: Game, form: ReasonForm, act: Callable[..., Game]) -> Answer:
    act(game, by=request.user, reason=form.cleaned_data["reason"])
    return Answer(200, {"game": game.pk})


# ----- a preview, and what was seen in it ---------------------------------------------------------

Preview = Callable[..., HttpResponse]


def _apply(
    request: HttpRequest,
    game: Game,
    form: Any,
    act: Callable[[HttpRequest, Game, Any], Plan],
    preview: Preview,
) -> HttpResponse:
    """Carry out what was seen; show it again where it is another by now, or was refused."""
    if not form.is_valid():
        return preview(request, game, form, status=422)
    try:
        sent_once(request, form, lambda: _changed(act(request, game, form)))
    except NotAllowed as refusal:
        raise PermissionDenied(str(refusal)) from refusal
    except Conflict as refusal:
        return preview(request, game, form, status=409, refusal=str(refusal))
    except KeyReused:
        return redirect("game", game.pk)
    except ValidationError as error:
        form.refuse(error)
        return preview(request, game, form, status=422)
    messages.success(request, _("The game is changed."))
    return redirect("game", game.pk)


def _changed(plan: Plan) -> Answer:
    return Answer(200, {"game": plan.game.pk})


def _reseat(request: HttpRequest, game: Game, form: SeatsForm) -> Plan:
    said = form.cleaned_data
    return change_seats(
        game,
        said["players"],
        by=request.user,
        reason=said["reason"],
        seen=said["seen"],
        anyway=seats_anyway(request),
    )


def _move(request: HttpRequest, game: Game, form: MoveForm) -> Plan:
    said, (league, day) = form.cleaned_data, form.where
    return move_game(
        game, league=league, day=day, by=request.user, reason=said["reason"], seen=said["seen"]
    )


def _seats_preview(
    request: HttpRequest, game: Game, form: SeatsForm, *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    def plan() -> Plan:
        seen = Player.objects.visible_to(request.user)
        said = str(form["players"].value() or "")[:100]
        return preview_seats(game, seated(said, seen), by=request.user)

    return _shown(request, game, form, plan, status=status, refusal=refusal, hidden=["players"])


def _move_preview(
    request: HttpRequest, game: Game, form: MoveForm, *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    where = WhereForm(
        {"league": form["league"].value(), "day": form["day"].value()},
        game=game,
        user=request.user,
    )

    def plan() -> Plan:
        if not where.is_valid():
            raise ValidationError(
                [error for some in where.errors.as_data().values() for error in some]
            )
        league, day = where.where
        return preview_move(game, league=league, day=day, by=request.user)

    hidden = ["league", "day"]
    return _shown(request, game, form, plan, status=status, refusal=refusal, hidden=hidden)


def _shown(
    request: HttpRequest,
    game: Game,
    form: Any,
    make_plan: Callable[[], Plan],
    *,
    status: int,
    refusal: str,
    hidden: Sequence[str],
) -> HttpResponse:
    """What changes, hand by hand, with the form that does it; or why it cannot be."""
    # Without a question: the page that asks what shall change.
    context: dict[str, Any] = {
        "game": game,
        "form": form,
        "refusal": refusal,
        "back": request.path,
    }
    try:
        plan = make_plan()
        changes = changes_of(plan, players=plan.people)
        kept = [(name, _plain(form[name].value())) for name in (*hidden, "key")]
        context |= {"plan": plan, "changes": changes, "kept": kept}
    except ValidationError as error:
        context["impossible"] = error.messages
        status = 422
    return render(request, "games/game_changes.html", context, status=status)


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


# ----- choices ------------------------------------------------------------------------------------


def _swaps(game: Game) -> list[tuple[Any, Any, str]]:
    """Each pair of seats, and the address that shows what swapping them changes."""
    return [
        (one, other, _address(game, {one.player: other.player, other.player: one.player}))
        for one, other in combinations(game.table, 2)
    ]


def _address(game: Game, instead: dict[Player, Player]) -> str:
    players = [instead.get(player, player) for player in game.players]
    return "?players=" + ",".join(str(player.pk) for player in players)


def _default_reason(request: HttpRequest, game: Game) -> str:
    """What it mostly is, so that nobody has to type it."""
    same = set(request.GET["players"].split(",")) == {str(pk) for pk in _ids(game.players)}
    return _("The seats were entered wrongly.") if same else _("Somebody else was sitting there.")


def _ids(players: Sequence[Player]) -> list[int]:
    return [player.pk for player in players]
