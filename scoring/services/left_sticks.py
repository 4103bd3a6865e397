"""Sticks that lie on the table when a game is over: they go to its first player, where the rules say so."""

from collections import Counter
from collections.abc import Mapping, Sequence

from django.db.models import Sum
from django.utils.translation import gettext as _

from scoring.evaluator.table_rules import TableRules
from scoring.models import Adjustment, Game, Payment, Transfer

from . import tallies


def share_out(game: Game) -> None:
    """Book what lies on the table of ``game`` to its first player, if it is over; or take that back.

    Call it in the transaction that changes a game, after that is saved and before it is rated.
    """
    rules = game.ruleset_version.table_rules
    if not rules.left_to_first or game.withdrawn:
        return
    due = Counter[int]()
    if game.finished and game.sticks:
        due = left_to(rules, game.sticks, [player.pk for player in game.players], _won(game))
    due.subtract(Transfer.objects.from_tables().filter(adjustment__game=game).points())
    moved = {player: amount for player, amount in due.items() if amount}
    if not moved:
        return
    booked = Adjustment.objects.create(
        league_id=game.league_id, game=game, reason=_("Sticks left on the table")
    )
    Transfer.objects.bulk_create(_transfer(booked, *item) for item in moved.items())
    tallies.post(game.league_id, moved, game)


def left_to(
    rules: TableRules, sticks: int, seats: Sequence[int], won: Mapping[int, int]
) -> Counter[int]:
    """What each player gets of ``sticks`` that lie there at the end, in whole points by id.

    The first is who ``won`` most with the hands that count; of equal ones the nearer to the first dealer.

    :param seats: the ids of the four, East of the first hand first.
    """
    if not (rules.left_to_first and sticks):
        return Counter()
    first = max(seats, key=lambda player: won.get(player, 0))
    return Counter({first: rules.stick * sticks})


def _won(game: Game) -> dict[int, int]:
    """What the hands that count brought each player, in whole points by id."""
    paid = Payment.objects.undisputed().filter(hand__game=game).order_by()
    return dict(paid.values_list("player").annotate(total=Sum("amount")))


def _transfer(booked: Adjustment, player: int, amount: int) -> Transfer:
    if amount > 0:
        return Transfer(adjustment=booked, payee_id=player, amount=amount)
    return Transfer(adjustment=booked, payer_id=player, amount=-amount)
