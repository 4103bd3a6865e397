"""The picture of a final table: drawn here, shown without scripts, fonts or files of others."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.figures import exact
from scoring.models import FinalRow, League, known_club
from scoring.queries.seasons import FinalSeason

from ..shared.lettering import shortened, width

# Of the picture, in its own units: that of a link preview.
WIDTH, MARGIN = 1200, 80
LINES = 5
# The height of the letters of a line, and how wide a name may be in it.
LINE_SIZE, NAME_WIDTH = 30, 600


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: rank, name and figure, at the height ``y``."""

    rank: int
    name: str
    figure: str
    y: int


@dataclass(frozen=True, slots=True)
class Picture:
    """What is written where: ``size`` is the height of the letters of the champions."""

    club: str
    season: str
    season_size: int
    title: str
    champions: str
    size: int
    lines: list[Line]

    @property
    def described(self) -> str:
        """The picture in words."""
        lines = "; ".join(f"{line.rank}. {line.name}, {line.figure}" for line in self.lines)
        return f"{self.title}: {self.champions}. {lines}"


def picture_of(league: League, final: FinalSeason) -> Picture:
    """The champions of ``league`` and the first lines of its ``final`` table."""
    names = [_name(row) for row in final.champions]
    champions = names_in_words(names) if names else _("Nobody has a rank")
    ranked = [row for row in final.tables[0].rows if row.rank]
    return Picture(
        club=str(known_club()),
        season=league.name,
        season_size=_size(league.name, 44),
        title=_("Champions") if len(names) > 1 else _("Champion"),
        champions=champions,
        size=_size(champions, 76),
        lines=[_line(row, number) for number, row in enumerate(ranked[:LINES])],
    )


def names_in_words(names: list[str]) -> str:
    """``names`` as one phrase: "Ann, Ben and Cas"."""
    *first, last = names
    if not first:
        return last
    return _("%(names)s and %(last)s") % {"names": ", ".join(first), "last": last}


def _line(row: FinalRow, number: int) -> Line:
    assert row.rank is not None
    name = shortened(_name(row), NAME_WIDTH / LINE_SIZE)
    return Line(row.rank, name, exact(row.figure), 372 + 46 * number)


def _name(row: FinalRow) -> str:
    assert row.player is not None
    return row.player.name


def _size(text: str, largest: int) -> int:
    """The height of letters with which ``text`` is as wide as the picture at most."""
    return min(largest, int((WIDTH - 2 * MARGIN) / max(width(text), 1)))
