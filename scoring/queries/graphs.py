"""Read the figures of pictures: sums made by the database, never hand by hand of a season."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import accumulate

from django.db.models import Count, Sum

from scoring.models import Hand, League, Payment, Transfer, club_day
from scoring.models.adjustments import points_of

# What each player (an id) has, in whole points.
Points = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Course:
    """How the points of some players went, from 0 on, step by step.

    :ivar steps: what came: the day of an evening or of a booking, the number of a hand, or None for what
        was booked in a game.
    :ivar totals: of each player (an id) the whole points before the first step and after each one.
    """

    steps: Sequence[date | int | None]
    totals: dict[int, list[int]]


def course_of_league(league: League, players: Collection[int], until: date | None = None) -> Course:
    """The points of ``players`` (ids) after each day of ``league`` on which points moved. Two queries.

    The last figures are those of the league table, now or at the end of the day ``until``.
    """
    by_day: defaultdict[date, Counter[int]] = defaultdict(Counter)
    paid = Payment.objects.counted().filter(hand__game__league=league, player__in=players)
    sums = paid.values_list("hand__game__evening", "player").annotate(Sum("amount"))
    for day, player, amount in sums.order_by():
        by_day[day][player] += amount
    booked = Transfer.objects.counted().filter(adjustment__league=league).order_by()
    columns = ("adjustment__game__evening", "adjustment__made_at", "payer", "payee", "amount")
    for evening, made_at, *transfer in booked.values_list(*columns):
        by_day[evening or club_day(made_at)].update(points_of([tuple(transfer)]))
    moved = {
        day: points
        for day, points in by_day.items()
        if any(player in points for player in players) and (until is None or day <= until)
    }
    days = sorted(moved)
    return Course(days, _running([moved[day] for day in days], players))


@dataclass(frozen=True, slots=True)
class TableCourse:
    """How the points of the ``game`` (an id) went that began at ``started_at``.

    :ivar names: of those who played there, by id.
    """

    game: int
    started_at: datetime
    names: dict[int, str]
    course: Course


def courses_of_evening(league: League, day: date) -> list[TableCourse]:
    """The points of each table of the evening ``day``, hand by hand. Two queries.

    What is disputed waits; what was booked in a game comes last. A table without a hand is left out.
    """
    paid = Payment.objects.counted().filter(hand__game__league=league, hand__game__evening=day)
    in_order = paid.order_by("hand__game__started_at", "hand__game", "hand__number")
    columns = ("hand__game", "hand__game__started_at", "player", "player__name")
    tables: dict[tuple[int, datetime], dict[int, str]] = defaultdict(dict)
    hands: dict[int, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for game, started_at, player, name, number, amount in in_order.values_list(
        *columns, "hand__number", "amount"
    ):
        tables[game, started_at][player] = name
        hands[game][number][player] = amount
    booked = Transfer.objects.filter(adjustment__game__in=list(hands)).points_by_game()
    return [
        TableCourse(game, started_at, names, _course(hands[game], booked.get(game), names))
        for (game, started_at), names in tables.items()
    ]


def _course(hands: Mapping[int, Points], booked: Points | None, players: Iterable[int]) -> Course:
    if booked is None:
        return Course([*hands], _running([*hands.values()], players))
    return Course([*hands, None], _running([*hands.values(), booked], players))


def _running(moved: Sequence[Points], players: Iterable[int]) -> dict[int, list[int]]:
    return {
        player: list(accumulate((points.get(player, 0) for points in moved), initial=0))
        for player in players
    }


def score_counts(league: League) -> dict[int, int]:
    """How many hands that count were won in ``league`` with each final score. One query."""
    won = Hand.objects.counted().filter(game__league=league, outcome=Hand.Outcome.WIN)
    counts = won.order_by().values_list("final").annotate(Count("pk"))
    return {final: number for final, number in counts if final is not None}
