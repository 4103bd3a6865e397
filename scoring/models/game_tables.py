"""Fetch games with all that a page about them shows, from models that come after the game."""

from functools import cache
from typing import Any

from django.db.models import Count, Exists, Manager, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from .evenings import closure_of
from .game_events import GameEvent
from .games import Game, Seat
from .hands import Hand
from .late import LateHand

EVENING_CLOSED = Exists(closure_of(OuterRef("league"), OuterRef("evening")))


def with_table(games: Manager[Game] | QuerySet[Game]) -> QuerySet[Game]:
    """``games`` with league, rule set, seats and players, and what is counted about each of them.

    The annotations stand in for the cached properties of the same names, which ask for one game.
    """
    return (
        games.select_related("league", "ruleset_version__ruleset")
        .prefetch_related(Prefetch("seats", Seat.objects.select_related("player")))
        .annotate(**_counted())
    )


@cache
def _counted() -> dict[str, Exists | Coalesce]:
    """What is counted about each game, by the name of the annotation. Made once: it is asked with every table."""
    return {
        "evening_closed": EVENING_CLOSED,
        "was_changed": Exists(GameEvent.objects.filter(game=OuterRef("pk"))),
        "late_hands_waiting": _number(LateHand.objects.filter(LateHand.WAITING)),
        "hands_played": _number(Hand.objects.current()),
    }


def _number(rows: QuerySet[Any]) -> Coalesce:
    """How many of the ``rows`` belong to each game."""
    of_game = rows.filter(game=OuterRef("pk")).order_by()
    return Coalesce(
        Subquery(of_game.values("game").annotate(number=Count("pk")).values("number")), 0
    )
