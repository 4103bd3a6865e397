"""Draw the pictures of link previews, with what visitors may read, whoever asks."""

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.figures import signed, whole
from scoring.models import League, Player
from scoring.models.hidden_names import read_as_visitor
from scoring.models.permissions import VISITOR
from scoring.models.standing_settings import ranked_figure
from scoring.queries.empty_tables import why_empty
from scoring.queries.leaders import disputed_hands
from scoring.queries.players import Statistics, player_profile
from scoring.queries.recaps import recap_of
from scoring.queries.seasons import final_season
from scoring.queries.standings import standings_tables

from ..shared.table_lines import table_lines
from ..throttles import throttled
from .card import SharedCard, card, picture


@require_safe
@throttled("picture")
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """The first lines of the table; of a closed season, of its final table."""
    with read_as_visitor():
        return picture(request, _of_league(_public(slug)))


@require_safe
@throttled("picture")
def evening(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """Who won and lost most on one evening."""
    with read_as_visitor():
        shown = recap_of(_public(slug), day)
        if shown is None:
            raise Http404
        rows = [(one.rank, one.player.name, signed(one.total)) for one in shown.places]
        return picture(request, card(shown.league, date_format(day), rows))


@require_safe
@throttled("picture")
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """What somebody has in the latest public leagues."""
    with read_as_visitor():
        shown = get_object_or_404(Player.objects.visible_to(VISITOR), pk=pk)
        profile = player_profile(shown, VISITOR)
        rows = [
            (one.rank, one.tally.league, ranked_figure(one.standing.value, one.rules))
            for one in profile.leagues
        ]
        return picture(request, card(shown.name, _of_player(profile.statistics), rows))


def _public(slug: str) -> League:
    return get_object_or_404(League.objects.visible_to(VISITOR), slug=slug)


def _of_league(league: League) -> SharedCard:
    if final := final_season(league):
        return card(league, _("Final table"), table_lines(final.tables[0]))
    table = standings_tables(league)[0]
    players = len(table.rows)
    if not players:
        return card(league, why_empty(table, disputed_hands([league]).get(league.pk, 0))[0], ())
    lead = ngettext("%(players)s player", "%(players)s players", players)
    return card(league, lead % {"players": whole(players)}, table_lines(table))


def _of_player(numbers: Statistics) -> str:
    hands = ngettext("%(hands)s hand", "%(hands)s hands", numbers.hands)
    won = _("%(wins)s won")
    return f"{hands % {'hands': whole(numbers.hands)}}, {won % {'wins': whole(numbers.wins)}}"
