"""What is going on."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.league.home import club_now
from scoring.league.late import games_with_late_hands
from scoring.play.permissions import Call, may

from ..seats import seats_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Tables in play, latest hands, leagues; one's own table first."""
    now = club_now(request.user)
    decides = may(request.user, Call.DECIDE_A_LATE_HAND)
    context = {
        "now": now,
        "late": games_with_late_hands() if decides else [],
        "own": [(table, seats_of(table)) for table in now.own],
        # Who may take the first steps is asked only while there are any.
        "organises": bool(now.first_steps) and may(request.user, Call.ADD_A_PLAYER),
    }
    return render(request, "home/home.html", context)
