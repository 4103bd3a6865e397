"""List what is still open in a season, on an evening or at a game, for whoever ends it."""

import hashlib
from dataclasses import dataclass
from datetime import date

from django.db.models import Q, QuerySet

from . import Game, Hand, LateHand, League, Seat
from .hands import disputed_hand


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
    """What is still open on the evening of ``day``. Three queries."""
    return _left_open(Game.objects.played().filter(league=league, evening=day))


def left_open_in(league: League) -> LeftOpen:
    """What is still open in the whole season. Three queries."""
    return _left_open(Game.objects.played().filter(league=league))


def ending_etag(game: Game) -> str:
    """A fingerprint of what ends with ``game``: ending it refuses when it has changed since the person saw it."""
    hands = list(game.hands.current().order_by("pk").values_list("pk", flat=True))
    keys = repr([game.league_id, hands, left_open_at(game).etag])
    return hashlib.sha256(keys.encode()).hexdigest()[:16]


def left_open_at(game: Game) -> LeftOpen:
    """What is still open at ``game``."""
    return _left_open(Game.objects.filter(pk=game.pk))


def _left_open(games: QuerySet[Game]) -> LeftOpen:
    unchecked = Q(outcome=Hand.Outcome.WIN, checked=False)
    rows = Hand.objects.current().filter(disputed_hand() | unchecked, game__in=games)
    rows = rows.select_related("winner", "game").defer("card", "melds").order_by("game", "number")
    hands = list(rows)
    return LeftOpen(
        games=_open_games(games),
        disputed=[hand for hand in hands if hand.disputed],
        unchecked=[hand for hand in hands if hand.is_win and not hand.checked],
        late=list(LateHand.objects.waiting().filter(game__in=games)),
    )


def _open_games(games: QuerySet[Game]) -> list[Game]:
    """Those of ``games`` that go on, with their players. One query."""
    seats = Seat.objects.filter(game__in=games.filter(finished_at__isnull=True))
    seats = seats.select_related("game", "player").order_by("game__started_at", "game", "place")
    by_id: dict[int, Game] = {}
    for seat in seats:
        game = by_id.setdefault(seat.game_id, seat.game)
        game.__dict__.setdefault("table", []).append(seat)
    return list(by_id.values())
