"""Records and awards of a league, and who holds them."""

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
    """A player who holds an award since the hand ``at``."""

    player: Player
    at: At


@dataclass(frozen=True, slots=True)
class Held:
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


def awards_of(league: League) -> list[Held]:
    """The awards of ``league`` that somebody holds, in their order. Three queries if nothing has changed."""
    said = sums_of([league]).get(league.pk, {})
    best = [(one, *_best(one, said)) for one in AWARDS.values()]
    people = Player.objects.in_bulk({player for _one, _value, held in best for player, _at in held})
    return [
        Held(one, value, [Holder(people[player], at) for player, at in held])
        for one, value, held in best
        if value is not None
    ]


Best = tuple[int | Fraction | None, list[tuple[int, At]]]


def _best(one: Award, said: ByPlayer) -> Best:
    """The best value of an award, and who has reached it, the first one first."""
    figures = {
        player: own["awards"][one.id] for player, own in said.items() if one.id in own["awards"]
    }
    worth = {player: one.kind.worth(figure) for player, figure in figures.items()}
    values = [value for value in worth.values() if value or (one.least and value is not None)]
    if not values:
        return None, []
    best = (min if one.least else max)(values)
    held = [(player, At.of(figures[player])) for player, value in worth.items() if value == best]
    return best, sorted(held, key=lambda holder: holder[1])
