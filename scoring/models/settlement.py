"""Work out what is still to be paid after an evening. Nothing of it is stored."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.db.models import Sum

from scoring.evaluator.transfers import Due, Plan, apportion, fewest_transfers

from . import EveningPayment, EveningTerms, League, Payment, Player, Transfer
from .evening_money import POINTS
from .games import not_withdrawn
from .hands import current_hand, undisputed_hand

# The id of a league, and the day.
Evening = tuple[int, date]
# A player's id, or None for the club's till.
Party = int | None
Balances = dict[Party, int]


@dataclass(frozen=True, slots=True)
class Sums:
    """What everybody gets (less than 0: pays) in one currency, or in points where that is empty.

    :ivar due: by the totals of the evening, stake and fee, in the smallest unit.
    :ivar left: what is still to be paid of it, after the payments that were marked.
    """

    currency: str
    due: Balances
    left: Plan[Party]


@dataclass(frozen=True, slots=True)
class Settlement:
    """Who owes whom after the evening of ``day``.

    :ivar points: what each player has won or lost, in whole points by id.
    :ivar players: everybody who has played or paid, by id.
    :ivar payments: those that were marked, also what was undone, the oldest first.
    """

    league: League
    day: date
    terms: EveningTerms
    points: dict[int, int]
    players: dict[int, Player]
    payments: list[EveningPayment]
    sums: list[Sums]

    def of(self, currency: str) -> Sums | None:
        """What is owed in ``currency``; None for nothing at all."""
        return next((one for one in self.sums if one.currency == currency), None)

    @property
    def on_the_table(self) -> int:
        """How many points nobody has (yet)."""
        return -sum(self.points.values())

    @property
    def paid(self) -> list[EveningPayment]:
        """The payments that were not undone."""
        return [payment for payment in self.payments if payment.undone_at is None]


def settlement_of(league: League, day: date) -> Settlement:
    """What is to be paid after the evening of ``day``. Five queries, however much was played."""
    terms = EveningTerms.objects.in_force(league, day)
    people, points = points_of(league, day)
    payments = list(EveningPayment.objects.filter(league=league, day=day).with_people())
    named = {pk for one in payments for pk in (one.payer_id, one.payee_id) if pk is not None}
    due = dues(terms, points, fee_of=people)
    # A currency in which nothing is owed any more was paid in all the same: it is shown, and owed back.
    for payment in payments:
        due.setdefault(payment.currency, {})
    in_force = [payment for payment in payments if payment.undone_at is None]
    return Settlement(
        league=league,
        day=day,
        terms=terms,
        points=points,
        players=Player.objects.in_bulk(named | set(points)),
        payments=payments,
        sums=[_sums(currency, owed, in_force) for currency, owed in due.items()],
    )


def points_of(league: League, day: date) -> tuple[list[int], dict[int, int]]:
    """Who has played on the evening of ``day``, and what everybody has won or lost, in whole points by id.

    Points that were booked in a game count, also of whoever was replaced before the first hand, unless they were all
    taken back. Two queries.
    """
    evening = league.pk, day
    return points_by_evening([evening])[evening]


def points_by_evening(
    evenings: Collection[Evening],
) -> dict[Evening, tuple[list[int], dict[int, int]]]:
    """The same of each of ``evenings``. Two queries, however many there are."""
    leagues, days = {league for league, _day in evenings}, {day for _league, day in evenings}
    points: dict[Evening, dict[int, int]] = {evening: {} for evening in evenings}
    of_hands = Payment.objects.filter(
        current_hand("hand__"),
        not_withdrawn("hand__game__"),
        # Leagues and days apart, and not in pairs: an index serves that. What lies between them is left out below.
        hand__game__league__in=leagues,
        hand__game__evening__in=days,
    )
    # Of whom all hands are disputed has played, and has 0.
    won = Sum("amount", filter=undisputed_hand("hand__"), default=0)
    rows = of_hands.order_by().values_list("hand__game__league", "hand__game__evening", "player")
    for league, day, player, amount in rows.annotate(won=won):
        if (league, day) in points:
            points[league, day][player] = amount
    people = {evening: sorted(own) for evening, own in points.items()}
    in_games = {"adjustment__game__league__in": leagues, "adjustment__game__evening__in": days}
    booked = Transfer.objects.counted().filter(**in_games).points_by_evening()
    for evening in points.keys() & booked.keys():
        own = points[evening]
        for player, amount in booked[evening].items():
            if amount or player in own:
                own[player] = own.get(player, 0) + amount
    return {evening: (people[evening], points[evening]) for evening in points}


def dues(
    terms: EveningTerms, points: Mapping[int, int], *, fee_of: Collection[int]
) -> dict[str, Balances]:
    """What everybody gets, or less than 0 pays, by currency: by ``terms``, for the ``points`` they have.

    Points are owed where there is no stake. Money is the stake and the fee together, rounded by largest
    remainders; the till gets the fee. All of one currency adds up to 0.

    :param fee_of: the ids of those who pay the fee.
    """
    players, on_the_table = sorted(points), -sum(points.values())
    owed: dict[str, Balances] = {}
    if not terms.stake:
        owed[POINTS] = {player: points[player] for player in players}
        if on_the_table:
            owed[POINTS][None] = on_the_table
    if terms.in_money:
        stake = Fraction(terms.stake, terms.stake_points)
        # Exact, and rounded together at the end: shares that are rounded one by one leave a cent to nobody.
        shares: dict[Party, Fraction] = {player: points[player] * stake for player in players}
        shares[None] = on_the_table * stake
        for player in fee_of:
            fee = Fraction(terms.fee)
            if terms.fee_per == EveningTerms.FeePer.EVENING:
                fee /= len(fee_of)
            shares[player] -= fee
            shares[None] += fee
        owed[terms.currency] = apportion(shares, terms.rounding)
    return owed


def still_to_pay(due: Mapping[Party, int], paid: Iterable[Due[Party]]) -> Plan[Party]:
    """The fewest transfers that are left of ``due`` after what was ``paid``, the oldest first.

    As long as people pay what they are told to, the other transfers stay as they were: the plan is made
    of what was due before the payments that it holds.
    """
    balances, later = dict(due), list(paid)
    while True:
        plan = fewest_transfers(balances)
        # A plan holds each transfer once: of two payments alike one is taken for paid beforehand.
        if len(set(later)) == len(later) and set(later) <= set(plan.transfers):
            left = tuple(one for one in plan.transfers if one not in later)
            return Plan(left, plan.fewest)
        first = later.pop(0)
        balances[first.payer] = balances.get(first.payer, 0) + first.amount
        balances[first.payee] = balances.get(first.payee, 0) - first.amount


def _sums(currency: str, due: Balances, payments: Iterable[EveningPayment]) -> Sums:
    paid: list[Due[Party]] = [
        Due(one.payer_id, one.payee_id, one.amount) for one in payments if one.currency == currency
    ]
    return Sums(currency, due, still_to_pay(due, paid))
