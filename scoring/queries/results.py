"""The latest evenings of some leagues with what everybody won, for feeds: all of them at once."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, Q, QuerySet

from scoring.models import (
    Adjustment,
    Game,
    GameEvent,
    Hand,
    League,
    Player,
    club_day,
)
from scoring.models.settlement import Evening, points_by_evening

from .recaps import RecapPlace, places_of


@dataclass(frozen=True, slots=True)
class EveningResult:
    """What became of the evening of ``day``.

    :ivar changed: when something of it changed last.
    """

    league: League
    day: date
    places: list[RecapPlace]
    changed: datetime


def latest_results(leagues: QuerySet[League], most: int) -> list[EveningResult]:
    """At most so many evenings of ``leagues``, the newest first. Nine queries, however many there are.

    An evening is among them when all its games have ended, and in any case from the next day on.
    """
    over = Q(open_games=0) | Q(evening__lt=club_day())
    evenings = (
        Game.objects.played()
        .filter(league__in=leagues)
        .values_list("league", "evening")
        .annotate(open_games=Count("pk", filter=Q(finished_at__isnull=True)))
        .filter(over)
        .order_by("-evening", "-league")[:most]
    )
    wanted = [(league, day) for league, day, _open in evenings]
    games = _games(wanted)
    points = {one: points for one, (_played, points) in points_by_evening(wanted).items()}
    players = Player.objects.in_bulk({pk for won in points.values() for pk in won})
    named = leagues.in_bulk({league for league, _day in wanted})
    changed = _changed(wanted, games)
    return [
        EveningResult(named[one[0]], one[1], places_of(points[one], players), changed[one])
        for one in wanted
    ]


def _games(evenings: Iterable[Evening]) -> dict[int, tuple[Evening, datetime]]:
    """Which evening each of their games (its id) belongs to, and when it ended or else began."""
    wanted = set(evenings)
    some = Game.objects.played().filter(
        league__in={league for league, _day in wanted}, evening__in={day for _league, day in wanted}
    )
    rows = some.values_list("pk", "league", "evening", "finished_at", "started_at")
    return {
        pk: ((league, day), finished or started)
        for pk, league, day, finished, started in rows
        if (league, day) in wanted
    }


def _changed(
    evenings: Collection[Evening], games: dict[int, tuple[Evening, datetime]]
) -> dict[Evening, datetime]:
    """When something of each evening changed last: a game, a hand, an answer to it, a booking."""
    hands = Hand.objects.filter(game__in=games).order_by().values_list("game")
    logged = hands.annotate(at=Max("logged_at"), answered_at=Max("events__at"))
    booked = Adjustment.objects.filter(game__in=games).order_by().values_list("game")
    times = [
        *((game, at) for game, (_evening, at) in games.items()),
        *((game, max(at, answered_at or at)) for game, at, answered_at in logged),
        *booked.annotate(at=Max("made_at")),
    ]
    latest: dict[Evening, datetime] = {}
    for evening, at in [*((games[game][0], at) for game, at in times), *_events(evenings)]:
        latest[evening] = max(at, latest.get(evening, at))
    return latest


def _events(evenings: Collection[Evening]) -> Iterator[tuple[Evening, datetime]]:
    """When a game of ``evenings`` was withdrawn, moved away or to them, or changed in another way."""
    leagues, days = {league for league, _day in evenings}, {day for _league, day in evenings}
    here = Q(game__league__in=leagues, game__evening__in=days)
    before = Q(before__league__in=leagues, before__evening__in=[day.isoformat() for day in days])
    rows = GameEvent.objects.filter(here | before).order_by()
    columns = ("game__league", "game__evening", "before__league", "before__evening", "at")
    for league, day, old_league, old_day, at in rows.values_list(*columns):
        yield (league, day), at
        if old_day:
            yield (old_league, date.fromisoformat(old_day)), at
