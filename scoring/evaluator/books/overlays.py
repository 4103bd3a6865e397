"""A book on top of another: what its file says takes the place of what the base says."""

from collections.abc import Iterable, Mapping
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text

from .book import UNITS
from .files import as_data, shipped
from .hands import ALWAYS_KNOWN
from .refusals import (
    BookError,
    a_text,
    found_twice,
    no_such,
    no_such_book,
    there_are_two,
    true_or_false,
)
from .settings import carried_over

WITHOUT = "without"
ORIGIN = "origin"


def on_its_base(data: Mapping[str, Any]) -> dict[str, Any]:
    """A base book's data with the changes of ``data``: tables by key, patterns and forms by id.

    A pattern with ``off = true`` is not played; circumstances are known besides those of the base, but
    not those that the book is ``without``.

    :raises BookError: if there is no such base, or what the base plays cannot be changed.
    """
    base = data["base"]
    if not isinstance(base, str):
        raise BookError([Problem("base", "no_text", a_text("base"))])
    if ORIGIN in data:
        message = Text("A book on top of another comes from its base: leave “origin” out.")
        raise BookError([Problem(ORIGIN, "beside_a_base", message)])
    if base not in shipped():
        raise BookError([Problem("base", "unknown_book", no_such_book(base, shipped()))])
    merged = as_data(base)
    if "base" in merged:
        merged = on_its_base(merged)
    return on_top(merged, data)


def on_top(below: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """``below``, the data of a whole book, with the changes of ``data``; of one that ships, it says so.

    :raises BookError: for values of a book whose library has its own, or a library where it has none.
    """
    merged = dict(below)
    if merged.get("engine"):
        _refuse_values(merged["engine"], data)
    elif data.get("engine"):
        message = Text.of(
            "The hands of {book} are counted by its own lines: no library takes their place.",
            book=merged.get("name", ""),
        )
        raise BookError([Problem("engine", "of_a_library", message)])
    for key, value in data.items():
        if key in ("pattern", "form", "set"):
            merged[key] = _merged_list(key, merged.get(key, []), value)
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = {**carried_over(key, merged[key], value), **value}
        elif key == "circumstances" and isinstance(value, list):
            merged[key] = [*merged.get(key, []), *value]
        elif key not in ("base", WITHOUT):
            merged[key] = value
    if "circumstances" in merged and isinstance(merged["circumstances"], list):
        merged["circumstances"] = _known(merged["circumstances"], data.get(WITHOUT, []))
    if below.get("slug") in shipped() and merged.get("slug") not in shipped():
        merged[ORIGIN] = below["slug"]
    return merged


def _known(listed: list[Any], without: Any) -> list[Any]:
    """Each circumstance once, without those that are not played."""
    if not isinstance(without, list) or any(name not in listed for name in without):
        message = Text.of("“{key}” names circumstances of the base, in a list.", key=WITHOUT)
        raise BookError([Problem(WITHOUT, "unknown", message)])
    if always := sorted(name for name in ALWAYS_KNOWN if name in without):
        message = Text.of(
            "Hands are won by “{name}” in every book: it cannot be left out.", name=always[0]
        )
        raise BookError([Problem(WITHOUT, "always_known", message)])
    kept: list[Any] = []
    for name in listed:
        if name not in kept and name not in without:
            kept.append(name)
    return kept


def _refuse_values(engine: str, data: Mapping[str, Any]) -> None:
    """:raises BookError: for patterns or forms of a book whose library has its own."""
    template = "The hands of this book are scored by {engine}, whose values cannot be changed."
    message = Text.of(template, engine=engine)
    keys = [key for key in ("pattern", "form", "set", "engine") if key in data]
    if keys:
        raise BookError([Problem(key, "of_a_library", message) for key in keys])


def _refuse_twice(key: str, entries: list[Any]) -> None:
    """:raises BookError: for two entries of one id: the second would silently win."""
    ids = [entry.get("id") for entry in entries if isinstance(entry, Mapping)]
    if twice := found_twice([one for one in ids if isinstance(one, str)]):
        raise BookError(
            [Problem(f"{key} {one}", "twice", there_are_two(key, one)) for one in twice]
        )


def _refuse_unclear(key: str, entries: list[Any]) -> None:
    """:raises BookError: for entries that say neither that they are taken away nor that they are not."""
    unclear = [
        entry.get("id", "")
        for entry in entries
        if isinstance(entry, Mapping) and not isinstance(entry.get("off", False), bool)
    ]
    if unclear:
        message = true_or_false("off")
        raise BookError([Problem(f"{key} {one}: off", "no_flag", message) for one in unclear])


def _refuse_gone(key: str, entries: list[Any], known: list[str]) -> None:
    """:raises BookError: for entries that take away what the base does not have."""
    gone = [
        entry["id"]
        for entry in entries
        if isinstance(entry, Mapping)
        and entry.get("off")
        and isinstance(entry.get("id"), str)
        and entry["id"] not in known
    ]
    if gone:
        raise BookError(
            [Problem(f"{key} {one}: off", "unknown", no_such(one, known)) for one in gone]
        )


def _without(entry: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in keys}


def _merged_list(key: str, old: list[dict[str, Any]], new: Any) -> Any:
    if not isinstance(new, list):
        return new  # refused where it is read
    _refuse_twice(key, new)
    _refuse_unclear(key, new)
    merged = {entry["id"]: entry for entry in old}
    _refuse_gone(key, new, list(merged))
    for entry in new:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
            return new
        before = merged.get(entry["id"], {})
        if any(unit in entry for unit in UNITS):
            before = _without(before, UNITS)
        if key == "form" and "when" in entry:
            before = _without(before, ("explanation",))  # it told of the condition of before
        merged[entry["id"]] = {**before, **entry}
    return [entry for entry in merged.values() if not entry.get("off")]
