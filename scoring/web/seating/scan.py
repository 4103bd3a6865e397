"""The page that a scanned code opens: who sits at the table, and who wants to."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from scoring.models.permissions import Reader, current_reader, full_names
from scoring.queries.seating import expected_players
from scoring.services.errors import TooManyAttempts
from scoring.services.table_codes import UnknownCode

from ..throttles import too_often
from .board import Board, board_of

# More names than this are searched for, not scrolled through.
NAMES = 24
# With this status htmx shows the answer, and asks no more.
STOP_POLLING = 286

View = Callable[[HttpRequest, Board], HttpResponse]


def at_table(view: View) -> Callable[..., HttpResponse]:
    """``view`` of the table that a code lies on. A wrong one gets 404, too many of them 429.

    A page that was open when its card was renewed asks in the background, and is told to stop.
    """

    @wraps(view)
    def view_of_table(request: HttpRequest, code: str) -> HttpResponse:
        reader = current_reader()
        # Whoever holds the code sits in the room, and has to find their own name.
        with full_names():
            return answer(request, code, reader)

    def answer(request: HttpRequest, code: str, reader: Reader | None) -> HttpResponse:
        try:
            board = board_of(request, code, reader)
        except TooManyAttempts as refusal:
            return too_often(request, refusal.seconds, str(refusal))
        except UnknownCode:
            if "HX-Request" in request.headers:
                return render(request, "seating/_no_longer_valid.html", status=STOP_POLLING)
            return render(request, "seating/unknown.html", status=404)
        return view(request, board)

    return view_of_table


@require_safe
@never_cache
@at_table
def scan(request: HttpRequest, board: Board) -> HttpResponse:
    """The four seats. Who sat down here is led to the game once it is in play."""
    if game := board.leads_to:
        return redirect(game)
    return table_page(request, board)


def table_page(request: HttpRequest, board: Board, status: int = 200, **more: Any) -> HttpResponse:
    """The page of ``board``, with what is wrong in ``more``."""
    search = request.GET.get("q", "").strip()[:80]
    here = [seat.player_id for seat in board.seats if seat.player_id is not None]
    if board.player is not None:
        here.append(board.player.pk)
    signed_in = request.user.is_authenticated
    names = expected_players(NAMES + 1, but=here, search=search, with_pin=not signed_in)
    context = {
        "board": board,
        "search": search,
        "names": names[:NAMES],
        "more_names": len(names) > NAMES,
        "chosen": _chosen_place(request, board),
        **more,
    }
    return render(request, "seating/table.html", context, status=status)


def _chosen_place(request: HttpRequest, board: Board) -> int | None:
    """The seat that was chosen, or else the first that is free."""
    free = [place.place for place in board.free]
    asked = request.POST.get("place", request.GET.get("place", ""))
    return next((place for place in free if str(place) == asked), free[0] if free else None)


@require_safe
@cache_control(private=True, no_cache=True)
@at_table
def live(request: HttpRequest, board: Board) -> HttpResponse:
    """The seats alone, as they are now: 304 while nothing has changed."""
    etag = f'"{board.version}"'
    response: HttpResponse
    if game := board.leads_to:
        response = HttpResponse()
        response.headers["HX-Redirect"] = game.get_absolute_url()
    elif request.headers.get("If-None-Match") == etag:
        response = HttpResponseNotModified()
    else:
        response = render(request, "seating/_board.html", {"board": board})
    response.headers["ETag"] = etag
    return response
