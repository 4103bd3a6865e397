"""Read what was played about this day in earlier years."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from scoring.models import Game, Hand, League, club_day
from scoring.models.permissions import User

# A club that meets once a week rarely plays on the same date again.
DAYS_APART = 3
YEARS = 30
# How many evenings a page names, the latest ones first.
NAMED = 3


@dataclass(frozen=True, slots=True)
class Anniversary:
    """An evening of ``league`` about this day some ``years`` ago, with the limit hands won on it."""

    league: League
    day: date
    years: int
    games: list[Game]
    limit_hands: list[Hand] = field(default_factory=list)


def anniversaries(league: League, user: User, today: date | None = None) -> list[Anniversary]:
    """The evenings of the seasons of ``league`` that ``user`` may see, about ``today`` in earlier years.

    The latest ones first. One query, and one more if there are any.
    """
    days = dict(_days(today or club_day()))
    seasons = League.objects.seasons_of(league).visible_to(user).order_by()
    played = Game.objects.played().filter(league__in=seasons, evening__in=days)
    evenings: dict[tuple[date, int], Anniversary] = {}
    for game in played.select_related("league").order_by("-evening", "league", "pk"):
        new = Anniversary(game.league, game.evening, days[game.evening], [])
        evenings.setdefault((game.evening, game.league_id), new).games.append(game)
    latest = list(evenings.values())[:NAMED]
    by_game = {game.pk: one for one in latest for game in one.games}
    if by_game:
        limits = Hand.objects.counted().filter(game__in=by_game, limit=True)
        shown = limits.select_related("winner", "ruleset_version__ruleset").defer("melds", "others")
        for hand in shown.order_by("played_at", "pk"):
            by_game[hand.game_id].limit_hands.append(hand)
    return latest


def _days(today: date) -> Iterator[tuple[date, int]]:
    """Each day about ``today`` in an earlier year, and how many years ago that was."""
    for years in range(1, YEARS + 1):
        # The last day of February stands in for one that there is not.
        last = today.replace(day=28) if (today.month, today.day) == (2, 29) else today
        same = last.replace(year=today.year - years)
        for apart in range(-DAYS_APART, DAYS_APART + 1):
            yield same + timedelta(days=apart), years
