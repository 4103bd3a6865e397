"""The same four again, after a game."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from scoring.models.permissions import Permission, check_permission
from scoring.services.errors import Conflict, TooManyAttempts
from scoring.services.idempotency import StoredResponse
from scoring.services.seating import SeatRefused, play_again, seats_again

from ..idempotent_form import idempotent_post, say_done_before
from ..shared.elsewhere import answer_about_elsewhere, elsewhere_of
from ..shared.requests import members_post, visible_game
from ..throttles import too_often


@require_http_methods(["GET", "POST"])
def again(request: HttpRequest, pk: int) -> HttpResponse:
    """Who would sit where, in the same seats or each one seat on; one tap begins the game."""
    return _form(request, pk) if request.method == "POST" else _page(request, pk)


def _again(request: HttpRequest, pk: int) -> HttpResponse:
    over = visible_game(request, pk)
    check_permission(request.user, Permission.OPEN_A_GAME)
    if not over.finished:
        return redirect(over)
    context = {
        "game": over,
        "same": seats_again(over, one_seat_on=False),
        "one_on": seats_again(over, one_seat_on=True),
        "order": request.POST.get("order", "same"),
    }
    if request.method != "POST":
        return render(request, "seating/again.html", context)
    try:
        answer = answer_about_elsewhere(request, over.players)
        one_on = context["order"] == "one_on"

        def act() -> StoredResponse:
            begun = play_again(over, by=request.user, one_seat_on=one_on, **answer)
            return StoredResponse(201, {"game": begun.pk})

        begun = idempotent_post(request, act)
        if begun.replayed:
            say_done_before(request)
        return redirect("game", begun.body["game"])
    except TooManyAttempts as refusal:
        return too_often(request, refusal.seconds, str(refusal))
    except (Conflict, SeatRefused) as refusal:
        messages.warning(request, str(refusal))
        return redirect(over)
    except ValidationError as error:
        elsewhere = elsewhere_of(request, over.players, error)
        context |= {"elsewhere": elsewhere, "problems": [] if elsewhere else error.messages}
        return render(request, "seating/again.html", context, status=422)


_page, _form = login_required(_again), members_post("")(_again)
