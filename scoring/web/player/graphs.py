"""The pictures of a player: points and rating in one league."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.figures import whole
from scoring.models import League, Player
from scoring.models.hidden_names import names_to_share
from scoring.queries.graphs import course_of_league
from scoring.queries.players import leagues_with_hands
from scoring.queries.ratings import rating_points

from ..shared.graphs.band import BandPoint, band
from ..shared.graphs.drawing import thinned
from ..shared.graphs.graph import Graph, Named, short_day
from ..shared.graphs.lines import MOST_PLACES
from ..shared.graphs.running import running
from ..shared.requests import chosen_league


@require_safe
def points_alone(request: HttpRequest, pk: int) -> HttpResponse:
    """The points of a player in the newest league, or the one of ``?league=``, as a file to share."""
    player = get_object_or_404(Player.objects.visible_to(request.user), pk=pk)
    league = chosen_league(leagues_with_hands(player, request.user), request)
    named = names_to_share()
    graph = points(player, league, named) if league else None
    if league is None or graph is None:
        raise Http404
    return graph.alone(named(player.name), league.name)


def points(player: Player, league: League, named: Named = str) -> Graph | None:
    """What ``player`` has won and lost in ``league``, day by day; None before the first hand."""
    course = course_of_league(league, [player.pk])
    return running("points", _("Points, day by day"), course, {player.pk: named(player.name)})


def rating(player: Player, league: League) -> Graph | None:
    """The rating of ``player`` in ``league`` with its band, evening by evening; None before the first game ends."""
    points = rating_points(player, league)
    if not points:
        return None
    places = [points[at] for at in thinned(len(points), MOST_PLACES)]
    last = points[-1]
    words = {"rating": whole(last.rating), "low": whole(last.low), "high": whole(last.high)}
    return Graph(
        name="rating",
        title=_("Rating and its band"),
        described=_("%(rating)s now, most probably between %(low)s and %(high)s.") % words,
        drawing=band(
            [BandPoint(one.rating, one.low, one.high) for one in places],
            [short_day(one.day) for one in places],
        ),
        headings=[_("Day"), _("Rating"), _("At least"), _("At most")],
        rows=[
            [short_day(one.day), whole(one.rating), whole(one.low), whole(one.high)]
            for one in places
        ],
    )
