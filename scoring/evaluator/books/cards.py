"""Scorecards of hands that a rule book scores: figures, and the lines that add up to them.

The shape is that of a scorecard of the club's own rules (``scoring/evaluator/cards.py``), with what other
books have besides: faan, shares of the limit, bonus tiles, sets of other kinds.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import TILES

from .book import Book
from .compiled import Judged
from .counting import BookVerdict, Line, beside
from .expressions import predicate_of_sets
from .hands import PlayerHand
from .possible import wins_by_bonus
from .vocabulary import Group, SetFact
from .why import why_not

JsonObject = dict[str, Any]
WHOLE = 14  # tiles of a whole hand, and one more for each kong


class BookCard:
    """A hand's figures, in whole points, and lines. None and empty where it does not win.

    ``ranked`` are its arrangements, the one that counts first; for who did not win there is one, which
    says what the tiles are worth. ``version`` is that of the stored book.
    """

    def __init__(
        self, book: Book, hand: PlayerHand, ranked: Sequence[Judged], version: int = 1
    ) -> None:
        self.book, self.hand, self.ranked, self.version = book, hand, ranked, version

    @property
    def winning(self) -> bool:
        """Whether the hand wins. What may not be declared does not."""
        return bool(self.ranked) and self.hand.won and self.verdict.meets_minimum

    @property
    def verdict(self) -> BookVerdict:
        """:raises IndexError: if the tiles of a winner are no whole hand."""
        return self.ranked[0].verdict

    @property
    def why(self) -> Text | None:
        """Why a hand that somebody calls a win is none."""
        if not self.hand.won or self.winning:
            return None
        return why_not(self.book, self.hand, self.verdict if self.ranked else None)

    @property
    def limits(self) -> list[str]:
        """The ids of the limit hands that it is."""
        lines = self.verdict.lines if self.ranked else ()
        return [line.pattern.line for line in lines if line.pattern.unit == "limit"]

    def as_dict(self) -> JsonObject:
        """The card in the shape of the API, ready for JSON."""
        shown = self.ranked if self.winning or not self.hand.won else ()
        arrangements = [
            {"sets": self._sets(judged), **_figures(judged.verdict), "chosen": place == 0}
            for place, judged in enumerate(shown)
        ]
        lines = shown[0].verdict.lines if shown else ()
        return {
            "winning": self.winning,
            **_figures(shown[0].verdict if shown else None),
            "limits": self.limits if shown else [],
            "ruleset": self.book.slug,
            "version": self.version,
            "sets": arrangements[0]["sets"] if arrangements else [],
            "bonus": list(self.hand.bonus),
            "point_report": list(self._points(lines)),
            "double_report": list(_report(lines, "doubles")),
            "faan_report": list(_report(lines, "faan")),
            "limit_report": list(_report(lines, "limit")),
            "interpretations": arrangements,
            "why": self.why,
        }

    def _points(self, lines: Sequence[Line]) -> Iterator[JsonObject]:
        """The lines of points: one for each set, or one for each pattern."""
        for line in lines:
            pattern = line.pattern
            if pattern.unit != "points":
                continue
            if not pattern.each:
                yield _line(line, "points", line.value)
                continue
            for group in self._groups_of(pattern.each):
                worth = line.value // line.times
                yield _line(line, "points", worth) | {"tiles": _codes(group)}

    def _groups_of(self, each: str) -> Iterator[Group]:
        test = predicate_of_sets(each)
        return (group for group in self.ranked[0].groups if test(SetFact(group, *self.hand.winds)))

    def _sets(self, judged: Judged) -> list[JsonObject]:
        return [
            {
                "kind": group.kind,
                "tiles": _codes(group),
                "concealed": group.concealed,
                "last": group.last,
                "points": self._worth(judged, group),
            }
            for group in judged.groups
        ]

    def _worth(self, judged: Judged, group: Group) -> int:
        """The points of one set."""
        fact = SetFact(group, *self.hand.winds)
        return sum(
            line.value // line.times
            for line in judged.verdict.lines
            if line.pattern.unit == "points"
            and line.pattern.each
            and predicate_of_sets(line.pattern.each)(fact)
        )


def number_problem(book: Book, hand: PlayerHand) -> Problem | None:
    """What is wrong with how many tiles a winner has; with enough bonus tiles there may be fewer."""
    if not book.forms or hand.claimed or not hand.won:
        return None
    needed = WHOLE + sum(meld.kind == "kong" for meld in hand.melds)
    kongs_in_hand = sum(hand.counts >> 5 * index & 31 == 4 for index in range(len(TILES)))
    fewest = 0 if wins_by_bonus(book, hand) else needed
    if fewest <= hand.size <= needed + kongs_in_hand:
        return None
    message = Text.of(
        "A winning hand has {needed} tiles here: 14, and one more for each declared kong. These are {count}.",
        needed=needed,
        count=hand.size,
    )
    return Problem("tiles", "wrong_number", message)


def _codes(group: Group) -> list[str]:
    return [TILES[index].code for index in group.tiles]


def _figures(verdict: BookVerdict | None) -> JsonObject:
    """The figures; ``beside``, where it is there, are the points and doubles that are added last."""
    names = ("points", "doubles", "faan", "total", "final")
    figures: JsonObject = {name: getattr(verdict, name) if verdict else None for name in names}
    if verdict and any(line.pattern.only_doubles for line in verdict.lines):
        points, doubles = beside(verdict.lines)
        figures["beside"] = {"points": points, "doubles": doubles}
    return figures


def _report(lines: Sequence[Line], unit: str) -> Iterator[JsonObject]:
    return (
        _line(line, unit, line.value) | {"group": line.pattern.group or None, "times": line.times}
        for line in lines
        if line.pattern.unit == unit
    )


def _line(line: Line, unit: str, value: int) -> JsonObject:
    return {"rule": line.pattern.line, "label": line.pattern.name, unit: value}
