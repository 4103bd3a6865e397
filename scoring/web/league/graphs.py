"""The pictures of a league: the season race, how its scores spread, who won from whom."""

from collections.abc import Sequence
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.figures import percent, whole
from scoring.models import League
from scoring.models.hidden_names import names_to_share
from scoring.queries.graphs import course_of_league, score_counts
from scoring.queries.head_to_head import HeadToHeadRow, head_to_head
from scoring.queries.leaders import disputed_in
from scoring.queries.standings import standings

from ..shared.graphs.bars import Bar, bars, in_steps
from ..shared.graphs.graph import Graph, Named
from ..shared.graphs.heat import heat
from ..shared.graphs.running import running
from ..shared.names import short_names
from ..shared.requests import visible_league

# How many players a picture has room for.
RACING, MET = 10, 12


@require_safe
def pictures(request: HttpRequest, slug: str) -> HttpResponse:
    """The season race and the scores of a league."""
    league = visible_league(request, slug)
    racing = race(league)
    graphs = [graph for graph in (racing, scores(league)) if graph]
    context = {
        "league": league,
        "graphs": graphs,
        "race": racing,
        "disputed": disputed_in(league, graphs),
    }
    return render(request, "league/pictures.html", context)


@require_safe
def race_alone(request: HttpRequest, slug: str) -> HttpResponse:
    """The season race as a file to share."""
    league = visible_league(request, slug)
    return _alone(race(league, names_to_share()), league)


@require_safe
def matrix_alone(request: HttpRequest, slug: str) -> HttpResponse:
    """Who won from whom, as a file to share."""
    league = visible_league(request, slug)
    return _alone(matrix(head_to_head(league), names_to_share()), league)


def race(league: League, named: Named = str) -> Graph | None:
    """The points of the first ten of the league table, day by day; None before the first hand."""
    rows = standings(league)
    names = {row.player.pk: named(row.player.name) for row in rows[:RACING]}
    found = running("race", _("Season race, in points"), course_of_league(league, names), names)
    if found is None or len(rows) <= RACING:
        return found
    left_out = _("The first %(number)s of %(players)s players are shown.")
    words = {"number": RACING, "players": whole(len(rows))}
    return replace(found, note=f"{found.note} {left_out % words}".strip())


def scores(league: League) -> Graph | None:
    """How many hands were won with which score; None before the first one."""
    steps = in_steps(score_counts(league))
    if not steps:
        return None
    total = sum(bar.number for bar in steps)
    most = max(steps, key=lambda bar: bar.number)
    words = {"scores": _span(most), "number": whole(most.number), "total": whole(total)}
    return Graph(
        name="scores",
        title=_("Scores of the hands won"),
        described=_("Most often %(scores)s: %(number)s of %(total)s.") % words,
        drawing=bars(steps),
        headings=[_("Final score"), _("Hands"), _("Of all hands")],
        rows=[[_span(bar), whole(bar.number), percent(bar.number / total)] for bar in steps],
    )


def matrix(lines: Sequence[HeadToHeadRow], named: Named = str) -> Graph | None:
    """Who of ``lines`` won from whom: those who played most; None unless two have met."""
    hands = {line.player.pk: sum(one.hands for one in line.against) for line in lines}
    most = sorted(hands, key=lambda pk: -hands[pk])[:MET]
    shown = [line for line in lines if line.player.pk in most]
    if len(shown) < 2:
        return None
    names = [named(line.player.name) for line in shown]
    points_by_row = [{one.player.pk: one.points for one in line.against} for line in shown]
    cells = [[row.get(line.player.pk) for line in shown] for row in points_by_row]
    says = _("Each row says what a player has won from the player of the column.")
    read = _("+ is won, − is lost: the stronger the colour, the more.")
    left_out = _("The %(number)s players with the most hands are shown.") % {"number": MET}
    return Graph(
        name="matrix",
        title=_("Who won from whom"),
        described=says,
        drawing=heat(short_names(names), cells),
        note=f"{read} {left_out}" if len(shown) < len(lines) else read,
    )


def _span(bar: Bar) -> str:
    first, last = whole(bar.first), whole(bar.last)
    return first if first == last else f"{first}–{last}"


def _alone(graph: Graph | None, league: League) -> HttpResponse:
    if graph is None:
        raise Http404
    return graph.alone(league.name)
