"""The story of a league, all of it from the hands that count: its hall of fame."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from scoring.models import League
from scoring.queries.hall_of_fame import best_hands, limit_hands

A_PAGE = 20


@require_safe
def club_hall(request: HttpRequest) -> HttpResponse:
    """The hall of fame of all leagues that the reader may see."""
    return _hall(request, None)


@require_safe
def league_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """The hall of fame of one league."""
    return _hall(request, _league(request, slug))


def _hall(request: HttpRequest, league: League | None) -> HttpResponse:
    hands = limit_hands(request.user, league)
    page = Paginator(hands, A_PAGE).get_page(request.GET.get("page"))
    context = {"league": league, "page": page, "best": best_hands(request.user, league)}
    return render(request, "league/hall.html", context)


def _league(request: HttpRequest, slug: str) -> League:
    return get_object_or_404(League.objects.visible_to(request.user), slug=slug)
