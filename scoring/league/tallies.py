"""Tallies: kept by increments, in the transaction that changes a hand."""

from collections.abc import Iterable, Sequence

from django.db.models import F
from django.db.models.functions import Greatest

from scoring.models import Hand, League, Player, Tally


def open_for(league: League, players: Iterable[Player]) -> None:
    """Make sure that each of ``players`` has a tally in ``league``."""
    Tally.objects.bulk_create(
        [Tally(league=league, player=player) for player in players], ignore_conflicts=True
    )


def add(hand: Hand, payments: Sequence[tuple[Player, int]], *, first_of_game: bool) -> None:
    """Count ``hand`` and its payments (player, whole points) into the four tallies."""
    # In one order always, so that two tables that share players cannot wait for each other.
    for player, amount in sorted(payments, key=lambda payment: payment[0].pk):
        won = hand.winner_id == player.pk
        gains = {
            "points": F("points") + amount,
            "hands": F("hands") + 1,
            "games": F("games") + int(first_of_game),
        }
        if won:
            gains["wins"] = F("wins") + 1
            gains["self_drawn"] = F("self_drawn") + int(hand.self_drawn)
            gains["best_hand"] = Greatest(F("best_hand"), hand.final or 0)
        if hand.discarder_id == player.pk:
            gains["discards"] = F("discards") + 1
        Tally.objects.filter(league_id=hand.game.league_id, player=player).update(**gains)
