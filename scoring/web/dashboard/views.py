"""The home page: what is going on in the club."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.models.first_run import unfinished_for
from scoring.models.permissions import Permission, can
from scoring.queries.dashboard import dashboard, games_with_late_hands

from ..shared.seats import seats_of


@require_safe
def dashboard_page(request: HttpRequest) -> HttpResponse:
    """Tables in play, latest hands, leagues; one's own table first."""
    now = dashboard(request.user)
    decides = can(request.user, Permission.DECIDE_A_LATE_HAND)
    context = {
        "now": now,
        "has_tables": can(request.user, Permission.MANAGE_TABLE_CODES),
        "late": games_with_late_hands() if decides else [],
        "own": [(table, seats_of(table)) for table in now.own],
        # Who may take the first steps is asked only while there are any.
        "adds_people": bool(now.first_steps) and can(request.user, Permission.MANAGE_PEOPLE),
        "starts_leagues": bool(now.first_steps) and can(request.user, Permission.RUN_LEAGUES),
    }
    if context["adds_people"]:
        context["unfinished"] = unfinished_for(request.user)
    return render(request, "dashboard/dashboard.html", context)
