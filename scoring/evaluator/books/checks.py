"""Find contradictions between the parts of a book, each of which may be right by itself."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import WINDS

from .book import UNITS, Book, Counting, Pattern
from .counting import UNITS_OF, highest, units_of
from .libraries import SETTLEMENTS
from .refusals import (
    LISTS,
    MOST_WORTH,
    NO_ROUNDS,
    entries_of,
    found_twice,
    one_of,
    out_of_range,
    there_are_two,
    true_or_false,
)
from .settings import bonus_is_read, losers_can_settle, unread
from .settlement import DISCARDERS
from .texts import problems_of_texts
from .vocabulary import BESIDE, FLAGS, WON_BY

MOST_PATTERNS = 400
MOST_FORMS = 100
MOST_ROUNDED = 1000  # the widest rounding without a limit


def problems_between_parts(book: Book) -> Iterator[Problem]:
    """Everything that is wrong between the parts of ``book``; its lines are not told yet."""
    yield from _of_numbers(book)
    for pattern in book.patterns:
        yield from _of_replaced_ids(pattern, book)
        yield from _of_replaced_kinds(pattern, book)
    yield from _of_circles(book)
    yield from _of_circumstances(book)
    yield from _of_tables(book)
    yield from _of_halves(book)


def problems_of_new_books(book: Book) -> Iterator[Problem]:
    """What is refused besides of a book that nobody has taken yet: stored ones may have it."""
    forms = [form.id for form in book.forms]
    for twice in found_twice(forms):
        yield Problem(f"form {twice}", "twice", there_are_two("form", twice))
    for pattern in book.patterns:
        yield from _of_unknown_forms(pattern, forms)
        yield from _of_values(pattern, book)
    yield from _of_circles_of_kinds(book)
    yield from _of_minimum(book)
    yield from _of_units(book)
    yield from _of_nothing(book)
    yield from _of_unread_settings(book)
    yield from _of_choices(book)
    yield from _of_losers(book)
    yield from _of_liability(book)


def problems_of_new_data(data: Mapping[str, Any]) -> Iterator[Problem]:
    """The same of the data of a whole book: most of it says what the book does not keep."""
    yield from problems_of_texts(data)
    for key in LISTS:
        for where, entry in entries_of(data, key):
            if not isinstance(entry.get("off", False), bool):
                yield Problem(f"{where}: off", "no_flag", true_or_false("off"))
            elif entry.get("off"):
                message = Text("There is no base of which this could be taken away: leave it out.")
                yield Problem(f"{where}: off", "no_base", message)
            if key == "form":
                yield from _of_unread_keys(where, entry)
            if "each" in entry and "times" in entry:
                message = Text("Say “each” or “times”, not both.")
                yield Problem(f"{where}: times", "not_both", message)


# What forms of one kind alone read.
READ_BY = {"tiles": "tiles", "again": "tiles", "bonus": "bonus"}


def _of_unread_keys(where: str, form: Mapping[str, Any]) -> Iterator[Problem]:
    """What only another kind of form would read."""
    for key, kind in READ_BY.items():
        if key in form and form.get("kind") != kind:
            message = Text.of("A form of this kind does not read “{key}”: leave it out.", key=key)
            yield Problem(f"{where}: {key}", "not_read", message)


def _of_unread_settings(book: Book) -> Iterator[Problem]:
    for table, key in unread(book):
        message = Text.of("By these rules “{key}” changes nothing: leave it out.", key=key)
        yield Problem(f"{table}: {key}", "not_read", message)
    if book.bonus and not bonus_is_read(book):
        message = Text.of("By these rules “{key}” changes nothing: leave it out.", key="bonus")
        yield Problem("bonus", "not_read", message)


def _of_choices(book: Book) -> Iterator[Problem]:
    """What the kind of settlement does not know, and kinds that the library does not."""
    settlement = book.settlement
    known = DISCARDERS.get(settlement.kind, (settlement.discarder,))
    if settlement.discarder not in known:
        yield Problem("settlement: discarder", "no_such_value", one_of("discarder", known))
    kinds = SETTLEMENTS.get(book.engine, (settlement.kind,))
    if settlement.kind not in kinds:
        yield Problem("settlement: kind", "no_such_value", one_of("kind", kinds))
    if book.engine and book.counting.kind != "faan":
        yield Problem("counting: kind", "no_such_value", one_of("kind", ("faan",)))


def _of_losers(book: Book) -> Iterator[Problem]:
    """Hands of the losers of which nothing comes, or that nobody can enter."""
    settle = losers_can_settle(book) and book.settlement.losers_settle
    if book.losers_score and not settle:
        message = Text(
            "Nothing comes of the losers’ hands, for the losers do not settle among themselves."
        )
        yield Problem("losers_score", "not_read", message)
    elif settle and not book.losers_score:
        message = Text("The losers can only settle among themselves where their hands score, too.")
        yield Problem("settlement: losers_settle", "nothing_to_settle", message)


def _of_liability(book: Book) -> Iterator[Problem]:
    """Patterns with which somebody is liable that are not there."""
    for name in book.settlement.liable_for:
        if name not in book.by_id:
            message = Text.of("There is no pattern “{pattern}” in the book.", pattern=name)
            yield Problem("settlement: liable_for", "unknown_pattern", message)


def _of_unknown_forms(pattern: Pattern, forms: Sequence[str]) -> Iterator[Problem]:
    asked = {slot.name for slot in pattern.times.slots if slot.kind == "form"}
    for name in sorted(asked - set(forms)):
        message = Text.of("There is no form “{form}” in the book.", form=name)
        yield Problem(f"pattern {pattern.id}: when", "unknown_form", message)


def _of_values(pattern: Pattern, book: Book) -> Iterator[Problem]:
    """Values that no hand can have: below nothing, or points above the limit."""
    where = f"pattern {pattern.id}: {pattern.unit}"
    value, counting = pattern.value, book.counting
    worth = 0 if value.slots else value(())
    if not 0 <= worth <= MOST_WORTH:
        yield Problem(where, "out_of_range", out_of_range(pattern.unit))
    capped = counting.kind == "points" and counting.roof and counting.limit
    if pattern.unit == "points" and capped and worth > counting.limit:
        message = Text.of(
            "{worth} points are more than any hand may score: raise the limit of {limit}, or "
            "give a share of it in percent.",
            worth=worth,
            limit=counting.limit,
        )
        yield Problem(where, "above_the_limit", message)


def _of_units(book: Book) -> Iterator[Problem]:
    """Patterns in units that the counting does not add up, and shares of what is not there."""
    if book.engine:
        return  # whose library counts
    counting = book.counting
    for unit in UNITS:
        patterns = [pattern for pattern in book.patterns if pattern.unit == unit]
        if not patterns:
            continue
        names = ", ".join(dict.fromkeys(pattern.name for pattern in patterns))
        first = f"pattern {patterns[0].id}: {unit}"
        if unit not in UNITS_OF[counting.kind]:
            template = (
                "This counting knows no “{unit}”: {forms}. Say what they are worth in {units}."
            )
            units = ", ".join(units_of(counting))
            message = Text.of(template, unit=unit, forms=names, units=units)
            yield Problem(first, "other_unit", message)
        elif unit not in units_of(counting):
            message = Text.of(
                "These are a share of the limit, and there is none: {forms}. Set a limit, or say "
                "otherwise what they are worth.",
                forms=names,
            )
            where = "counting: limit" if counting.kind == "points" else first
            yield Problem(where, "no_limit", message)
        elif unit == "limit" and counting.kind == "faan":
            yield from _of_whole_limits(patterns)


def _of_whole_limits(patterns: Iterable[Pattern]) -> Iterator[Problem]:
    """Shares other than the whole limit, by a counting of faan."""
    for pattern in patterns:
        if not pattern.value.slots and pattern.value(()) != 100:
            message = Text("Where faan count, a limit hand is worth the maximum: give 100 percent.")
            yield Problem(f"pattern {pattern.id}: limit", "not_whole", message)


def _of_nothing(book: Book) -> Iterator[Problem]:
    """Figures by which no hand is worth anything, or nobody pays for it."""
    counting = book.counting
    if counting.kind == "points":
        yield from _of_rounding(counting)
    if counting.kind == "faan" and counting.table:
        most = len(counting.table) - 1
        if not counting.maximum:
            message = Text.of(
                "The table has points for 0 to {most} faan: give {most} as the highest number that "
                "counts, or less.",
                most=most,
            )
            yield Problem("counting: maximum", "missing", message)
        elif not highest(counting):
            message = Text("By this table no hand is worth anything.")
            yield Problem("counting: table", "worth_nothing", message)
    if book.settlement.kind == "portions" and not book.settlement.base:
        message = Text("With a base of 0 nobody pays anything: give 1 or more.")
        yield Problem("settlement: base", "worth_nothing", message)


def _of_rounding(counting: Counting) -> Iterator[Problem]:
    most = counting.limit or MOST_ROUNDED
    if counting.rounding > most:
        message = Text.of("Rounded so far most hands would be worth 0: at most {most}.", most=most)
        yield Problem("counting: rounding", "out_of_range", message)


def _of_circles_of_kinds(book: Book) -> Iterator[Problem]:
    """The first circle of patterns that replace one another, some of them by their kind."""
    plain = {one.id: set(one.replaces) for one in book.patterns}
    if _circle(plain) or any(one.kind and one.kind == one.replaces_kind for one in book.patterns):
        return  # told already
    of_kind: dict[str, set[str]] = {"": set()}
    for one in book.patterns:
        if one.kind:
            of_kind.setdefault(one.kind, set()).add(one.id)
    graph = {one.id: plain[one.id] | of_kind.get(one.replaces_kind, set()) for one in book.patterns}
    if ids := _circle(graph):
        message = Text.of("These replace each other in a circle: {ids}.", ids=", ".join(ids))
        yield Problem(f"pattern {ids[0]}: replaces_kind", "circle", message)


def _of_minimum(book: Book) -> Iterator[Problem]:
    """A minimum that no hand reaches, and a table by which more faan pay less."""
    counting = book.counting
    if 0 < counting.maximum < counting.minimum:
        message = Text.of(
            "At most {most} count, so no hand has the {least} that it takes to win.",
            most=counting.maximum,
            least=counting.minimum,
        )
        yield Problem("counting: minimum", "above_the_maximum", message)
    table = counting.table[: counting.maximum + 1]
    if any(less > more for less, more in pairwise(table)):
        message = Text("More faan never pay less: let the table rise.")
        yield Problem("counting: table", "falls", message)


def _of_numbers(book: Book) -> Iterator[Problem]:
    """Patterns of one id, and more patterns or forms than a book may have."""
    ids = [pattern.id for pattern in book.patterns]
    for twice in found_twice(ids):
        yield Problem(f"pattern {twice}", "twice", there_are_two("pattern", twice))
    if len(ids) > MOST_PATTERNS:
        message = Text.of("A book has at most {most} patterns.", most=MOST_PATTERNS)
        yield Problem("pattern", "too_many", message)
    if len(book.forms) > MOST_FORMS:
        message = Text.of("A book has at most {most} forms.", most=MOST_FORMS)
        yield Problem("form", "too_many", message)


def _of_replaced_ids(pattern: Pattern, book: Book) -> Iterator[Problem]:
    ids = {other.id for other in book.patterns}
    for other in pattern.replaces:
        if other not in ids:
            message = Text.of("It replaces “{other}”, which is not in the book.", other=other)
            yield Problem(f"pattern {pattern.id}: replaces", "unknown_pattern", message)


def _of_replaced_kinds(pattern: Pattern, book: Book) -> Iterator[Problem]:
    kind = pattern.replaces_kind
    if not kind:
        return
    where = f"pattern {pattern.id}: replaces_kind"
    if kind == pattern.kind:
        yield Problem(where, "replaces_itself", Text("A pattern cannot replace its own kind."))
    elif all(other.kind != kind for other in book.patterns):
        message = Text.of("No pattern of the book is of the kind “{kind}”.", kind=kind)
        yield Problem(where, "unknown_kind", message)


def _of_circles(book: Book) -> Iterator[Problem]:
    """The first circle of patterns that replace one another."""
    if ids := _circle({one.id: one.replaces for one in book.patterns}):
        message = Text.of("These replace each other in a circle: {ids}.", ids=", ".join(ids))
        yield Problem(f"pattern {ids[0]}: replaces", "circle", message)


def _circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """The ids of the first circle of ``graph``, each once; none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        ids: list[str] = error.args[1][:-1]
        return ids
    return []


def _of_circumstances(book: Book) -> Iterator[Problem]:
    known = {**WON_BY, **FLAGS, **BESIDE}
    for name in sorted(book.circumstances - set(known)):
        message = Text.of(
            "“{name}” is not known: choose from {names}.", name=name, names=", ".join(known)
        )
        yield Problem("circumstances", "unknown", message)


def _of_tables(book: Book) -> Iterator[Problem]:
    """Rounding to nothing, no form in which a hand wins, and a table of points that is too short."""
    counting = book.counting
    if not counting.rounding:
        yield Problem("counting: rounding", "out_of_range", out_of_range("rounding", 1))
    if not 1 <= book.deal.rounds <= len(WINDS):
        yield Problem("deal: rounds", "out_of_range", NO_ROUNDS)
    if book.settlement.draw % 6:
        message = Text("Two or three players share this: choose a multiple of six.")
        yield Problem("settlement: draw", "odd", message)
    if not book.forms and counting.kind != "card":
        yield Problem("form", "missing", Text("A book needs a form in which a hand wins."))
    if counting.kind == "faan" and counting.maximum and len(counting.table) <= counting.maximum:
        message = Text.of("Give points for 0 to {most} faan.", most=counting.maximum)
        yield Problem("counting: table", "too_short", message)


def _of_halves(book: Book) -> Iterator[Problem]:
    """Amounts that are odd where some players pay half."""
    counting, settlement = book.counting, book.settlement
    table = counting.table[counting.minimum : counting.maximum + 1]
    if settlement.discarder == "half" and any(one * settlement.base % 2 for one in table):
        message = Text("Where some pay half, every amount must be even: choose another base.")
        yield Problem("settlement: base", "odd", message)
