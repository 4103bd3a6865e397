"""What is shown of a hand: figures, and the lines that add up to them (``contract.md``, Shapes)."""

from dataclasses import asdict, dataclass, field

from .hand import Hand, Worth
from .rules import CLUB, RuleSet
from .sets import Set
from .tiles import Wind
from .why import why_not

Line = dict[str, object]


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Figures in whole points, None where a hand does not win."""

    winning: bool
    points: int | None
    doubles: int | None
    total: int | None
    final: int | None
    limits: list[str]
    ruleset: str
    version: int
    sets: list[Line] = field(default_factory=list)
    point_report: list[Line] = field(default_factory=list)
    double_report: list[Line] = field(default_factory=list)
    interpretations: list[Line] = field(default_factory=list)
    why: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The card in the shape of the contract, ready for JSON."""
        return asdict(self)


def score(
    tiles: object,
    seat: object,
    prevailing: object,
    *,
    melds: object = None,
    concealed: bool | None = None,
    self_drawn: bool = False,
    rules: RuleSet = CLUB,
) -> Scorecard:
    """The scorecard of a hand as it was typed.

    :raises HandError: with all that is wrong with tiles, melds or winds.

    >>> score("222B 345B 55B 222D GGG", "South", "East").final
    70
    """
    hand = Hand.from_notation(tiles, seat, prevailing, melds, concealed, self_drawn)
    return score_card(hand, rules)


def score_card(hand: Hand, rules: RuleSet = CLUB) -> Scorecard:
    """The scorecard of ``hand``; one that does not win says why."""
    ranked = hand.ranked(rules)
    if not ranked and not hand.orphans:
        why = why_not(hand)
        return Scorecard(False, None, None, None, None, [], rules.slug, rules.version, why=why)
    if not ranked:
        return Scorecard(
            True,
            20,
            0,
            20,
            rules.limit,
            ["thirteen_orphans"],
            rules.slug,
            rules.version,
            point_report=[_winning()],
        )
    chosen = ranked[0]
    return Scorecard(
        winning=True,
        points=chosen.points,
        doubles=chosen.doubles,
        total=chosen.total,
        final=chosen.final,
        limits=chosen.limits,
        ruleset=rules.slug,
        version=rules.version,
        sets=_sets(chosen),
        point_report=[_winning(), *(_point_line(each, chosen) for each in chosen.reading.sets)],
        double_report=[
            {"rule": rule.id, "label": rule.name, "doubles": doubles, "group": group}
            for rule, doubles, group in chosen.double_lines
        ],
        interpretations=[
            {
                "sets": _sets(worth),
                "points": worth.points,
                "doubles": worth.doubles,
                "total": worth.total,
                "final": worth.final,
                "chosen": worth is chosen,
            }
            for worth in ranked
        ],
    )


def _winning() -> Line:
    return {"rule": "winning", "label": "Winning", "tiles": [], "points": 20}


def _sets(worth: Worth) -> list[Line]:
    reading = worth.reading
    return [
        each.as_dict() | {"points": each.points(reading.prevailing_wind, reading.seat_wind)}
        for each in reading.sets
    ]


def _point_line(each: Set, worth: Worth) -> Line:
    reading = worth.reading
    return {
        "rule": _rule(each, reading.seat_wind, reading.prevailing_wind),
        "label": f"{each.kind.capitalize()}: {_tiles_named(each)}",
        "tiles": [one.code for one in each.tiles],
        "points": each.points(reading.prevailing_wind, reading.seat_wind),
    }


def _tiles_named(each: Set) -> str:
    if each.kind == "chow":
        return " ".join(one.code for one in each.tiles)
    return each.tiles[0].name


def _rule(each: Set, own: Wind, prevailing: Wind) -> str:
    if not each.pair() or not each.points(prevailing, own):
        return each.kind
    if each.dragon():
        return "pair_dragons"
    code = each.tiles[0].code
    if own == prevailing:
        return "pair_double_wind"
    return "pair_own_wind" if code == own.value else "pair_prevailing_wind"
