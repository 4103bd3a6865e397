"""The evenings of a league: what was played on each, what is still open, who closed it."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from scoring.models import Closing, Game, Hand, LateHand, League, Player

from .games import GameStanding, stand


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of ``league`` that began on ``day``.

    :ivar totals: what each player won or lost in them, in whole points, the most first.
    :ivar disputed: the hands whose points wait.
    :ivar closings: how often it was closed and opened again, the newest first.
    """

    league: League
    day: date
    games: list[GameStanding]
    totals: list[tuple[Player, int]]
    disputed: list[Hand]
    closings: list[Closing]

    @property
    def closed(self) -> bool:
        return any(closing.reopened_at is None for closing in self.closings)

    @property
    def given_back(self) -> int:
        """How many games opening the evening again lets go on: those that its closing ended."""
        return sum(1 for one in self.games if one.game.ended_by_id)

    @property
    def open_games(self) -> list[GameStanding]:
        return [game for game in self.games if not game.game.finished]


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """What is still open on an evening, or at one game: whoever ends it should know.

    :ivar games: the games that go on.
    :ivar unchecked: the hands whose score the table worked out itself.
    :ivar late: the hands that came too late and wait for an organiser.
    """

    games: list[Game]
    disputed: list[Hand]
    unchecked: list[Hand]
    late: list[LateHand]

    @property
    def mark(self) -> str:
        """A fingerprint: closing refuses when it has changed since the person saw it."""
        rows = (self.games, self.disputed, self.unchecked, self.late)
        said = repr([sorted(row.pk for row in some) for some in rows])
        return hashlib.sha256(said.encode()).hexdigest()[:16]


def left_open(league: League, day: date) -> LeftOpen:
    """What is still open on the evening of ``day``. Five queries."""
    return _left_open(Game.objects.played().filter(league=league, evening=day))


def left_open_at(game: Game) -> LeftOpen:
    """What is still open at ``game``."""
    return _left_open(Game.objects.filter(pk=game.pk))


def _left_open(games: QuerySet[Game]) -> LeftOpen:
    hands = Hand.objects.live().filter(game__in=games).select_related("winner", "game")
    hands = hands.defer("card", "melds").order_by("game", "number")
    return LeftOpen(
        games=list(
            games.filter(finished_at__isnull=True).with_table().order_by("started_at", "pk")
        ),
        disputed=list(hands.filter(status=Hand.Status.DISPUTED)),
        unchecked=list(hands.filter(outcome=Hand.Outcome.WIN, checked=False)),
        late=list(LateHand.objects.waiting().filter(game__in=games)),
    )


def evenings(league: League) -> QuerySet[Game]:
    """The evenings of ``league``, the newest first.

    Each is a mapping: ``evening`` (its day), ``games``, ``open_games`` (how many), and whether it is ``closed``.
    """
    in_force = Closing.objects.in_force().filter(league=league, day=OuterRef("evening"))
    return (
        Game.objects.played()
        .filter(league=league)
        .order_by("-evening")
        .values("evening")
        .annotate(
            games=Count("pk"),
            open_games=Count("pk", filter=Q(finished_at__isnull=True)),
            closed=Exists(in_force),
        )
    )


def evening_of(league: League, day: date) -> Evening | None:
    """The evening of ``day``; None if no game of ``league`` began then.

    Six queries, however much was played.
    """
    games = (
        Game.objects.played()
        .filter(league=league, evening=day)
        .with_table()
        .order_by("started_at", "pk")
    )
    standings = stand(list(games))
    if not standings:
        return None
    won: Counter[Player] = Counter()
    for standing in standings:
        for score in standing.scores:
            won[score.player] += score.total
    disputed = Hand.objects.filter(
        game__league=league,
        game__evening=day,
        game__withdrawn_at__isnull=True,
        status=Hand.Status.DISPUTED,
    )
    return Evening(
        league=league,
        day=day,
        games=standings,
        totals=sorted(won.items(), key=lambda line: (-line[1], line[0].name.casefold())),
        disputed=list(disputed.select_related("winner", "game").order_by("game", "number")),
        closings=list(
            Closing.objects.filter(league=league, day=day).select_related(
                "closed_by__player", "reopened_by__player"
            )
        ),
    )
