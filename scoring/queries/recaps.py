"""An evening told in a few lines: who won, the best hand, the biggest swing, the limit hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.db.models import Max, Min

from scoring.models import Hand, League, Player
from scoring.models.letters import plain_letters
from scoring.models.settlement import points_of

from . import ranking
from .evenings import GameCount, game_count


class RecapPlace(NamedTuple):
    """Where somebody stands after the evening, and with what, in whole points."""

    rank: int
    player: Player
    total: int


class Swing(NamedTuple):
    """A hand that moved points, and who won and lost most by it, in whole points."""

    hand: Hand
    winner: Player
    won: int
    loser: Player
    lost: int


@dataclass(frozen=True, slots=True)
class Recap:
    """What became of the evening of ``day``, as far as it was played and is not disputed.

    :ivar hands: how many hands count, drawn ones too.
    :ivar best: the hand with the highest score, the first of equals.
    :ivar swing: the hand in which most points lay between who won and who lost most.
    :ivar limits: the limit hands in the order they were played.
    """

    league: League
    day: date
    games: GameCount
    places: list[RecapPlace]
    hands: int
    best: Hand | None
    swing: Swing | None
    limits: list[Hand]

    @property
    def played(self) -> int:
        """How many hands were played, as the page of the evening counts them: disputed ones, too."""
        return self.hands + self.games.disputed

    @property
    def winners(self) -> list[RecapPlace]:
        """Whoever stands first; nobody while all stand level."""
        first = [place for place in self.places if place.rank == 1]
        return first if len(first) < len(self.places) else []


class _Counted(NamedTuple):
    pk: int
    final: int | None
    limit: bool
    swing: int


def recap_of(league: League, day: date) -> Recap | None:
    """The evening of ``day``; None if no game of ``league`` began then. Seven queries at most."""
    games = game_count(league, day)
    if not games.all:
        return None
    _people, points = points_of(league, day)
    rows = _counted(league, day)
    best = max(rows, key=lambda row: row.final or 0, default=None)
    swing = max(rows, key=lambda row: row.swing, default=None)
    limits = [row.pk for row in rows if row.limit]
    players = Player.objects.in_bulk(points)
    hands = _hands([*limits, *(row.pk for row in (best, swing) if row is not None)])
    return Recap(
        league=league,
        day=day,
        games=games,
        places=places_of(points, players),
        hands=len(rows),
        best=hands[best.pk] if best is not None and best.final else None,
        swing=_swing(hands[swing.pk], players) if swing is not None and swing.swing else None,
        limits=[hands[pk] for pk in limits],
    )


def _counted(league: League, day: date) -> list[_Counted]:
    hands = Hand.objects.counted().filter(game__league=league, game__evening=day)
    swing = Max("payments__amount") - Min("payments__amount")
    rows = hands.annotate(swing=swing).order_by("played_at", "pk")
    return [_Counted(*row) for row in rows.values_list("pk", "final", "limit", "swing")]


def _hands(pks: list[int]) -> dict[int, Hand]:
    rows = Hand.objects.select_related("winner", "discarder", "game", "ruleset_version__ruleset")
    return rows.prefetch_related("payments").in_bulk(pks)


def _swing(hand: Hand, players: Mapping[int, Player]) -> Swing:
    paid = sorted(hand.payments.all(), key=lambda payment: payment.amount)
    most, least = paid[-1], paid[0]
    won, lost = players[most.player_id], players[least.player_id]
    return Swing(hand, won, most.amount, lost, least.amount)


def places_of(points: Mapping[int, int], players: Mapping[int, Player]) -> list[RecapPlace]:
    """Where everybody stands with ``points`` (by id), the most first; all are among ``players``."""
    won = [(players[pk], total) for pk, total in points.items()]
    won.sort(key=lambda one: plain_letters(one[0].name))
    ranked = ranking.rank(won, lambda one: one[1])
    return [RecapPlace(rank, player, total) for rank, (player, total) in ranked]
