"""Plan the evenings of the demo club: who sits down with whom, in the past and now."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import accumulate, count, islice
from math import ceil
from random import Random

from django.utils import timezone

from scoring.models import club_day

BEGINNING = time(19)
# A full game takes some 28 hands; an evening is over sooner for some.
AN_EVENING = (18, 34)
# Nobody comes for fewer hands.
A_FEW = 5
# What a table in play has played so far: with a few more, still fewer than the 16 of the shortest game.
SO_FAR = (5, 11)
A_WHILE = timedelta(hours=2)
TABLES_NOW, TABLES_AN_EVENING = 3, (2, 4)
# Minutes from one hand to the next.
PACE = (4, 7)
A_YEAR = 52


@dataclass(frozen=True, slots=True)
class Sitting:
    """Four players (East to North, by their number in the club) at a table of a league.

    ``hands`` is how many they mean to play. They sit down at ``at``, or, if they ``stay``, are still
    playing then.
    """

    league: int
    players: tuple[int, ...]
    at: datetime
    hands: int
    stay: bool = False

    @property
    def day(self) -> date:
        """The first day on which they can have sat down."""
        return club_day(self.at - A_WHILE if self.stay else self.at)

    def moments(self, hands: int, rng: Random) -> Iterator[datetime]:
        """When they sit down, when each of ``hands`` hands ends, and so on if they do not stay."""
        gaps: Iterable[timedelta] = (timedelta(minutes=rng.randint(*PACE)) for _hand in count())
        begins = self.at
        if self.stay:
            gaps = list(islice(gaps, hands + 1))
            begins -= sum(gaps, timedelta())
        return accumulate(gaps, lambda at, gap: at + gap, initial=begins)


def plan(
    hands: int, players: int, leagues: int, *, regulars: int, now: datetime, rng: Random
) -> list[Sitting]:
    """Who sits down when, the earliest first, for ``hands`` hands in all.

    The first ``regulars`` players sit at the first of the tables that are in play ``now``. Evenings go
    round the leagues, each of which plays once a week; a club with more than a year of them plays
    every day, so that nobody ever sits at two tables.
    """
    seating = _Seating(players, rng)
    tables = min(TABLES_NOW, players // 4)
    now_in_play, left = _now_in_play(hands, tables, rng)
    evenings = list(_evenings(left, players // 4, rng))
    gap = max(1.0, 7 / leagues) if len(evenings) <= A_YEAR * leagues else 1.0
    sittings: list[Sitting] = []
    for back, quotas in reversed(list(enumerate(evenings, start=1))):
        day = club_day(now) - timedelta(days=ceil(back * gap))
        begin = timezone.make_aware(datetime.combine(day, BEGINNING))
        for quota, four in zip(quotas, seating.tables(len(quotas)), strict=True):
            late = timedelta(minutes=rng.randint(0, 12))
            sittings.append(Sitting(back % leagues, four, begin + late, quota))
    for quota, four in zip(now_in_play, seating.tables(len(now_in_play), regulars), strict=True):
        sittings.append(Sitting(0, four, now, quota, stay=True))
    return sittings


def _now_in_play(hands: int, tables: int, rng: Random) -> tuple[list[int], int]:
    """How many hands each table in play has played so far, and how many hands are left."""
    quotas = []
    for _table in range(tables):
        quota = min(hands, rng.randint(*SO_FAR))
        if quota:
            quotas.append(quota)
        hands -= quota
    return quotas, hands


def _evenings(hands: int, tables: int, rng: Random) -> Iterator[list[int]]:
    """For each evening of the past, how many hands each of its tables means to play."""
    while hands:
        quotas = []
        for _table in range(min(tables, rng.randint(*TABLES_AN_EVENING))):
            quota = min(hands, rng.randint(*AN_EVENING))
            quota = hands if hands - quota < A_FEW else quota
            if quota:
                quotas.append(quota)
            hands -= quota
        yield quotas


class _Seating:
    """Everybody plays about as often as everybody else."""

    def __init__(self, players: int, rng: Random) -> None:
        self.evenings = [0] * players
        self.rng = rng

    def tables(self, count: int, regulars: int = 0) -> list[tuple[int, ...]]:
        """Four players for each of ``count`` tables; the first ``regulars`` players at the first."""
        come = sorted(
            range(len(self.evenings)),
            key=lambda player: (player >= regulars, self.evenings[player], self.rng.random()),
        )
        four = [come[4 * table : 4 * table + 4] for table in range(count)]
        for players in four:
            self.rng.shuffle(players)
            for player in players:
                self.evenings[player] += 1
        return [tuple(players) for players in four]
