"""What is still open in a season, on an evening or at a game: whoever ends it is shown this first."""

import hashlib
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from . import Game, Hand, LateHand, League
from .game_tables import with_table


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """What is still open in a season, on an evening, or at one game: whoever ends it should know.

    :ivar games: the games that go on.
    :ivar unchecked: the hands whose score the table worked out itself.
    :ivar late: the hands that came too late and wait for an organiser.
    """

    games: list[Game]
    disputed: list[Hand]
    unchecked: list[Hand]
    late: list[LateHand]

    @property
    def etag(self) -> str:
        """A fingerprint: closing refuses when it has changed since the person saw it."""
        rows = (self.games, self.disputed, self.unchecked, self.late)
        keys = repr([sorted(row.pk for row in some) for some in rows])
        return hashlib.sha256(keys.encode()).hexdigest()[:16]


def left_open(league: League, day: date) -> LeftOpen:
    """What is still open on the evening of ``day``. Five queries."""
    return _left_open(Game.objects.played().filter(league=league, evening=day))


def left_open_in(league: League) -> LeftOpen:
    """What is still open in the whole season. Five queries."""
    return _left_open(Game.objects.played().filter(league=league))


def left_open_at(game: Game) -> LeftOpen:
    """What is still open at ``game``."""
    return _left_open(Game.objects.filter(pk=game.pk))


def _left_open(games: QuerySet[Game]) -> LeftOpen:
    hands = Hand.objects.current().filter(game__in=games).select_related("winner", "game")
    hands = hands.defer("card", "melds").order_by("game", "number")
    return LeftOpen(
        games=list(with_table(games.filter(finished_at__isnull=True)).order_by("started_at", "pk")),
        disputed=list(hands.disputed()),
        unchecked=list(hands.filter(outcome=Hand.Outcome.WIN, checked=False)),
        late=list(LateHand.objects.waiting().filter(game__in=games)),
    )
