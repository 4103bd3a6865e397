"""A league worked out from nothing but what people said: slow, obvious, without a database.

Scores, payments and the deal come from the reference of the evaluator's tests, which shares no code
with the site; ratings are those of openskill. People are places 0 to 3 at a table and names elsewhere.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import NamedTuple

from openskill.models import PlackettLuce

from tests.evaluator import reference
from tests.evaluator.reference_table import Table, payments, play, seat_wind

CLUB = reference.House()
MODEL = PlackettLuce()
CLAIMED = 120

# Winds matter in some of these, so that a moved deal is another score. Without tiles the table has
# claimed a score.
HANDS = {
    "222B 345B 55B 222D GGG": "2B 2B 2B 3B 4B 5B 5B 5B 2D 2D 2D G G G",
    "SSS 345B 55B 222D GGG": "S S S 3B 4B 5B 5B 5B 2D 2D 2D G G G",
    "EEE NNN WW 222D 789C": "E E E N N N W W 2D 2D 2D 7C 8C 9C",
    "": "",
}


class Outcome(NamedTuple):
    """Who won off whom with what; ``discarder`` None is self-drawn. A drawn hand is None instead."""

    winner: int
    discarder: int | None
    tiles: str


@dataclass
class Played:
    """One hand that stands.

    :ivar at: the moment it was played at.
    :ivar answers: what the others say, by place: True confirms, False disputes.
    :ivar doubted: the outcomes that were disputed here; a correction brings none back undisputed.
    """

    outcome: Outcome | None
    at: int
    answers: dict[int, bool] = field(default_factory=dict)
    settled: bool = False
    doubted: frozenset[Outcome | None] = frozenset()

    @property
    def counts(self) -> bool:
        return self.settled or all(self.answers.values())


@dataclass
class Sitting:
    """One game of a league.

    :ivar players: their names, East to North of the first hand.
    :ivar played: the hands that stand, by number.
    :ivar booked: who paid whom how much besides, by place.
    :ivar got_up_at: when it was ended before its time; None if it was not.
    """

    players: list[str]
    played: dict[int, Played] = field(default_factory=dict)
    booked: list[tuple[int, int, int]] = field(default_factory=list)
    got_up_at: int | None = None

    @property
    def next_number(self) -> int:
        return max(self.played, default=0) + 1

    @property
    def table(self) -> Table:
        """Where it stands after its hands."""
        return play([winner_of(self.played[number]) for number in sorted(self.played)], CLUB)

    @property
    def finished_at(self) -> int | None:
        if self.got_up_at is not None:
            return self.got_up_at
        return self.played[max(self.played)].at if self.table.round is None else None

    def asked_again(self, place: int) -> None:
        """Each hand is a new version: only disputes stay, and not those of ``place``."""
        for one in self.played.values():
            kept = {} if one.counts else one.answers
            one.answers = {by: False for by, yes in kept.items() if not yes and by != place}

    def dealt(self) -> dict[int, Table]:
        """How the table stood before each hand, by number."""
        numbers = sorted(self.played)
        winners = [winner_of(self.played[number]) for number in numbers]
        return {number: play(winners[:place], CLUB) for place, number in enumerate(numbers)}

    def results(self) -> list[tuple[Played, int, list[int]]]:
        """The hands that count, with the winner's score (0 if drawn) and what each place received."""
        lines = []
        for number, before in self.dealt().items():
            one = self.played[number]
            if not one.counts:
                continue
            final, received = 0, [0, 0, 0, 0]
            if one.outcome is not None:
                winner, discarder, tiles = one.outcome
                final = score_of(tiles, seat_wind(before, winner), before.round)
                received = payments(final, winner, before.dealer, discarder, CLUB)
            lines.append((one, final, received))
        return lines


def to_a_tenth(points, hands):
    """The points of a hand on average, a half away from nothing."""
    exact = Decimal(points) / Decimal(hands) if hands else Decimal(0)
    return float(exact.quantize(Decimal("0.1"), ROUND_HALF_UP)) + 0.0


def paid_for(one: Played, before: Table) -> list[int]:
    """What each place receives for a hand, as the table stood before it."""
    if one.outcome is None:
        return [0, 0, 0, 0]
    winner, discarder, tiles = one.outcome
    final = score_of(tiles, seat_wind(before, winner), before.round)
    return payments(final, winner, before.dealer, discarder, CLUB)


def possible(played: dict[int, Played]) -> bool:
    """Whether none of these hands lies beyond the end of a game."""
    winners = [winner_of(played[number]) for number in sorted(played)]
    return all(play(winners[:length], CLUB).round for length in range(len(winners)))


class LeagueLine(NamedTuple):
    """One line of a league table."""

    rank: int
    name: str
    points: int
    hands: int
    wins: int
    games: int
    average: float
    best_hand: int
    rating: int


def league_table(sittings: Iterable[Sitting]) -> list[LeagueLine]:
    """Who leads: everybody with a hand that counts, or points without one."""
    points: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    wins: Counter[str] = Counter()
    games: Counter[str] = Counter()
    best: Counter[str] = Counter()
    sittings = list(sittings)
    for sitting in sittings:
        results = sitting.results()
        for one, final, received in results:
            for place, name in enumerate(sitting.players):
                hands[name] += 1
                points[name] += received[place]
                if one.outcome is not None and one.outcome.winner == place:
                    wins[name] += 1
                    best[name] = max(best[name], final)
        for name in sitting.players:
            games[name] += bool(results)
        for payer, payee, amount in sitting.booked:
            points[sitting.players[payer]] -= amount
            points[sitting.players[payee]] += amount
    rating = ratings(sittings)
    listed = [name for name in points if hands[name] or points[name]]
    listed.sort(key=lambda name: (-points[name], name.casefold()))
    return [
        LeagueLine(
            rank=1 + sum(points[other] > points[name] for other in listed),
            name=name,
            points=points[name],
            hands=hands[name],
            wins=wins[name],
            games=games[name],
            average=to_a_tenth(points[name], hands[name]),
            best_hand=best[name],
            rating=rating.get(name, 1000),
        )
        for name in listed
    ]


def ratings(sittings: Iterable[Sitting]) -> dict[str, int]:
    """Each game that is over and in which a hand counts is a match, in the order they ended."""
    strength = {}
    over = [one for one in sittings if one.finished_at is not None and one.results()]
    for sitting in sorted(over, key=lambda one: one.finished_at):
        total = [0, 0, 0, 0]
        for _one, _final, received in sitting.results():
            total = [sum(pair) for pair in zip(total, received, strict=True)]
        for payer, payee, amount in sitting.booked:
            total[payer] -= amount
            total[payee] += amount
        teams = [[strength.get(name) or MODEL.rating()] for name in sitting.players]
        after = MODEL.rate(teams, scores=[float(points) for points in total])
        for name, (new,) in zip(sitting.players, after, strict=True):
            strength[name] = new
    return {name: round(1000 + 24 * (one.mu - 25)) for name, one in strength.items()}


def winner_of(played: Played) -> int | None:
    return None if played.outcome is None else played.outcome.winner


@cache
def score_of(tiles: str, seat: str, prevailing: str) -> int:
    if not tiles:
        return CLAIMED
    hand = reference.Hand(tuple(HANDS[tiles].split()), seat, prevailing)
    return reference.score(hand, CLUB).final
