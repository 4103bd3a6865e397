"""Add up what games brought their players: the payments that count, and adjustments in a game."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import QuerySet, Sum

from . import Game, Payment, Transfer

# What each player has won or lost, in whole points, by the player's id.
Totals = dict[int, int]


def game_totals(game: Game) -> Totals:
    """What each player of ``game`` has won or lost; empty before anything was paid."""
    return totals([game])[game.pk]


def totals(games: Iterable[Game]) -> defaultdict[int, Totals]:
    """The totals of each of ``games``, by the game's id. Two queries, however many the games.

    A disputed hand does not count; an adjustment that was booked in the game does.
    """
    sums = _sums(Payment.objects.undisputed(), games)
    _add_adjustments(sums, games)
    return sums


def results(games: Iterable[Game]) -> dict[int, Totals]:
    """The totals of those of ``games`` in which a hand counts: what ratings are made of.

    A game that was withdrawn rates nobody. Only who plays is rated: a booking may name somebody
    whose seat another player took later.
    """
    counted = _sums(Payment.objects.counted(), games)
    sums = defaultdict(dict, {game: dict(won) for game, won in counted.items()})
    _add_adjustments(sums, games)
    return {game: {player: sums[game][player] for player in won} for game, won in counted.items()}


def _sums(paid: QuerySet[Payment], games: Iterable[Game]) -> defaultdict[int, Totals]:
    sums = (
        paid.filter(hand__game__in=games)
        .values_list("hand__game", "player")
        .annotate(total=Sum("amount"))
    )
    by_game: defaultdict[int, Totals] = defaultdict(dict)
    for game, player, total in sums.order_by():
        by_game[game][player] = total
    return by_game


def _add_adjustments(sums: defaultdict[int, Totals], games: Iterable[Game]) -> None:
    """Add the transfers booked in ``games`` to the totals ``sums``."""
    booked = Transfer.objects.filter(adjustment__game__in=games).points_by_game()
    for game, points in booked.items():
        for player, amount in points.items():
            sums[game][player] = sums[game].get(player, 0) + amount
