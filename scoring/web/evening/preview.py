"""The preview of a link to an evening, for messengers."""

from collections.abc import Iterable
from datetime import date

from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format

from scoring.figures import signed
from scoring.models import League, Player
from scoring.queries import ranking

from ..shared.link_preview import LinkPreview, first_lines, link_preview


def evening_preview(
    request: HttpRequest, league: League, day: date, totals: Iterable[tuple[Player, int]]
) -> LinkPreview | None:
    """Who won and lost most (``totals``, the most first), with the picture of the evening."""
    ranked = ranking.rank(list(totals), lambda one: one[1])
    text = first_lines((rank, player, signed(total)) for rank, (player, total) in ranked)
    title = f"{league}, {date_format(day)}"
    picture = reverse("evening_picture", args=[league.slug, day])
    return link_preview(request, title, text, picture)
