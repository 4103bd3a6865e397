"""A hand: its tiles, its declared sets, and where and how it was won."""

from functools import cached_property

from .notation import format_hand, parse_hand, parse_wind
from .problems import refuse
from .rules import (
    CLUB,
    CONSISTENCY_RULES,
    LIMIT_RULES,
    Reading,
    RuleSet,
    double_lines,
    thirteen_orphans,
)
from .search import interpretations
from .sets import Set
from .tiles import Tile, Wind


class Hand:
    """14 to 18 tiles, with the winds they count under.

    >>> hand = Hand.from_notation("222B 345B 55B 222D GGG")
    >>> hand.points(), hand.final_score()
    (36, 70)
    """

    def __init__(
        self,
        tiles: tuple[Tile, ...],
        *,
        seat_wind: Wind,
        prevailing_wind: Wind,
        melds: tuple[Set, ...] = (),
        concealed: bool | None = None,
        self_drawn: bool = False,
    ) -> None:
        """:raises HandError: if a hand with an open set is said to be concealed."""
        self.tiles = tuple(sorted(tiles))
        self.seat_wind, self.prevailing_wind = seat_wind, prevailing_wind
        self.melds = melds
        closed = all(meld.concealed for meld in melds)
        if concealed and not closed:
            raise refuse(
                "concealed", "open_set", "A hand with an open set is not concealed: choose one."
            )
        self.concealed = closed if concealed is None else concealed
        self.self_drawn = self_drawn

    @classmethod
    def from_notation(
        cls,
        text: object,
        seat: object = "S",
        prevailing: object = "E",
        melds: object = None,
        concealed: bool | None = None,
        self_drawn: bool = False,
    ) -> "Hand":
        """:raises HandError: with all that is wrong with tiles, melds or winds."""
        parsed = parse_hand(text, melds)
        return cls(
            parsed.tiles,
            seat_wind=parse_wind(seat, "seat"),
            prevailing_wind=parse_wind(prevailing, "prevailing"),
            melds=parsed.melds,
            concealed=concealed,
            self_drawn=self_drawn,
        )

    def __str__(self) -> str:
        return format_hand(self.tiles, self.melds)

    def __repr__(self) -> str:
        return (
            f"Hand.from_notation({str(self)!r}, {self.seat_wind.value!r}, "
            f"{self.prevailing_wind.value!r}, concealed={self.concealed!r}, "
            f"self_drawn={self.self_drawn!r})"
        )

    @cached_property
    def interpretations(self) -> list[tuple[Set, ...]]:
        """Every way to see five sets, in the book's order; empty for thirteen orphans."""
        return interpretations(self.tiles, self.melds)

    @cached_property
    def orphans(self) -> bool:
        return not self.melds and thirteen_orphans(self.tiles)

    def mahjongg(self) -> bool:
        """Whether the hand wins."""
        return bool(self.interpretations) or self.orphans

    def reading(self, sets: tuple[Set, ...], rules: RuleSet = CLUB) -> Reading:
        return Reading(
            sets, self.tiles, self.seat_wind, self.prevailing_wind, self.concealed, rules
        )

    def ranked(self, rules: RuleSet = CLUB) -> "list[Worth]":
        """Every interpretation with its worth, the one that counts first."""
        found = [Worth(self.reading(sets, rules)) for sets in self.interpretations]
        if rules.interpretation == "best":
            found.sort(key=lambda worth: (-worth.final, -worth.total, -worth.points))
        return found

    def chosen(self, rules: RuleSet = CLUB) -> "Worth":
        """:raises ValueError: if the hand has no interpretation."""
        ranked = self.ranked(rules)
        if not ranked:
            raise ValueError("This hand has no five sets.")
        return ranked[0]

    def points(self, rules: RuleSet = CLUB) -> int:
        return self.chosen(rules).points

    def doubles(self, rules: RuleSet = CLUB) -> int:
        return self.chosen(rules).doubles

    def lucky_sets(self, rules: RuleSet = CLUB) -> int:
        return self._double("lucky_sets", rules)

    def groups(self, rules: RuleSet = CLUB) -> int:
        return self._double("groups", rules)

    def sequences(self, rules: RuleSet = CLUB) -> int:
        return self._double("sequences", rules)

    def no_points(self, rules: RuleSet = CLUB) -> int:
        return self._double("no_points", rules)

    def consistency(self, rules: RuleSet = CLUB) -> int:
        return sum(self._double(rule.id, rules) for rule in CONSISTENCY_RULES)

    def _double(self, rule_id: str, rules: RuleSet) -> int:
        return sum(n for rule, n, _g in self.chosen(rules).double_lines if rule.id == rule_id)

    def final_score(self, rules: RuleSet = CLUB) -> int:
        """Whole points; the limit for a limit hand. :raises ValueError: if it does not win."""
        return rules.limit if self.orphans else self.chosen(rules).final


class Worth:
    """What one interpretation of a hand is worth, in whole points."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.points = reading.points
        self.double_lines = list(double_lines(reading))
        self.doubles = sum(doubles for _rule, doubles, _group in self.double_lines)
        self.total = self.points * 2**self.doubles
        self.limits = [rule.id for rule in LIMIT_RULES if rule.test(reading)]
        rules = reading.rules
        rounded = (self.total + rules.rounding // 2) // rules.rounding * rules.rounding
        self.final = rules.limit if self.limits else min(rounded, rules.limit)
