"""Head to head: who got how much from whom, over all hands that count.

Bookings are left out, and so is what somebody gets after a draw or from the table: it is from no one player.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from scoring.models import League, Player
from scoring.models.letters import plain_letters
from scoring.models.permissions import User
from scoring.story.figures import Sums
from scoring.story.store import sums_of

from .player_story import figures_by_league, sums_over


class Against(NamedTuple):
    """What somebody won from ``player`` (less than 0: lost to), in whole points, in so many hands."""

    player: Player
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class HeadToHeadRow:
    """What ``player`` won in all, in whole points, and ``against`` whom, in the order of the names."""

    player: Player
    points: int
    against: list[Against]


def head_to_head(league: League) -> list[HeadToHeadRow]:
    """A line for everybody who played in ``league``, by name. Three queries if nothing has changed.

    What one has against another, the other has against the one with the sign turned: all sum to 0.
    """
    by_player = sums_of([league]).get(league.pk, {})
    people = _by_name(by_player)
    return [_line(player, people, by_player[player.pk]["against"]) for player in people]


def against(player: Player, user: User) -> HeadToHeadRow:
    """What ``player`` has against each other, in the leagues that ``user`` may see.

    Three queries if nothing has changed.
    """
    sums = sums_over(figures_by_league(player, user))["against"]
    return _line(player, _by_name(map(int, sums)), sums)


def _by_name(players: Iterable[int]) -> list[Player]:
    people = Player.objects.in_bulk(list(players)).values()
    return sorted(people, key=lambda player: (plain_letters(player.name), player.pk))


def _line(player: Player, others: Iterable[Player], sums: Sums) -> HeadToHeadRow:
    met = [(other, sums[str(other.pk)]) for other in others if str(other.pk) in sums]
    lines = [Against(other, points, hands) for other, (points, hands, *_dealt) in met]
    return HeadToHeadRow(player, sum(line.points for line in lines), lines)
