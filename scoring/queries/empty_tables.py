"""Say why a table of a league is empty: the one place that does, for every page that would show it."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.figures import whole

from .ranking import LeagueTable
from .standings import StandingsTable


def why_empty(
    table: LeagueTable | StandingsTable, disputed: int = 0, day: date | None = None
) -> list[str]:
    """Sentences that say why nobody is listed in ``table``, or why nobody in it has a rank.

    The first one can stand alone.

    :param disputed: how many hands of the league wait for the end of a dispute.
    :param day: of a table as it stood at the end of that day.
    """
    # Who is listed without a rank, is not listed, or has a hand that waits: then hands were played.
    found = []
    if table.listed:
        found.append(_("Nobody has played enough for a rank yet."))
    if table.inactive and table.rules:
        found.append(not_listed(table.inactive, table.rules.inactive_weeks or 0))
    if disputed:
        found.append(_disputed_besides(disputed) if found else disputed_alone(disputed))
    return found or _nothing_played(day)


def not_listed(players: int, weeks: int) -> str:
    """How many players a table leaves out, because they have not played for so many weeks."""
    template = ngettext(
        "%(count)s player is not listed: no game in the last %(weeks)s weeks.",
        "%(count)s players are not listed: no game in the last %(weeks)s weeks.",
        players,
    )
    return template % {"count": whole(players), "weeks": weeks}


def disputed_alone(hands: int) -> str:
    """That no hand counts, because all ``hands`` that were played are disputed."""
    template = ngettext(
        "One hand has been played. It is disputed, and counts when that is settled.",
        "%(n)s hands have been played. They are disputed, and count when that is settled.",
        hands,
    )
    return template % {"n": hands}


def _disputed_besides(hands: int) -> str:
    template = ngettext(
        "One hand is disputed: its points count when that is settled.",
        "%(n)s hands are disputed: their points count when that is settled.",
        hands,
    )
    return template % {"n": hands}


def _nothing_played(day: date | None) -> list[str]:
    if day is not None:
        template = _("By the end of %(day)s no hand had been played in this league.")
        return [template % {"day": date_format(day)}]
    return [_("No hand has been played yet."), _("Players appear here after their first hand.")]
