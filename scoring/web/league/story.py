"""The story of a league, all of it from the hands that count: hall of fame, awards, head to head."""

from collections.abc import Iterator
from fractions import Fraction

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.figures import percent, signed, whole
from scoring.models import League
from scoring.queries.awards import HeldAward, awards_of
from scoring.queries.hall_of_fame import best_hands, limit_hands
from scoring.queries.head_to_head import HeadToHeadRow, head_to_head
from scoring.queries.leaders import disputed_in
from scoring.queries.story import WAYS, league_story
from scoring.story.awards import LEAST_HANDS

from ..shared.names import short_names
from ..shared.requests import is_own, visible_league
from . import graphs

A_PAGE = 20


@require_safe
def club_hall(request: HttpRequest) -> HttpResponse:
    """The hall of fame of all leagues that the reader may see."""
    return _hall(request, None)


@require_safe
def league_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """The hall of fame of one league."""
    return _hall(request, visible_league(request, slug))


def _hall(request: HttpRequest, league: League | None) -> HttpResponse:
    hands = limit_hands(request.user, league)
    page = Paginator(hands, A_PAGE).get_page(request.GET.get("page"))
    best = best_hands(request.user, league)
    disputed = disputed_in(league, best) if league else 0
    context = {"league": league, "page": page, "best": best, "disputed": disputed}
    return render(request, "league/hall.html", context)


@require_safe
def awards(request: HttpRequest, slug: str) -> HttpResponse:
    """The records and awards of one league, and who holds them."""
    league = visible_league(request, slug)
    held = [(one, _figure(one)) for one in awards_of(league)]
    disputed = disputed_in(league, held)
    context = {"league": league, "held": held, "least": LEAST_HANDS, "disputed": disputed}
    return render(request, "league/awards.html", context)


def _figure(held: HeldAward) -> str:
    """The figure of an award, with what it counts."""
    value = held.value
    if held.award.unit == "share":
        return percent(float(value))
    assert not isinstance(value, Fraction)
    words = {
        "hands": ngettext("%(count)s hand", "%(count)s hands", value),
        "points": ngettext("%(count)s point", "%(count)s points", value),
        "doubles": ngettext("%(count)s double", "%(count)s doubles", value),
    }
    return words[held.award.unit] % {"count": whole(value)}


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """What is played and won in one league: records, winds, patterns, who discards to whom."""
    league = visible_league(request, slug)
    story = league_story(league, request.user)
    records = [(one, _figure(one)) for one in story.records]
    context = {
        "league": league,
        "story": story,
        "records": records,
        "ways": WAYS.values(),
        "disputed": disputed_in(league, story.seats),
    }
    return render(request, "league/statistics.html", context)


@require_safe
def matrix(request: HttpRequest, slug: str) -> HttpResponse:
    """Who got how much from whom: a row for each player, one of which is opened on a phone."""
    league = visible_league(request, slug)
    lines = head_to_head(league)
    opened = _opened(request, lines)
    short = short_names([line.player.name for line in lines])
    context = {
        "league": league,
        "lines": [(line, list(_cells(line, lines))) for line in lines],
        "headings": list(zip(lines, short, strict=True)),
        "opened": opened,
        "graph": graphs.matrix(lines),
        "disputed": disputed_in(league, lines),
    }
    return render(request, "league/head_to_head.html", context)


def _opened(request: HttpRequest, lines: list[HeadToHeadRow]) -> HeadToHeadRow | None:
    """The line that was asked for, or the reader's own, or the first one."""
    asked = request.GET.get("player", "")
    chosen = next((line for line in lines if str(line.player.pk) == asked), None)
    own = next((line for line in lines if is_own(line.player, request)), None)
    return chosen or own or next(iter(lines), None)


def _cells(line: HeadToHeadRow, lines: list[HeadToHeadRow]) -> Iterator[tuple[str, str]]:
    """What stands in a row, and what it is: won, lost or nothing; empty where two never met."""
    points_against = {one.player.pk: one.points for one in line.against}
    for other in lines:
        points = points_against.get(other.player.pk)
        side = "" if not points else "amount--plus" if points > 0 else "amount--minus"
        yield signed(points) if points is not None else "", side
