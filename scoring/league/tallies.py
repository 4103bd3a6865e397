"""Tallies: kept by increments, in the transaction that changes what counts.

Whoever changes several tallies does so in the order of the players, so that two tables that share
players never wait for each other in a circle.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import F, Subquery
from django.db.models.functions import Coalesce, Greatest

from scoring.models import Hand, League, Player, Tally

# A hand that counts, and what each player (id) won or paid with it, in whole points.
Paid = tuple[Hand, Mapping[int, int]]


def open_for(league: League, players: Iterable[Player]) -> None:
    """Make sure that each of ``players`` has a tally in ``league``."""
    Tally.objects.bulk_create(
        [Tally(league=league, player=player) for player in players], ignore_conflicts=True
    )


def lock(league: int) -> None:
    """Lock all tallies of ``league`` (its id): before anything that may move ratings far and wide."""
    rows = Tally.objects.select_for_update().filter(league=league)
    list(rows.order_by("player_id").values_list("pk"))


def change(
    league: int, *, come: Sequence[Paid] = (), gone: Sequence[Paid] = (), games: int = 0
) -> None:
    """Count the hands that ``come`` into the tallies of ``league`` (its id), and out what is ``gone``.

    What is gone must be saved as such: a best hand may have to be looked up again.

    :param games: what it adds to the number of games of each player: 1, 0 or -1.
    """
    gains: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for sign, hands in ((1, come), (-1, gone)):
        for hand, amounts in hands:
            for player, amount in amounts.items():
                _count(gains[player], hand, player, amount, sign)
    best = {
        player: max((hand.final for hand, _amounts in come if hand.winner_id == player), default=0)
        for player in gains
    }
    lost = {hand.winner_id for hand, _amounts in gone}
    for player in sorted(gains):
        gained = {field: F(field) + value for field, value in gains[player].items() if value}
        if games:
            gained["games"] = F("games") + games
        if player in lost:
            gained["best_hand"] = _best_hand(league, player)
        elif best[player]:
            gained["best_hand"] = Greatest(F("best_hand"), best[player])
        if gained:
            Tally.objects.filter(league=league, player=player).update(**gained)


def book(league: int, amounts: Mapping[int, int]) -> None:
    """Add ``amounts`` (whole points by player id) that no hand brought to the tallies of ``league``."""
    for player, amount in sorted(amounts.items()):
        Tally.objects.filter(league=league, player=player).update(points=F("points") + amount)


def _count(gains: Counter[str], hand: Hand, player: int, amount: int, sign: int) -> None:
    gains["points"] += sign * amount
    gains["hands"] += sign
    if hand.winner_id == player:
        gains["wins"] += sign
        gains["self_drawn"] += sign * hand.self_drawn
    if hand.discarder_id == player:
        gains["discards"] += sign


def _best_hand(league: int, player: int) -> Coalesce:
    won = Hand.objects.counting().filter(winner=player, game__league=league)
    return Coalesce(Subquery(won.order_by("-final").values("final")[:1]), 0)
