"""Read what a player has done: standings in every league, best hands, how they win."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Avg, Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from scoring.models import Game, Hand, League, Player, Tally
from scoring.models.game_tables import with_table
from scoring.models.permissions import User
from scoring.models.standing_settings import TableSettings

from .games import GameResult, game_results
from .standing_sums import Standing
from .standings import tables_now

BEST_HANDS, RECENT_GAMES = 3, 10


@dataclass(frozen=True, slots=True)
class Statistics:
    """How somebody plays, in whole hands and points, over all that the reader may see.

    :ivar disputed: the hands that wait for the end of a dispute; the other figures leave them out.
    """

    hands: int
    disputed: int
    games: int
    wins: int
    self_drawn: int
    discards: int
    limits: int
    average_win: float | None

    @property
    def win_share(self) -> float | None:
        """The share of the hands that were won, 0 to 1; luck alone gives about a quarter."""
        return self.wins / self.hands if self.hands else None

    @property
    def self_drawn_share(self) -> float | None:
        """The share of the wins that were self-drawn."""
        return self.self_drawn / self.wins if self.wins else None

    @property
    def discard_share(self) -> float | None:
        """How many of the hands that were not won ended by this player's discard."""
        lost = self.hands - self.wins
        return self.discards / lost if lost else None


@dataclass(frozen=True, slots=True)
class LeagueResult:
    """What a player has gathered in a league: the ``rank`` is one ``of`` so many players.

    It is None while too little was played for one; ``standing`` says how much is needed.

    :ivar rules: by which it is ranked; None where the sum of the points decides.
    """

    tally: Tally
    rank: int | None
    of: int
    standing: Standing
    rules: TableSettings | None


@dataclass(frozen=True, slots=True)
class Profile:
    """What a player's page shows; the leagues in which the player is ranked, the newest first.

    :ivar with_hands: the leagues in which a hand of the player counts, the newest first.
    :ivar not_listed: those of them whose table leaves the player out, with the weeks without a game after
        which it does.
    """

    player: Player
    statistics: Statistics
    leagues: list[LeagueResult]
    best_hands: list[Hand]
    games: list[GameResult]
    with_hands: list[League]
    not_listed: list[tuple[League, int]]


def player_list(user: User, part: str = "") -> QuerySet[Player]:
    """The players that ``user`` may see, by name, with what they did in the leagues ``user`` sees.

    Each carries ``games``, ``hands``, ``wins`` and ``best_hand``.

    :param part: a part of the name; empty finds everybody.
    """
    seen = Q(tallies__league__in=League.objects.visible_to(user))
    visible = Player.objects.visible_to(user)
    players = (visible.named(part) if part else visible).annotate(
        games=Coalesce(Sum("tallies__games", filter=seen), 0),
        hands=Coalesce(Sum("tallies__hands", filter=seen), 0),
        wins=Coalesce(Sum("tallies__wins", filter=seen), 0),
        best_hand=Coalesce(Max("tallies__best_hand", filter=seen), 0),
    )
    # A query that groups forgets the order of the model.
    return players.order_by(*(Player._meta.ordering or ()))


def player_profile(player: Player, user: User) -> Profile:
    """What ``user`` may see of ``player``: only leagues that are visible to ``user`` count.

    Nine queries, however long the player has played.
    """
    tallies = _tallies(player, user)
    leagues = {tally.league_id: tally.league for tally in tallies}
    games = with_table(Game.objects.played().filter(seats__player=player, league__in=leagues))
    results, not_listed = _league_results(player, tallies)
    return Profile(
        player=player,
        statistics=_statistics(player, tallies, leagues),
        leagues=results,
        best_hands=list(_best_hands(player, leagues)),
        games=game_results(list(games[:RECENT_GAMES])),
        with_hands=_with_hands(tallies),
        not_listed=not_listed,
    )


def leagues_with_hands(player: Player, user: User) -> list[League]:
    """The leagues in which a hand of ``player`` counts, as far as ``user`` may see them, the newest first."""
    return _with_hands(_tallies(player, user))


def _with_hands(tallies: Iterable[Tally]) -> list[League]:
    return [tally.league for tally in tallies if tally.hands]


def _won(player: Player, leagues: dict[int, League]) -> QuerySet[Hand]:
    return Hand.objects.counted().filter(winner=player, game__league__in=leagues)


def _tallies(player: Player, user: User) -> list[Tally]:
    """Whoever sat down in a league has one, with or without a hand."""
    visible = Tally.objects.filter(player=player, league__in=League.objects.visible_to(user))
    ordered = visible.order_by("-league__starts_on", "league__name", "league_id")
    return list(ordered.select_related("league"))


def _league_results(
    player: Player, tallies: Iterable[Tally]
) -> tuple[list[LeagueResult], list[tuple[League, int]]]:
    """The leagues whose tables list ``player``, and those that leave who has not played for long out."""
    by_league = {tally.league: tally for tally in tallies}
    results, not_listed = [], []
    for table in tables_now(by_league):
        tally = by_league[table.league]
        line = next((line for line in table.lines if line.row.player == player.pk), None)
        if line is not None:
            result = LeagueResult(tally, line.rank, table.ranked_count, line.standing, table.rules)
            results.append(result)
        elif tally.hands and table.rules and table.rules.inactive_weeks:
            not_listed.append((table.league, table.rules.inactive_weeks))
    return results, not_listed


def _statistics(player: Player, tallies: list[Tally], leagues: dict[int, League]) -> Statistics:
    def total(field: str) -> int:
        return sum(getattr(tally, field) for tally in tallies)

    won = _won(player, leagues).aggregate(
        limits=Count("pk", filter=Q(limit=True)), average_win=Avg("final")
    )
    names = ("hands", "games", "wins", "self_drawn", "discards")
    disputed = _disputed(player, leagues).count()
    return Statistics(**{name: total(name) for name in names}, **won, disputed=disputed)


def disputed_of(player: Player, user: User, shown: object) -> int:
    """How many hands of ``player``, in leagues that ``user`` may see, wait for the end of a dispute.

    Not asked where something is ``shown``.
    """
    return 0 if shown else _disputed(player, League.objects.visible_to(user)).count()


def _disputed(player: Player, leagues: Iterable[League] | Iterable[int]) -> QuerySet[Hand]:
    hands = Hand.objects.disputed().played()
    return hands.filter(game__seats__player=player, game__league__in=leagues)


def _best_hands(player: Player, leagues: dict[int, League]) -> QuerySet[Hand]:
    """Of equal hands the first ones, as in the hall of fame."""
    best = _won(player, leagues).order_by("-final", "played_at", "pk")
    return best.select_related("game__league", "discarder", "ruleset_version__ruleset")[:BEST_HANDS]
