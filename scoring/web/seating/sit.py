"""Take a seat at a scanned table, leave it, begin the game."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from scoring.models import Game, League, Player, WaitingSeat
from scoring.models.permissions import PermissionDenied, User
from scoring.models.refusals import CHOOSE_A_LEAGUE
from scoring.queries.seating import may_sit_down, waiting_at
from scoring.services.errors import TooManyAttempts
from scoring.services.people import asks_about_name
from scoring.services.pins import Proof
from scoring.services.seating import (
    SeatRefused,
    leave_seat,
    prove_at_table,
    sit_down,
    start_game,
)
from scoring.typed_numbers import typed_id

from ..shared.elsewhere import answer_about_elsewhere, elsewhere_of
from ..shared.requests import members_post
from ..throttles import throttled, too_often
from .board import Board
from .phone import asker_of, keep_seat
from .scan import at_table, table_page


@sensitive_post_parameters("pin")
@require_http_methods(["GET", "POST"])
@never_cache
@throttled("seats", methods=("POST",))
@at_table
def sit(request: HttpRequest, board: Board) -> HttpResponse:
    """Take the seat ``place`` as ``player``, or as a guest; asks for a PIN where nobody is signed in."""
    fields = request.POST if request.method == "POST" else request.GET
    player = _player(request, fields.get("player", ""))
    place = fields.get("place", "")
    context = {"board": board, "player": player, "place": place}
    if player is not None and not request.user.is_authenticated:
        if board.has_seated(player):
            return redirect("scan", board.code)
        if not request.POST.get("pin"):
            return render(request, "seating/pin.html", context)
    elif request.method == "GET":
        return redirect("scan", board.code)
    return _sit(request, board, player, context)


def _sit(
    request: HttpRequest, board: Board, player: Player | None, context: dict[str, Any]
) -> HttpResponse:
    place, pin = context["place"], request.POST.get("pin", "")
    try:
        seat = sit_down(
            board.table,
            int(place) if place in ("0", "1", "2", "3") else -1,
            by=request.user,
            player=player,
            guest=request.POST.get("guest", ""),
            anyway="anyway" in request.POST,
            proof=_proof(request, board, player, pin),
        )
    except TooManyAttempts as refusal:
        return too_often(request, refusal.seconds, str(refusal))
    except PermissionDenied as refusal:
        return render(request, "seating/pin.html", {**context, "refusal": refusal}, status=422)
    except SeatRefused as refusal:
        messages.warning(request, board.shown(str(refusal)))
        return redirect("scan", board.code)
    except ValidationError as error:
        asks = "anyway" in request.POST or asks_about_name(error)
        return table_page(request, board, status=422, problems=error.message_dict, asks=asks)
    return _seated(request, board, seat)


@require_POST
@throttled("seats")
@at_table
def leave(request: HttpRequest, board: Board) -> HttpResponse:
    """Free the seat that the field ``seat`` names."""
    pk = request.POST.get("seat", "")
    for place in board.places:
        if place.taken is not None and str(place.taken.pk) == pk:
            leave_seat(place.taken, by=request.user, holds=place.taken.pk == board.own_seat)
    return redirect("scan", board.code)


@members_post()
@at_table
def start(request: HttpRequest, board: Board) -> HttpResponse:
    """Begin the game of the four, for the league that was chosen."""
    leagues = {str(league.pk): league for league in board.leagues}
    league = leagues.get(request.POST.get("league", ""))
    players = [seat.player for seat in board.seats if seat.player is not None]
    if league is None:
        return table_page(request, board, status=422, problems={"league": [CHOOSE_A_LEAGUE]})
    try:
        answer = answer_about_elsewhere(request, players)
        return redirect(start_game(board.table, league, by=request.user, **answer))
    except TooManyAttempts as refusal:
        return too_often(request, refusal.seconds, str(refusal))
    except SeatRefused as refusal:
        messages.warning(request, str(refusal))
        return redirect("scan", board.code)
    except ValidationError as error:
        return _not_begun(request, board, league, error)


def _player(request: HttpRequest, pk: str) -> Player | None:
    """The player with that id; None for a guest.

    :raises Http404: unless the page of the table offers this reader the player. Anybody may guess ids.
    """
    if not pk:
        return None
    offered = may_sit_down(with_pin=not request.user.is_authenticated)
    return get_object_or_404(offered, pk=typed_id(pk))


def _proof(request: HttpRequest, board: Board, player: Player | None, pin: str) -> Proof | None:
    if player is None or request.user.is_authenticated:
        return None
    return prove_at_table(player, pin, table=board.table, asker=asker_of(request))


def _seated(request: HttpRequest, board: Board, seat: WaitingSeat) -> HttpResponse:
    """Back to the table, or on to the game if this was the fourth seat."""
    game = _begin(request, board)
    response: HttpResponse = redirect("scan", board.code)
    if game is not None and board.user.is_authenticated:
        response = redirect(game)
    if seat.by_id is None:
        keep_seat(response, seat)
    return response


def _begin(request: HttpRequest, board: Board) -> Game | None:
    """The game of the four who sit now, if nothing has to be asked before it begins."""
    seats = waiting_at(board.table.pk)
    by = _opener(request, seats)
    if len(seats) != 4 or by is None:
        return None
    leagues = list(League.objects.visible_to(by).running()[:2])
    if len(leagues) != 1:
        return None
    try:
        by_code = not request.user.is_authenticated
        return start_game(board.table, leagues[0], by=by, by_code=by_code)
    except (ValidationError, PermissionDenied, SeatRefused):
        # The page of the table says so to whoever can answer.
        return None


def _opener(request: HttpRequest, seats: list[WaitingSeat]) -> User | None:
    """The account on this phone; else one of the four, who may begin the game by sitting there."""
    if request.user.is_authenticated:
        return request.user
    return next((seat.by for seat in seats if seat.by is not None), None)


def _not_begun(
    request: HttpRequest, board: Board, league: League, error: ValidationError
) -> HttpResponse:
    players = [seat.player for seat in board.seats if seat.player is not None]
    elsewhere: dict[str, Any] | None = elsewhere_of(request, players, error)
    problems = {} if elsewhere else {"league": error.messages}
    more = {"elsewhere": elsewhere, "league": league, "problems": problems}
    return table_page(request, board, status=422, **more)
