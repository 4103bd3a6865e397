"""Head to head: who got how much from whom, over all hands that count.

Bookings are left out, and so is what somebody gets after a draw or from the table: it is from no one player.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from scoring.models import Hand, League, Player
from scoring.models.hands import HandQuerySet
from scoring.models.letters import plain_letters
from scoring.models.permissions import User

from .counted_hands import between_losers, counted_hands, paid_between


class Against(NamedTuple):
    """What somebody won from ``player`` (less than 0: lost to), in whole points, in so many hands."""

    player: Player
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class Line:
    """What ``player`` won in all, in whole points, and ``against`` whom, in the order of the names."""

    player: Player
    points: int
    against: list[Against]


def head_to_head(league: League) -> list[Line]:
    """A line for everybody who played in ``league``, by name. Five queries at most.

    What one has against another, the other has against the one with the sign turned: all sum to 0.
    """
    points, hands = _sums(Hand.objects.filter(game__league=league))
    people = _by_name({one for one, _other in hands})
    return [_line(player, people, points, hands) for player in people]


def against(player: Player, user: User) -> Line:
    """What ``player`` has against each other, in the leagues that ``user`` may see. Five queries at most."""
    leagues = League.objects.visible_to(user).order_by()
    played = Hand.objects.filter(payments__player=player, game__league__in=leagues)
    points, hands = _sums(played)
    others = _by_name({other for one, other in hands if one == player.pk})
    return _line(player, others, points, hands)


Pairs = Counter[tuple[int, int]]


def _sums(hands: HandQuerySet) -> tuple[Pairs, Pairs]:
    """Of each two players (ids) what the first got from the second, and in how many hands they met."""
    points: Pairs = Counter()
    met: Pairs = Counter()
    losers = between_losers(hands)
    for hand in counted_hands(hands):
        met.update((one, other) for one in hand.amounts for other in hand.amounts if one != other)
        for pair, amount in paid_between(hand, losers).items():
            points[pair] += amount
    return points, met


def _by_name(players: Iterable[int]) -> list[Player]:
    people = Player.objects.in_bulk(list(players)).values()
    return sorted(people, key=lambda player: (plain_letters(player.name), player.pk))


def _line(player: Player, others: Iterable[Player], points: Pairs, hands: Pairs) -> Line:
    met = [other for other in others if hands[player.pk, other.pk]]
    lines = [
        Against(other, points[player.pk, other.pk], hands[player.pk, other.pk]) for other in met
    ]
    return Line(player, sum(line.points for line in lines), lines)
