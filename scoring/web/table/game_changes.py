"""A game that was opened, or ended, by mistake: opened again, changed, withdrawn, restored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from scoring.models import EveningPayment, Game, Player
from scoring.models.permissions import Permission, User, check_permission
from scoring.models.problems import has_code
from scoring.models.proposed_reasons import (
    SEATS_ENTERED_WRONGLY,
    SOMEBODY_ELSE_SAT_THERE,
    to_store,
)
from scoring.services.errors import Conflict
from scoring.services.games import reopen_game, require_reopenable
from scoring.services.idempotency import StoredResponse
from scoring.services.seats import SeatPlan, change_seats, move_game, preview_move, preview_seats
from scoring.services.withdrawals import (
    require_restorable,
    require_withdrawable,
    restore_game,
    withdraw_game,
)

from ..account.drafts import CARRIED_OUT, form_done, member_or_form_later, typed_before
from ..idempotent_form import carry_out, say_done_before
from ..shared.changes import changes_of
from ..shared.reason_form import ReasonForm
from ..shared.requests import visible_game
from ..shared.seats import seats_anyway
from .seat_forms import MoveForm, SeatsForm, WhereForm, seated


@dataclass(frozen=True, slots=True)
class GameChange:
    """What is done to a game for a reason: the words of its page, and the call behind it.

    :ivar require: refuses what cannot be, before the reason is asked for.
    :ivar seats: whether players may sit at another open table by now, so that ``act`` takes ``anyway``.
    :ivar owed: whether it changes what is owed after the evening.
    """

    require: Callable[[Game, User], object]
    act: Callable[..., Game]
    title: str | Promise
    lead: str | Promise
    button: str | Promise
    done: str | Promise
    danger: bool = False
    seats: bool = True
    owed: bool = True


REOPEN = GameChange(
    require_reopenable,
    reopen_game,
    title=gettext_lazy("Open the game again?"),
    lead=gettext_lazy("It goes on where it was ended. Its rating is worked out anew when it ends."),
    button=gettext_lazy("Open the game again"),
    done=gettext_lazy("The game is open again."),
    owed=False,
)
WITHDRAW = GameChange(
    require_withdrawable,
    withdraw_game,
    title=gettext_lazy("Withdraw the game?"),
    lead=gettext_lazy(
        "Nothing in it counts any more. It stays to be read, and can be restored: a phone may still hold "
        "hands of it."
    ),
    button=gettext_lazy("Withdraw the game"),
    done=gettext_lazy("The game is withdrawn."),
    danger=True,
    seats=False,
)
RESTORE = GameChange(
    require_restorable,
    restore_game,
    title=gettext_lazy("Restore the game?"),
    lead=gettext_lazy("All its hands count again, as before it was withdrawn."),
    button=gettext_lazy("Restore the game"),
    done=gettext_lazy("The game counts again."),
)


@member_or_form_later
@require_http_methods(["GET", "POST"])
def for_a_reason(request: HttpRequest, pk: int, change: GameChange) -> HttpResponse:
    """Asks why ``change`` shall be made, and makes it."""
    game = visible_game(request, pk)
    form = ReasonForm(request.POST or None, initial=typed_before(request))
    try:
        if form.is_bound and form.is_valid():
            carry_out(request, form, lambda: _done(request, game, form, change), str(change.done))
            return redirect("game", game.pk)
        change.require(game, request.user)
    except Conflict as refusal:
        messages.info(request, str(refusal))
        return redirect("game", game.pk)
    except ValidationError as error:
        form.refuse(error)
    context = {"game": game, "form": form, "words": change}
    context["paid"] = _marked_as_paid(game) if change.owed else 0
    status = 422 if form.is_bound else 200
    return render(request, "table/reason.html", context, status=status)


def _marked_as_paid(game: Game) -> int:
    """How many payments after the evening of ``game`` are marked."""
    paid = EveningPayment.objects.in_force().filter(league=game.league_id, day=game.evening)
    return paid.count()


def _done(request: HttpRequest, game: Game, form: ReasonForm, change: GameChange) -> StoredResponse:
    more = {"anyway": seats_anyway(request)} if change.seats else {}
    change.act(game, by=request.user, reason=form.cleaned_data["reason"], **more)
    return StoredResponse(200, {"game": game.pk})


@member_or_form_later
@require_http_methods(["GET", "POST"])
def seats(request: HttpRequest, pk: int) -> HttpResponse:
    """What was wrong about the seats; what changing it changes; then it is changed."""
    game = visible_game(request, pk)
    if request.method == "POST":
        form = SeatsForm(request.POST, user=request.user)
        return _apply(request, game, form, _reseat, _seats_preview)
    check_permission(request.user, Permission.CHANGE_A_GAME, game)
    if "players" in request.GET:
        initial = {"reason": _default_reason(request, game), **typed_before(request)}
        initial["players"] = request.GET["players"]
        return _seats_preview(request, game, SeatsForm(initial=initial, user=request.user))
    others = Player.objects.visible_to(request.user).active().exclude(pk__in=_ids(game.players))
    leaver = next((one for one in game.players if str(one.pk) == request.GET.get("replace")), None)
    context = {
        "game": game,
        "leaver": leaver,
        "swaps": _swaps(game),
        "others": [(one, _address(game, {leaver: one})) for one in others] if leaver else [],
    }
    return render(request, "table/seats.html", context)


@member_or_form_later
@require_http_methods(["GET", "POST"])
def move(request: HttpRequest, pk: int) -> HttpResponse:
    """Where the game should count; what moving it changes; then it is moved."""
    game = visible_game(request, pk)
    if request.method == "POST":
        form = MoveForm(request.POST, game=game, user=request.user)
        return _apply(request, game, form, _move, _move_preview)
    check_permission(request.user, Permission.CHANGE_A_GAME, game)
    where = WhereForm(request.GET or None, game=game, user=request.user)
    if where.is_bound and where.is_valid():
        league, day = where.where
        initial = {**typed_before(request), "league": league.pk, "day": day}
        form = MoveForm(initial=initial, game=game, user=request.user)
        return _move_preview(request, game, form)
    status = 422 if where.errors else 200
    return render(request, "table/move.html", {"game": game, "form": where}, status=status)


# ----- a preview, and what was seen in it ---------------------------------------------------------

Preview = Callable[..., HttpResponse]


def _apply(
    request: HttpRequest,
    game: Game,
    form: Any,
    act: Callable[[HttpRequest, Game, Any], SeatPlan],
    preview: Preview,
) -> HttpResponse:
    """Carry out what was seen; show it again where it is another by now, or was refused."""
    if not form.is_valid():
        check_permission(request.user, Permission.CHANGE_A_GAME, game)
        return preview(request, game, form, status=422)
    try:
        done = _("The game is changed.")
        carry_out(request, form, lambda: _changed(act(request, game, form)), done)
    except Conflict as refusal:
        return preview(request, game, form, status=409, refusal=str(refusal))
    except ValidationError as error:
        form.refuse(error)
        return preview(request, game, form, status=422)
    return redirect("game", game.pk)


def _changed(plan: SeatPlan) -> StoredResponse:
    return StoredResponse(200, {"game": plan.game.pk})


def _reseat(request: HttpRequest, game: Game, form: SeatsForm) -> SeatPlan:
    data = form.cleaned_data
    return change_seats(
        game,
        data["players"],
        by=request.user,
        reason=to_store(data["reason"]),
        expected_etag=data["seen"],
        anyway=seats_anyway(request),
    )


def _move(request: HttpRequest, game: Game, form: MoveForm) -> SeatPlan:
    data, (league, day) = form.cleaned_data, form.where
    return move_game(
        game,
        league=league,
        day=day,
        by=request.user,
        reason=data["reason"],
        expected_etag=data["seen"],
    )


def _seats_preview(
    request: HttpRequest, game: Game, form: SeatsForm, *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    def plan() -> SeatPlan:
        visible = Player.objects.visible_to(request.user)
        typed = str(form["players"].value() or "")[:100]
        return preview_seats(game, seated(typed, visible), by=request.user)

    return _shown(request, game, form, plan, status=status, refusal=refusal, hidden=["players"])


def _move_preview(
    request: HttpRequest, game: Game, form: MoveForm, *, status: int = 200, refusal: str = ""
) -> HttpResponse:
    where = WhereForm(
        {"league": form["league"].value(), "day": form["day"].value()},
        game=game,
        user=request.user,
    )

    def plan() -> SeatPlan:
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
    make_plan: Callable[[], SeatPlan],
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
    context["paid"] = _marked_as_paid(game)
    try:
        plan = make_plan()
        changes = changes_of(plan)
        kept = [(name, _plain(form[name].value())) for name in (*hidden, "key")]
        context |= {"plan": plan, "changes": changes, "kept": kept}
    except ValidationError as error:
        carried_out = form.initial.get("typed_before") == CARRIED_OUT
        if carried_out and has_code(error, "nothing_changed"):
            form_done(request)
            say_done_before(request)
            return redirect("game", game.pk)
        context["impossible"] = error.messages
        status = 422
    return render(request, "table/game_changes.html", context, status=status)


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
    return _(SEATS_ENTERED_WRONGLY if same else SOMEBODY_ELSE_SAT_THERE)


def _ids(players: Sequence[Player]) -> list[int]:
    return [player.pk for player in players]
