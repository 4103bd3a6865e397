"""The table of a public league, bare, for a frame on the club's own web site."""

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from scoring.models import League, known_club
from scoring.models.hidden_names import read_as_visitor
from scoring.models.permissions import VISITOR
from scoring.queries.empty_tables import why_empty
from scoring.queries.leaders import disputed_hands
from scoring.queries.ranks_in_words import in_a_table, legend
from scoring.queries.standings import standings_tables

from ..shared.table_lines import table_lines


@require_safe
@xframe_options_exempt
def table(request: HttpRequest, slug: str) -> HttpResponseBase:
    """As visitors see it, whoever asks; 404 while the club lets no other site show its tables."""
    club = known_club()
    shown = get_object_or_404(League.objects.visible_to(VISITOR), slug=slug)
    if not club.embed_sites:
        raise Http404
    with read_as_visitor():
        first = standings_tables(shown)[0]
        lines = [
            (in_a_table(row.rank, row.standing), player, figure)
            for row, (_rank, player, figure) in zip(first.rows, table_lines(first), strict=True)
        ]
        disputed = 0 if lines else disputed_hands([shown]).get(shown.pk, 0)
        context = {
            "club": club,
            "league": shown,
            "lines": lines,
            "without_rank": legend(first.rows, first.rules),
            "why_empty": why_empty(first, disputed),
            "heading": first.rules.heading if first.rules else _("Points"),
            "name": first.name,
        }
        # Without the request: nothing of a session is asked for, and no cookie is set.
        page = render_to_string("sharing/embed.html", context)
    only_there = csp_replace({"frame-ancestors": club.embed_sites.split()})
    return only_there(lambda _request: HttpResponse(page))(request)
