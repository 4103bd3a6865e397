"""Records and awards of a league, and who holds them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoring.models import League, Player
from scoring.story.awards import AWARDS, Award
from scoring.story.figures import At
from scoring.story.store import ByPlayer, sums_of

# How many of those who are level a page names.
NAMED = 5


@dataclass(frozen=True, slots=True)
class Holder:
    """A player who holds an award since the hand ``at``, in the league that ``slug`` names."""

    player: Player
    at: At
    slug: str


@dataclass(frozen=True, slots=True)
class HeldAward:
    """An ``award``, its best ``value``, and who holds it: all who are level, the first one first."""

    award: Award
    value: int | Fraction
    holders: list[Holder]

    @property
    def first(self) -> list[Holder]:
        """Those whom a page names."""
        return self.holders[:NAMED]

    @property
    def others(self) -> int:
        """How many more hold it."""
        return len(self.holders) - len(self.first)


def awards_of(league: League) -> list[HeldAward]:
    """The awards of ``league`` that somebody holds, in their order. Three queries if nothing has changed."""
    by_player = sums_of([league]).get(league.pk, {})
    return held_awards(
        AWARDS.values(), {league.slug: by_player}, Player.objects.in_bulk(list(by_player))
    )


def held_awards(
    awards: Iterable[Award], seasons: Mapping[str, ByPlayer], people: Mapping[int, Player]
) -> list[HeldAward]:
    """Those of ``awards`` that somebody holds, in their order: the best of any one of ``seasons``.

    :param seasons: the sums of each, by the slug of its league.
    """
    best = [(one, *_best(one, seasons)) for one in awards]
    return [
        HeldAward(one, value, [Holder(people[player], at, slug) for player, at, slug in held])
        for one, value, held in best
        if value is not None
    ]


Best = tuple[int | Fraction | None, list[tuple[int, At, str]]]


def _best(one: Award, seasons: Mapping[str, ByPlayer]) -> Best:
    """The best value of an award, and who has reached it, the first one first."""
    reached = [
        (one.kind.worth(own["awards"][one.id]), player, At.of(own["awards"][one.id]), slug)
        for slug, by_player in seasons.items()
        for player, own in by_player.items()
        if one.id in own["awards"]
    ]
    values = [value for value, *_reached in reached if value or (one.least and value is not None)]
    if not values:
        return None, []
    best = (min if one.least else max)(values)
    level = [(at, player, slug) for value, player, at, slug in reached if value == best]
    first: dict[int, tuple[int, At, str]] = {}
    for at, player, slug in sorted(level):
        first.setdefault(player, (player, at, slug))
    return best, list(first.values())
