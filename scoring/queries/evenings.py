"""The evenings of a league: what was played on each, what is still open, who closed it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from scoring.models import EveningClosure, EveningPayment, Game, Hand, League, Player
from scoring.models.evenings import closure_of
from scoring.models.game_tables import with_table
from scoring.models.hands import disputed_hand
from scoring.models.letters import plain_letters
from scoring.models.settlement import points_of, settlement_of

from . import ranking
from .games import GameResult, game_results


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of ``league`` that began on ``day``.

    :ivar totals: what each who has played won or lost in them, in whole points, the most first.
    :ivar disputed: the hands whose points wait.
    :ivar closures: how often it was closed and opened again, the newest first.
    """

    league: League
    day: date
    games: list[GameResult]
    totals: list[tuple[Player, int]]
    disputed: list[Hand]
    closures: list[EveningClosure]

    @property
    def closed(self) -> bool:
        return any(closure.reopened_at is None for closure in self.closures)

    @property
    def counted(self) -> int:
        """How many hands count."""
        return sum(one.hands for one in self.games) - len(self.disputed)

    @property
    def given_back(self) -> int:
        """How many games opening the evening again lets go on: those that its closure ended."""
        return sum(1 for one in self.games if one.game.ended_by_id)

    @property
    def open_games(self) -> list[GameResult]:
        return [game for game in self.games if not game.game.finished]


class GameCount(NamedTuple):
    """How many games began on an evening, how many of them go on, and how many hands are disputed."""

    all: int
    open: int
    disputed: int


def game_count(league: League, day: date) -> GameCount:
    """The games of ``league`` that began on ``day``. One query."""
    games = Game.objects.played().filter(league=league, evening=day)
    return GameCount(
        **games.aggregate(
            all=Count("pk", distinct=True),
            open=Count("pk", filter=Q(finished_at__isnull=True), distinct=True),
            disputed=Count("hands", filter=disputed_hand("hands__"), distinct=True),
        )
    )


def evenings(league: League) -> QuerySet[Game, Mapping[str, Any]]:
    """The evenings of ``league``, the newest first.

    Each is a mapping: ``evening`` (its day), ``games``, ``open_games`` (how many), and whether it is ``closed``.
    """
    closing = closure_of(league, OuterRef("evening"))
    return (
        Game.objects.played()
        .filter(league=league)
        .order_by("-evening")
        .values("evening")
        .annotate(
            games=Count("pk"),
            open_games=Count("pk", filter=Q(finished_at__isnull=True)),
            closed=Exists(closing),
        )
    )


def paid_without_games(league: League) -> list[date]:
    """The days on which no game of ``league`` counts any more, for which somebody is still to be paid back."""
    paid = EveningPayment.objects.in_force().filter(league=league).order_by("-day")
    played = Game.objects.played().filter(league=league, evening=OuterRef("day"))
    days = paid.filter(~Exists(played)).values_list("day", flat=True).distinct()
    return [
        day for day in days if any(one.left.transfers for one in settlement_of(league, day).sums)
    ]


def evening_of(league: League, day: date) -> Evening | None:
    """The evening of ``day``; None if no game of ``league`` began then.

    Nine queries, however much was played.
    """
    games = with_table(Game.objects.played().filter(league=league, evening=day)).order_by(
        "started_at", "pk"
    )
    results = game_results(list(games))
    if not results:
        return None
    _people, points = points_of(league, day)
    players = Player.objects.in_bulk(points)
    disputed = Hand.objects.played().disputed().filter(game__league=league, game__evening=day)
    return Evening(
        league=league,
        day=day,
        games=results,
        totals=_most_first({players[pk]: total for pk, total in points.items()}),
        disputed=list(
            disputed.select_related("winner", "discarder", "game").order_by("game", "number")
        ),
        closures=list(
            EveningClosure.objects.filter(league=league, day=day).select_related(
                "closed_by__player", "reopened_by__player"
            )
        ),
    )


def _most_first(won: Mapping[Player, int]) -> list[tuple[Player, int]]:
    by_name = sorted(won.items(), key=lambda total: plain_letters(total[0].name))
    return [line.row for line in ranking.rank(by_name, lambda total: total[1])]
