"""The hands that count, as slim rows: what the story of a league is worked out from."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from scoring.evaluator.rules import BY_ID
from scoring.evaluator.tiles import WINDS
from scoring.models import Hand, Payment
from scoring.models.hands import HandQuerySet
from scoring.translation import LIMITS


class CountedHand(NamedTuple):
    """A hand that counts. Players, game and hand are ids; ``amounts`` are whole points by player.

    Everybody at the table stands in ``amounts``, with 0 where nothing is paid, in the order of the
    seats. ``over`` says whether its game has ended, ``patterns`` what its scorecard names, in English.
    """

    pk: int
    game: int
    number: int
    evening: date
    started: float
    winner: int | None
    discarder: int | None
    dealer: int
    prevailing: str
    self_drawn: bool
    doubles: int | None
    final: int | None
    limit: bool
    checked: bool
    over: bool
    patterns: tuple[str, ...]
    amounts: dict[int, int]

    @property
    def at(self) -> list[Any]:
        """Where it stands in the order of play, as :class:`~scoring.story.figures.At` reads it."""
        place = [self.evening.isoformat(), self.started, self.game, self.number]
        return [*place, self.pk, self.checked]

    def seat_winds(self) -> dict[int, str]:
        """The wind of each player's seat, by the player."""
        seats = list(self.amounts)
        dealer = seats.index(self.dealer)
        return {one: WINDS[(seats.index(one) - dealer) % len(seats)].value for one in seats}


COLUMNS = (
    *("pk", "game", "number", "game__evening", "game__started_at", "winner", "discarder", "dealer"),
    *("prevailing", "self_drawn", "doubles", "final", "limit", "checked", "game__finished_at"),
    *("claimed_limit", "card"),
)


def counted_hands(hands: HandQuerySet) -> list[CountedHand]:
    """Those of ``hands`` that count, in the order of their evenings, their games and of the deal. Two queries."""
    counted = hands.counted()
    amounts: dict[int, dict[int, int]] = {}
    paid = Payment.objects.filter(hand__in=counted.order_by().values("pk")).order_by("pk")
    for hand, player, amount in paid.values_list("hand", "player", "amount").iterator():
        amounts.setdefault(hand, {})[player] = amount
    rows = counted.order_by("game__evening", "game__started_at", "game", "number")
    return [
        _counted(row, amounts[row[0]])
        for row in rows.values_list(*COLUMNS).iterator()
        # One that was stored since the payments were read comes with the next reading.
        if row[0] in amounts
    ]


def _counted(row: tuple[Any, ...], amounts: dict[int, int]) -> CountedHand:
    *columns, finished_at, claimed, card = row
    columns[4] = columns[4].timestamp()
    patterns = tuple(_patterns(card, claimed))
    return CountedHand._make([*columns, finished_at is not None, patterns, amounts])


def _patterns(card: Mapping[str, Any] | None, claimed: str) -> list[str]:
    """What the hand is paid for besides its sets: each double, faan and limit hand once."""
    if card is None:
        return [LIMITS.get(claimed, claimed)] if claimed else []
    lines = [
        line
        for report in ("double_report", "faan_report", "limit_report")
        for line in card.get(report, ())
    ]
    named = [BY_ID[line["rule"]].name if line["rule"] in BY_ID else line["label"] for line in lines]
    limits = [] if card.get("limit_report") else [LIMITS.get(one, one) for one in card["limits"]]
    return list(dict.fromkeys([*named, *limits]))


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
    amounts = hand.ruleset_version.table_rules.between_losers(hand.paid_at(people))
    return {(people[one], people[other]): amount for (one, other), amount in amounts.items()}
