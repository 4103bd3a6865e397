"""List the values of a book's tables that its counting, settlement and library read."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from .book import Book, Counting
from .counting import READS as READ_BY_COUNTINGS
from .libraries import COUNT_BONUS, DECIDES
from .libraries import READS as READ_BY_LIBRARIES
from .settlement import READS as READ_BY_SETTLEMENTS

TABLES = ("counting", "settlement", "deal")
ALWAYS = {  # whatever the kind
    "counting": ("kind",),
    "settlement": ("kind", "false_win"),
    "deal": ("stays_on_win", "only_calling", "rounds"),
}
BY_KIND = {"counting": READ_BY_COUNTINGS, "settlement": READ_BY_SETTLEMENTS}
WITHOUT_A_LIBRARY = ("best", "first_of_group")


def settings_read(book: Book) -> Mapping[str, frozenset[str]]:
    """The keys of each table of ``book`` that change something."""
    counting, settlement = book.counting.kind, book.settlement.kind
    if book.engine:
        of_counting = READ_BY_LIBRARIES[book.engine]
    else:
        of_counting = (*READ_BY_COUNTINGS[counting], *WITHOUT_A_LIBRARY)
        if settlement == "costs":  # what is paid is rounded up
            of_counting = (*of_counting, "rounding")
    of_deal = ("abortive",) if settlement == "costs" or book.deal.only_calling else ()
    if not book.deal.only_calling:
        of_deal = (*of_deal, "stays_on_draw")
    read = {
        "counting": of_counting,
        "settlement": READ_BY_SETTLEMENTS[settlement],
        "deal": of_deal,
    }
    return {table: frozenset((*ALWAYS[table], *keys)) for table, keys in read.items()}


def counting_that_is_read(book: Book) -> Counting:
    """The counting of ``book`` without the values that change nothing, as its library decides it."""
    read, decided = settings_read(book)["counting"], DECIDES.get(book.engine, {})
    values = {one.name: one.default for one in fields(Counting) if one.name not in read}
    return replace(book.counting, **{**values, **decided})


def bonus_is_read(book: Book) -> bool:
    """Whether flowers and seasons can count."""
    return not book.engine or book.engine in COUNT_BONUS


def losers_can_settle(book: Book) -> bool:
    """Whether something can come of the hands of those who did not win."""
    return not book.engine and "losers_settle" in READ_BY_SETTLEMENTS[book.settlement.kind]


def unread(book: Book) -> Iterator[tuple[str, str]]:
    """The tables and keys of what ``book`` sets and nothing of it reads."""
    read, decided = settings_read(book), DECIDES.get(book.engine, {})
    for table in TABLES:
        values = getattr(book, table)
        for one in fields(values):
            value = getattr(values, one.name)
            if one.name in read[table] or not value or value == one.default:
                continue
            if table != "counting" or decided.get(one.name) != value:
                yield table, one.name


def carried_over(
    table: str, below: Mapping[str, Any], changes: Mapping[str, Any]
) -> Mapping[str, Any]:
    """What stays of a base's ``table`` under ``changes``: of another kind, only what that reads."""
    kind = changes.get("kind")
    by_kind = BY_KIND.get(table, {})
    if not isinstance(kind, str) or kind not in by_kind or kind == below.get("kind"):
        return below
    keys = (*ALWAYS[table], *WITHOUT_A_LIBRARY, *by_kind[kind])
    return {key: value for key, value in below.items() if key in keys}
