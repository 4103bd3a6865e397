"""The hands that count, as slim rows: what awards and head to head are worked out from."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from scoring.evaluator.table_rules import Paid
from scoring.models import Hand, Payment
from scoring.models.hands import HandQuerySet


class CountedHand(NamedTuple):
    """A hand that counts. Players, game and hand are ids; ``amounts`` are whole points by player.

    Everybody at the table stands in ``amounts``, with 0 where nothing is paid. ``over`` says whether
    its game has ended.
    """

    pk: int
    game: int
    evening: date
    winner: int | None
    discarder: int | None
    self_drawn: bool
    doubles: int | None
    final: int | None
    limit: bool
    checked: bool
    over: bool
    amounts: dict[int, int]


COLUMNS = (
    *("pk", "game", "game__evening", "winner", "discarder", "self_drawn", "doubles", "final"),
    *("limit", "checked", "game__finished_at"),
)


def counted_hands(hands: HandQuerySet) -> list[CountedHand]:
    """Those of ``hands`` that count, in the order of their games and of the deal. Two queries."""
    counted = hands.counted()
    amounts: dict[int, dict[int, int]] = {}
    paid = Payment.objects.filter(hand__in=counted.order_by().values("pk")).order_by()
    for hand, player, amount in paid.values_list("hand", "player", "amount").iterator():
        amounts.setdefault(hand, {})[player] = amount
    rows = counted.order_by("game__started_at", "game", "number").values_list(*COLUMNS)
    return [
        CountedHand._make([*row[:-1], row[-1] is not None, amounts.get(row[0], {})])
        for row in rows.iterator()
    ]


# What each of two players (ids) got from the other, in whole points: (0, 1) is what 0 got from 1.
Between = dict[tuple[int, int], int]


def paid_between(hand: CountedHand, losers: Mapping[int, Between]) -> Between:
    """Who got how much from whom for ``hand``; with each pair its reverse, less than 0.

    :param losers: of hands in which losers paid each other, what they paid; by the hand's id.
    """
    between = dict(losers.get(hand.pk, {}))
    if hand.winner is None:
        return between
    for player, amount in hand.amounts.items():
        if player != hand.winner:
            to_winner = sum(paid for (one, _other), paid in between.items() if one == player)
            between[hand.winner, player] = to_winner - amount
            between[player, hand.winner] = amount - to_winner
    return between


def between_losers(hands: HandQuerySet) -> dict[int, Between]:
    """Of those of ``hands`` that count, what losers paid each other, by the hand's id. Two queries at most."""
    settled = hands.counted().filter(others__isnull=False).order_by()
    rows = settled.select_related("ruleset_version__ruleset").prefetch_related("payments")
    return {hand.pk: _between_losers(hand) for hand in rows}


def _between_losers(hand: Hand) -> Between:
    people = [payment.player_id for payment in hand.payments.all()]
    places = {player: place for place, player in enumerate(people)}
    paid = Paid.of(
        places[hand.winner_id or 0],
        hand.final or 0,
        dealer=places[hand.dealer_id],
        liable=places.get(hand.liable_id or 0),
        losers={places[other["player"]]: other["final"] for other in hand.others or ()},
    )
    found = hand.ruleset_version.table_rules.between_losers(paid)
    return {(people[one], people[other]): amount for (one, other), amount in found.items()}
