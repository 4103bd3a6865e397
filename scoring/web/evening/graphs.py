"""The pictures of an evening: how the points of each table went, hand by hand."""

from collections.abc import Iterator
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.models import League
from scoring.models.hidden_names import names_to_share
from scoring.queries.graphs import courses_of_evening

from ..shared.graphs.drawing import Drawing
from ..shared.graphs.graph import Graph, Named
from ..shared.graphs.running import most_first, running
from ..shared.requests import visible_league


@require_safe
def pictures(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """A picture of each table of an evening."""
    league = visible_league(request, slug)
    graphs = list(_graphs(league, day, str))
    if not graphs:
        raise Http404
    context = {"league": league, "day": day, "graphs": graphs}
    return render(request, "evening/pictures.html", context)


@require_safe
def evening_alone(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """The tables of an evening below each other, as a file to share."""
    league = visible_league(request, slug)
    graphs = list(_graphs(league, day, names_to_share()))
    if not graphs:
        raise Http404
    drawing = Drawing(0)
    for graph in graphs:
        drawing.below(graph.title, graph.drawing)
    described = ". ".join(f"{graph.title}: {graph.described}" for graph in graphs)
    together = Graph("evening", _("The evening as it went"), described, drawing)
    return together.alone(league.name, date_format(day))


def _graphs(league: League, day: date, named: Named) -> Iterator[Graph]:
    for one in courses_of_evening(league, day):
        began = date_format(timezone.localtime(one.started_at), "TIME_FORMAT")
        title = _("The table of %(time)s") % {"time": began}
        names = {pk: named(one.names[pk]) for pk in most_first(one.course)}
        if graph := running(f"table-{one.game}", title, one.course, names):
            yield graph
