"""Tallies: kept by increments, in the transaction that changes a hand."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from django.db.models import F
from django.db.models.functions import Greatest

from scoring.models import Hand, League, Player, Tally


@dataclass(slots=True)
class Gain:
    """What hands add to a tally, column by column. ``best_hand`` is the highest, not a sum."""

    points: int = 0
    hands: int = 0
    wins: int = 0
    self_drawn: int = 0
    discards: int = 0
    games: int = 0
    best_hand: int = 0

    def __iadd__(self, other: "Gain") -> "Gain":
        self.points += other.points
        self.hands += other.hands
        self.wins += other.wins
        self.self_drawn += other.self_drawn
        self.discards += other.discards
        self.games += other.games
        self.best_hand = max(self.best_hand, other.best_hand)
        return self


def gain(hand: Hand, player_id: int, amount: int, *, first_of_game: bool) -> Gain:
    """What ``hand`` adds to the tally of a player who won or paid ``amount`` (whole points)."""
    won = hand.winner_id == player_id
    return Gain(
        points=amount,
        hands=1,
        wins=int(won),
        self_drawn=int(won and hand.self_drawn),
        discards=int(hand.discarder_id == player_id),
        games=int(first_of_game),
        best_hand=(hand.final or 0) if won else 0,
    )


def open_for(league: League, players: Iterable[Player]) -> None:
    """Make sure that each of ``players`` has a tally in ``league``."""
    Tally.objects.bulk_create(
        [Tally(league=league, player=player) for player in players], ignore_conflicts=True
    )


def add(hand: Hand, payments: Sequence[tuple[Player, int]], *, first_of_game: bool) -> None:
    """Count ``hand`` and its payments (player, whole points) into the four tallies."""
    # In one order always, so that two tables that share players cannot wait for each other.
    for player, amount in sorted(payments, key=lambda payment: payment[0].pk):
        gained = asdict(gain(hand, player.pk, amount, first_of_game=first_of_game))
        best = gained.pop("best_hand")
        changes = {column: F(column) + more for column, more in gained.items() if more}
        if best:
            changes["best_hand"] = Greatest(F("best_hand"), best)
        Tally.objects.filter(league_id=hand.game.league_id, player=player).update(**changes)
