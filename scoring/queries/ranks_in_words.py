"""Say a rank, or what stands in its place: the one place that does, for pages and commands."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from scoring.figures import whole
from scoring.models import FinalRow
from scoring.models.standing_choices import units
from scoring.models.standing_settings import TableSettings

from .ranking import TableLine
from .standing_sums import Standing
from .standings import StandingsRow


def in_a_table(rank: int | None, standing: Standing) -> str:
    """The rank in its column, or "4 of 6" there; :func:`legend` says what that means."""
    if rank is not None:
        return str(rank)
    words = {"played": standing.towards_minimum, "needed": standing.needed}
    return _("%(played)s of %(needed)s") % words


def legend(rows: Iterable[StandingsRow | FinalRow | TableLine], rules: TableSettings | None) -> str:
    """What "4 of 6" means in the rank's place, if one of ``rows`` has it there; else empty."""
    waiting = next((row for row in rows if row.rank is None), None)
    if waiting is None:
        return ""
    if isinstance(waiting, FinalRow):
        played, needed = waiting.played, waiting.needed
    else:
        played, needed = waiting.standing.towards_minimum, waiting.standing.needed
    if not needed:
        return ""
    template = _("“%(played)s of %(needed)s”: no rank yet. A rank takes %(needed)s %(units)s.")
    counted = units(rules.needs_of if rules else "games", needed)
    return template % {"played": played, "needed": needed, "units": counted}


def alone(standing: Standing) -> str:
    """Of a player without a rank, outside of a table: "No rank yet: 4 of 6 games"."""
    return _("No rank yet: %(played)s of %(needed)s %(units)s") % {
        "played": whole(standing.towards_minimum),
        "needed": whole(standing.needed),
        "units": units(standing.counted, standing.needed),
    }
