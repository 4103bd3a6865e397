"""A book on top of another: what its file says takes the place of what the base says."""

from collections.abc import Mapping
from typing import Any

from scoring.evaluator.problems import Problem
from scoring.evaluator.text import Text

from .book import UNITS
from .files import as_data, shipped
from .refusals import BookError


def on_its_base(data: Mapping[str, Any]) -> dict[str, Any]:
    """A base book's data with the changes of ``data``: tables by key, patterns and forms by id.

    A pattern with ``off = true`` is not played; circumstances are known besides those of the base.

    :raises BookError: if there is no such base, or what the base plays cannot be changed.
    """
    base = data["base"]
    if base not in shipped():
        message = Text.of(
            "There is no book “{base}”: choose from {known}.", base=base, known=", ".join(shipped())
        )
        raise BookError([Problem("base", "unknown_book", message)])
    merged = as_data(base)
    if "base" in merged:
        merged = on_its_base(merged)
    return on_top(merged, data)


def on_top(below: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """``below``, the data of a whole book, with the changes of ``data``.

    :raises BookError: for values of a book whose library has its own.
    """
    merged = dict(below)
    if merged.get("engine"):
        _refuse_values(merged["engine"], data)
    for key, value in data.items():
        if key in ("pattern", "form", "set"):
            merged[key] = _merged_list(merged.get(key, []), value)
        elif isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = {**merged[key], **value}
        elif key == "circumstances" and isinstance(value, list):
            merged[key] = [*merged.get(key, []), *value]
        elif key != "base":
            merged[key] = value
    return merged


def _refuse_values(engine: str, data: Mapping[str, Any]) -> None:
    """:raises BookError: for patterns or forms of a book whose library has its own."""
    template = "The hands of this book are scored by {engine}, whose values cannot be changed."
    message = Text.of(template, engine=engine)
    keys = [key for key in ("pattern", "form", "set", "engine") if key in data]
    if keys:
        raise BookError([Problem(key, "of_a_library", message) for key in keys])


def _merged_list(old: list[dict[str, Any]], new: Any) -> Any:
    if not isinstance(new, list):
        return new  # refused where it is read
    merged = {entry["id"]: entry for entry in old}
    for entry in new:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("id"), str):
            return new
        before = merged.get(entry["id"], {})
        if any(unit in entry for unit in UNITS):
            before = {key: value for key, value in before.items() if key not in UNITS}
        merged[entry["id"]] = {**before, **entry}
    return [entry for entry in merged.values() if not entry.get("off")]
