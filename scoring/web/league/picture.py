"""The picture of a final table: drawn here, shown without scripts, fonts or files of others."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.models import FinalRow, League, Player, known_club
from scoring.queries.seasons import FinalSeason
from scoring.translation import listed

from ..shared.lettering import fitted, shortened, width
from ..shared.table_lines import table_lines

# Of the picture, in its own units: that of a link preview.
ROOM = 1200 - 2 * 80
LINES = 5
# The heights of the letters of the club and of a line, and between what a line stands.
CLUB_SIZE, LINE_SIZE = 26, 30
NAME_LEFT, RIGHT, GAP = 184, 1040, 24
# The heights of the letters of season, champions and names: as large as fits, within these.
SEASON_SIZES, CHAMPION_SIZES, NAME_SIZES = (26, 44), (30, 76), (26, LINE_SIZE)


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of the table: rank, name in letters of the height ``size``, and figure, at the height ``y``."""

    rank: int
    name: str
    size: int
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
    lines: list[PictureLine]

    @property
    def described(self) -> str:
        """The picture in words."""
        lines = "; ".join(f"{line.rank}. {line.name}, {line.figure}" for line in self.lines)
        return f"{self.title}: {self.champions}. {lines}"


def picture_of(league: League, final: FinalSeason) -> Picture:
    """The champions of ``league`` and the first lines of its ``final`` table."""
    names = [_name(row) for row in final.champions]
    champions = names_in_words(names) if names else _("Nobody has a rank")
    ranked = [line for line in table_lines(final.tables[0]) if line[0]]
    season, season_size = fitted(league.name, ROOM, SEASON_SIZES)
    champions, size = fitted(champions, ROOM, CHAMPION_SIZES)
    return Picture(
        club=shortened(str(known_club()), ROOM / CLUB_SIZE),
        season=season,
        season_size=season_size,
        title=_("Champions") if len(names) > 1 else _("Champion"),
        champions=champions,
        size=size,
        lines=[_line(*line, number) for number, line in enumerate(ranked[:LINES])],
    )


def names_in_words(names: list[str]) -> str:
    """``names`` as one phrase: "Ann, Ben and Cas"."""
    *first, last = names
    if not first:
        return last
    return _("%(names)s and %(last)s") % {"names": listed(first), "last": last}


def _line(rank: int | None, player: Player | None, figure: str, number: int) -> PictureLine:
    assert rank is not None
    room = RIGHT - NAME_LEFT - GAP - width(figure) * LINE_SIZE
    return PictureLine(rank, *fitted(str(player), room, NAME_SIZES), figure, 372 + 46 * number)


def _name(row: FinalRow) -> str:
    assert row.player is not None
    return row.player.name
