"""Read what is going on in the club right now."""

from dataclasses import dataclass

from django.db.models import BooleanField, Exists, OuterRef, QuerySet, Value

from scoring.models import Game, Hand, LateHand, League, Player, Seat
from scoring.models.game_tables import with_table
from scoring.models.permissions import User, sits_at
from scoring.models.roles import organisers

from .games import GameResult, game_results
from .leaders import LeagueLeaders, leaders

TABLES, HANDS, LEAGUES = 12, 6, 12


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """What a club must have before its first game: an organiser, four players, a league."""

    organiser: bool
    players: int
    league: bool

    @property
    def enough_players(self) -> bool:
        return self.players >= 4


@dataclass(frozen=True, slots=True)
class Dashboard:
    """What the home page shows.

    ``in_play`` is how many tables are in play, listed or not. ``first_steps`` is there until the
    club has played its first hand.
    """

    own: list[GameResult]
    tables: list[GameResult]
    in_play: int
    hands: list[Hand]
    leagues: list[LeagueLeaders]
    first_steps: FirstSteps | None

    @property
    def more_tables(self) -> bool:
        """Whether more tables are in play than are listed."""
        return self.in_play > len(self.own) + len(self.tables)


def dashboard(user: User) -> Dashboard:
    """What ``user`` may see of the club: own tables, the others in play, latest hands, leagues.

    Eight queries, however much is going on, and one that counts the tables if not all are listed.
    """
    open_games = _open_games(user)
    games = list(open_games[: TABLES + 1])
    tables = game_results(games[:TABLES], last_hands=True)
    hands = list(_latest_hands(user))
    return Dashboard(
        own=[table for table in tables if sits_at(user, table.game)],
        tables=[table for table in tables if not sits_at(user, table.game)],
        in_play=len(games) if len(games) <= TABLES else open_games.count(),
        hands=hands,
        leagues=leaders(League.objects.visible_to(user).running()[:LEAGUES]),
        first_steps=None if games or hands else _first_steps(),
    )


def _open_games(user: User) -> QuerySet[Game]:
    """Own tables first, so that a long list cannot push them out."""
    own: Exists | Value = Value(False, BooleanField())
    if user.is_authenticated:
        own = Exists(Seat.objects.filter(game=OuterRef("pk"), player__user=user))
    games = with_table(Game.objects.visible_to(user).open()).annotate(own=own)
    return games.order_by("-own", "-started_at", "-pk")


def _latest_hands(user: User) -> QuerySet[Hand]:
    hands = (
        Hand.objects.visible_to(user)
        .played()
        .current()
        .select_related("winner", "discarder", "game__league")
    )
    return hands.defer("melds").order_by("-played_at", "-pk")[:HANDS]


def _first_steps() -> FirstSteps | None:
    if Hand.objects.exists():
        return None
    return FirstSteps(
        organiser=organisers().exists(),
        players=Player.objects.active().count(),
        league=League.objects.running().exists(),
    )


def games_with_late_hands() -> list[Game]:
    """The games at which late hands wait for an organiser, the oldest first. Two queries.

    Each has ``late_hands_waiting``.
    """
    waiting = LateHand.objects.waiting().values("game")
    return list(with_table(Game.objects.filter(pk__in=waiting)).order_by("evening", "pk"))
