"""The seasons of a league, their final tables, and who has won them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.models import FinalRow, League, Player, SeasonClosure
from scoring.models.letters import plain_letters
from scoring.models.permissions import User
from scoring.models.standing_rules import names_of_people
from scoring.models.standing_settings import TableSettings

from .ranking import Ranked, rank
from .standings import StandingsTable, standings_tables


def final_rows(league: League) -> list[FinalRow]:
    """The lines of the final tables that ``league`` would have now; nothing is saved."""
    rows: list[FinalRow] = []
    for number, table in enumerate(standings_tables(league)):
        lines = [*_of_players(table), *_of_teams(table)]
        for position, row in enumerate(lines, start=1):
            row.table, row.position = number, position
        rows += lines
    return rows


def _of_players(table: StandingsTable) -> list[FinalRow]:
    return [
        FinalRow(
            rank=row.rank,
            player=row.player,
            value=str(row.standing.value),
            points=row.points,
            hands=row.hands,
            wins=row.wins,
            games=row.games,
            best_hand=row.best_hand,
            rating=row.band.rating,
            rating_deviation=row.band.deviation,
            played=row.standing.towards_minimum,
            needed=row.standing.needed,
        )
        for row in table.rows
    ]


def _of_teams(table: StandingsTable) -> list[FinalRow]:
    return [FinalRow(rank=team.rank, team=team.name, value=str(team.value)) for team in table.teams]


@dataclass(frozen=True, slots=True)
class FinalTable:
    """One table of a closed season, as it was stored.

    :ivar rules: None for the sum of the points.
    :ivar rows: of the players; :ivar teams: of the teams, the first one first.
    :ivar names: of the players whom the rules name, by id.
    """

    rules: TableSettings | None
    rows: list[FinalRow]
    teams: list[FinalRow]
    names: Mapping[int, str]

    @property
    def name(self) -> str:
        """What the league calls it; empty without standing rules."""
        return self.rules.name if self.rules else ""

    @property
    def champions(self) -> list[FinalRow]:
        """Who has the first rank; several share it."""
        return [row for row in self.rows if row.rank == 1]

    @property
    def team_champions(self) -> list[str]:
        """The teams that have the first rank, with their members."""
        return [team for row, team in self.team_lines if row.rank == 1]

    @property
    def team_lines(self) -> list[tuple[FinalRow, str]]:
        """Each line of :attr:`teams`, and the team with its members."""
        named = (
            {team.name: team.words(self.names) for team in self.rules.teams} if self.rules else {}
        )
        return [(row, named.get(row.team, row.team)) for row in self.teams]

    @property
    def shows_points(self) -> bool:
        """Whether the sum of the points is another figure than the one that is ranked."""
        return self.rules is not None and not self.rules.only_points


@dataclass(frozen=True, slots=True)
class FinalSeason:
    """A closed season, and its ``tables`` as they were when it was closed, the first one first."""

    closure: SeasonClosure
    tables: list[FinalTable]

    @property
    def champions(self) -> list[FinalRow]:
        """Who won the first table; several share the first rank."""
        return self.tables[0].champions


def final_season(league: League) -> FinalSeason | None:
    """The final tables of ``league`` as they are stored; None while its season is not closed.

    Two queries, however many lines there are, and one more where rules name players.
    """
    closures = SeasonClosure.objects.in_force().filter(league=league)
    closure = closures.select_related("league", "standing_rules").first()
    if closure is None:
        return None
    rules = closure.standing_rules.rules if closure.standing_rules else ()
    rows: defaultdict[int, list[FinalRow]] = defaultdict(list)
    for row in closure.rows.select_related("player").order_by("table", "position"):
        rows[row.table].append(row)
    names = names_of_people(rules)
    tables = [
        FinalTable(one, [row for row in rows[number] if row.player_id], _teams(rows[number]), names)
        for number, one in enumerate(rules or (None,))
    ]
    return FinalSeason(closure, tables)


def _teams(rows: Iterable[FinalRow]) -> list[FinalRow]:
    return [row for row in rows if row.team]


@dataclass(frozen=True, slots=True)
class SeriesSeason:
    """One season of a series, with the ``champions`` of its first table once it is closed.

    :ivar reopened: how often it was closed and opened again, and why; for members alone.
    """

    league: League
    champions: list[Player]
    teams: list[str]
    reopened: list[SeasonClosure]


@dataclass(frozen=True, slots=True)
class Champion:
    """A player, and the seasons that they won, alone or with others, the newest first."""

    player: Player
    seasons: list[League]


@dataclass(frozen=True, slots=True)
class Seasons:
    """``seasons``, the newest first, and the ``champions`` of all of them, ranked."""

    seasons: list[SeriesSeason]
    champions: list[Ranked[Champion]]


def seasons_of(league: League | None, user: User) -> Seasons:
    """The seasons of the series of ``league`` that ``user`` may see; of all leagues for None.

    Two queries, however many there are, and one more for members.
    """
    asked = League.objects.seasons_of(league) if league else League.objects.all()
    leagues = list(asked.visible_to(user))
    first = FinalRow.objects.filter(table=0, rank=1, closure__league__in=leagues)
    rows: defaultdict[int, list[FinalRow]] = defaultdict(list)
    for row in first.select_related("player", "closure").order_by("closure", "position"):
        rows[row.closure.league_id].append(row)
    reopened = reopened_in(leagues, user)
    seasons = [
        SeriesSeason(
            one,
            [row.player for row in rows[one.pk] if row.player],
            [row.team for row in _teams(rows[one.pk])],
            reopened[one.pk],
        )
        for one in leagues
    ]
    return Seasons(seasons, _champions(seasons))


def reopened_in(leagues: Iterable[League], user: User) -> Mapping[int, list[SeasonClosure]]:
    """When and why seasons of ``leagues`` were opened again, by league: nothing for visitors."""
    reopened: defaultdict[int, list[SeasonClosure]] = defaultdict(list)
    if user.is_authenticated:
        closures = SeasonClosure.objects.filter(league__in=leagues).exclude(reopened_at=None)
        for closure in closures.select_related("reopened_by__player").order_by("pk"):
            reopened[closure.league_id].append(closure)
    return reopened


def _champions(seasons: Iterable[SeriesSeason]) -> list[Ranked[Champion]]:
    """Who has won most seasons comes first."""
    won: dict[Player, list[League]] = {}
    for season in seasons:
        for player in season.champions:
            won.setdefault(player, []).append(season.league)
    champions = [Champion(player, leagues) for player, leagues in won.items()]
    champions.sort(key=lambda one: plain_letters(one.player.name))
    return rank(champions, lambda one: len(one.seasons))
