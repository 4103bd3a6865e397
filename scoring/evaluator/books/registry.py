"""Refuse what Club's file says and nothing would read.

Club and Book are scored by :mod:`scoring.evaluator.rules`, which reads less of a pattern than the engine of all other
books does. What a set is worth stands in :mod:`scoring.evaluator.sets`; the entries of points name the lines.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from itertools import chain, product
from typing import Any

from scoring.evaluator.sets import SETS_FROM, Set
from scoring.evaluator.tiles import WINDS, Wind

from .book import Book, Pattern
from .expressions import predicate_of_sets
from .vocabulary import Group, SetFact

ON_TOP = "book"  # the file that changes Club's settings
# The fields of a pattern that scoring reads, or that only say something to people and tests.
READ = frozenset(
    (
        "id", "name", "unit", "value", "times", "line", "explanation", "when", "repeats", "each",
        "group", "option", "source", "has", "nearly",
    )
)  # fmt: skip
GROUPS = ("", "consistency")


def check_registry(club: Book, on_top: Mapping[str, Any]) -> None:
    """Let nothing stand in the registry that is not scored.

    :param on_top: the data of the file that is Book.
    :raises ValueError: naming the entry and what is wrong with it.
    """
    for wrong in _problems(club, on_top):
        raise ValueError(wrong)


def _problems(club: Book, on_top: Mapping[str, Any]) -> Iterator[str]:
    for key in ("pattern", "set", "form"):
        if key in on_top:
            yield f"{ON_TOP}.toml: “{key}” is read from club.toml alone."
    for pattern in club.patterns:
        for wrong in _of_pattern(pattern):
            yield f"club.toml, pattern {pattern.id}: {wrong}"
    yield from _of_points(club)


def _of_pattern(pattern: Pattern) -> Iterator[str]:
    for one in fields(pattern):
        if one.name not in READ and getattr(pattern, one.name) != one.default:
            yield f"“{one.name}” is not read here."
    if pattern.group not in GROUPS or (pattern.group and pattern.unit != "doubles"):
        yield f"There is no group “{pattern.group}” of {pattern.unit} here."
    if pattern.unit == "limit" and pattern.value(()) != 100:
        yield "A limit hand is worth the whole limit here."


def _of_points(club: Book) -> Iterator[str]:
    """Entries of points that give what no set is worth; the first is what winning is worth."""
    _winning, *entries = [pattern for pattern in club.patterns if pattern.unit == "points"]
    for entry in entries:
        if not entry.each or entry.when or entry.repeats:
            yield f"club.toml, pattern {entry.id}: Points are for winning and for sets, by “each”."
    tests = [(entry, predicate_of_sets(entry.each)) for entry in entries if entry.each]
    # As East and as South in the East round: one wind is as good as another.
    for tile_set, own in product(chain(*SETS_FROM), WINDS[:2]):
        named = _first(tests, tile_set, own, Wind.EAST)
        worth = tile_set.points(Wind.EAST, own)
        if named is not None and named.value(()) != worth:
            yield f"club.toml, pattern {named.id}: {tile_set} is worth {worth}, by sets.py."


def _first(
    tests: list[tuple[Pattern, Callable[[SetFact], int]]],
    tile_set: Set,
    own: Wind,
    prevailing: Wind,
) -> Pattern | None:
    """The entry that names the line of ``tile_set``."""
    tiles = tuple(tile.index for tile in tile_set.tiles)
    group = Group(tile_set.kind, tiles, tile_set.concealed)
    fact = SetFact(group, WINDS.index(own), WINDS.index(prevailing))
    return next((entry for entry, test in tests if test(fact)), None)
