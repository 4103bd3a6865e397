"""Scorecards of hands: figures, and the lines that add up to them."""

from functools import lru_cache
from typing import NamedTuple

from .counts import tiles_of
from .readings import Part, Reading
from .reports import DoubleLine, DoubleReport, JsonObject, PointLine, PointReport, card_in_print
from .rules import BY_ID, PointRule, Rule, RuleSet, Verdict, point_rule
from .sets import Set, full_set
from .text import Text
from .tiles import WINDS
from .why import why_not

REMEMBERED = 2**14  # suits


class Scored(NamedTuple):
    """One reading of a hand and what it is worth."""

    verdict: Verdict
    reading: Reading


class Interpretation(NamedTuple):
    """Five sets that the tiles can be read as, and what they are worth."""

    sets: tuple[Set, ...]
    points: int
    doubles: int
    total: int
    final: int
    chosen: bool


class Scorecard:
    """A hand's figures, in whole points, and lines. None and empty where it does not win.

    ``ranked`` are its readings, the one that counts first; ``counts`` and ``melds`` its tiles.
    """

    __slots__ = ("_why", "_winds", "counts", "melds", "ranked", "rules")

    def __init__(
        self,
        ranked: list[Scored],
        rules: RuleSet,
        counts: int,
        melds: tuple[Set, ...],
        winds: int,
    ) -> None:
        self.ranked, self.rules = ranked, rules
        self.counts, self.melds, self._winds = counts, melds, winds
        self._why: str | None = None

    def __str__(self) -> str:
        """The card as the book prints it; for a hand that does not win, why."""
        if not self.ranked:
            return str(self.why)
        reports = PointReport(self.point_report), DoubleReport(self.double_report)
        limits = [BY_ID[limit].name for limit in self.limits]
        return card_in_print(*reports, limits, self.ranked[0].verdict.final)

    @property
    def winning(self) -> bool:
        return bool(self.ranked)

    @property
    def points(self) -> int | None:
        return self.ranked[0].verdict.points if self.ranked else None

    @property
    def doubles(self) -> int | None:
        return self.ranked[0].verdict.doubles if self.ranked else None

    @property
    def total(self) -> int | None:
        """Points, doubled; neither rounded nor limited."""
        return self.ranked[0].verdict.total if self.ranked else None

    @property
    def final(self) -> int | None:
        return self.ranked[0].verdict.final if self.ranked else None

    @property
    def limits(self) -> tuple[str, ...]:
        """The ids of the limit hands that it is."""
        return self.ranked[0].verdict.limits if self.ranked else ()

    @property
    def ruleset(self) -> str:
        return self.rules.slug

    @property
    def version(self) -> int:
        return self.rules.version

    @property
    def sets(self) -> tuple[Set, ...]:
        return self.ranked[0].reading.sets if self.ranked else ()

    @property
    def point_report(self) -> tuple[PointLine, ...]:
        """The lines that add up to the points."""
        if not self.ranked:
            return ()
        return sum(map(_point_lines, self.ranked[0].reading.parts), (WINNING,))

    @property
    def double_report(self) -> tuple[DoubleLine, ...]:
        """The lines that add up to the doubles."""
        lines = self.ranked[0].verdict.double_lines if self.ranked else ()
        return _double_report(lines)

    @property
    def interpretations(self) -> list[Interpretation]:
        """Every way to read the hand, the one that counts first; none for thirteen orphans."""
        return [
            Interpretation(sets, points, doubles, total, final, place == 0)
            for place, ((points, doubles, total, final, _limits, _lines), reading) in enumerate(
                self.ranked
            )
            if (sets := reading.sets)
        ]

    @property
    def why(self) -> str | None:
        """For a hand that does not win: what fits, what is left over, what one exchange would do."""
        if self._why is None and not self.ranked:
            self._why = why_not(self.counts, self.melds)
        return self._why

    def as_dict(self) -> JsonObject:
        """The card in the shape of the API, ready for JSON."""
        readings = [scored for scored in self.ranked if scored.reading.sets]
        interpretations = [
            self._interpretation(scored, chosen=place == 0) for place, scored in enumerate(readings)
        ]
        return {
            "winning": self.winning,
            **self._figures(self.ranked[0].verdict if self.ranked else None),
            "limits": list(self.limits),
            "ruleset": self.rules.slug,
            "version": self.rules.version,
            # The chosen interpretation comes first: its sets are those of the card.
            "sets": interpretations[0]["sets"] if interpretations else [],
            "point_report": [line.as_dict() for line in self.point_report],
            "double_report": [line.as_dict() for line in self.double_report],
            "interpretations": interpretations,
            "why": self.why,
        }

    def _interpretation(self, scored: Scored, *, chosen: bool) -> JsonObject:
        sets = [self._set_line(tile_set) for tile_set in scored.reading.sets]
        return {"sets": sets, **self._figures(scored.verdict), "chosen": chosen}

    def _figures(self, verdict: Verdict | None) -> JsonObject:
        if verdict is None:
            return {"points": None, "doubles": None, "total": None, "final": None}
        points, doubles, total, final, _limits, _lines = verdict
        return {"points": points, "doubles": doubles, "total": total, "final": final}

    def _set_line(self, tile_set: Set) -> JsonObject:
        _rule, _label, tiles, points = _point_line(tile_set.counts << WINDS_BITS | self._winds)
        return {
            "kind": tile_set.kind,
            "tiles": list(tiles),
            "concealed": tile_set.concealed,
            "points": points,
        }


WINDS_BITS = 4


@lru_cache(maxsize=REMEMBERED)
def _point_lines(part: Part) -> tuple[PointLine, ...]:
    return tuple(
        [_point_line(tile_set.counts << WINDS_BITS | part.winds) for tile_set in part.sets]
    )


@lru_cache(maxsize=512)
def _double_report(lines: tuple[tuple[Rule, int], ...]) -> tuple[DoubleLine, ...]:
    return tuple([DoubleLine(rule.id, rule.name, times, rule.group) for rule, times in lines])


@lru_cache(maxsize=2048)
def _point_line(key: int) -> PointLine:
    """The line of a set: its counts, and the winds in the bits below them."""
    prevailing, own = WINDS[key >> 2 & 3], WINDS[key & 3]
    tile_set = full_set(tuple(tiles_of(key >> WINDS_BITS)))
    assert tile_set is not None
    rule = point_rule(tile_set, prevailing, own)
    codes = tuple([tile.code for tile in tile_set.tiles])
    named = str(tile_set) if tile_set.kind == "chow" else tile_set.tiles[0].name
    label = Text.of("{kind}: {tiles}", kind=tile_set.kind.capitalize(), tiles=named)
    return PointLine(rule.id, label, codes, tile_set.points(prevailing, own))


def _winning_line() -> PointLine:
    rule = BY_ID["winning"]
    assert isinstance(rule, PointRule)
    return PointLine(rule.id, rule.name, (), rule.worth)


WINNING = _winning_line()
