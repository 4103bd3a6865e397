"""Writing a club out."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from io import BufferedIOBase
from itertools import islice
from typing import Any, BinaryIO

from ..snapshot import read_snapshot
from .content import FORMAT, MODELS, ROWS_AT_ONCE, VERSION, rows_of, written
from .keys import last_key


@dataclass(frozen=True, slots=True)
class Export:
    """How many rows of each model were written, by its label."""

    rows: dict[str, int]


def export_club(
    out: BinaryIO | BufferedIOBase, begin: Callable[[int], Callable[[int], None]]
) -> Export:
    """Write the whole club to ``out``: one moment of it, while the site runs.

    :param begin: told how many rows there are; what it returns is told how many more are written.
    """
    with read_snapshot():
        rows = {model._meta.label_lower: rows_of(model).count() for model in MODELS}
        advance = begin(sum(rows.values()))
        out.write(_line(_header(rows), sort_keys=False))
        rows_left = _rows()
        while some := list(islice(rows_left, ROWS_AT_ONCE)):
            out.writelines(_line(row, sort_keys=True) for row in some)
            advance(len(some))
    return Export(rows)


def _header(rows: dict[str, int]) -> dict[str, Any]:
    last = {model._meta.label_lower: last_key(model) for model in MODELS}
    return {"format": FORMAT, "version": VERSION, "rows": rows, "last_keys": last}


def _rows() -> Iterator[dict[str, Any]]:
    for model in MODELS:
        yield from written(model)


def _line(value: dict[str, Any], *, sort_keys: bool) -> bytes:
    """``sort_keys``: PostgreSQL keeps the parts of a JSON value in an order of its own."""
    text = json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys, default=spelled
    )
    return f"{text}\n".encode()


def spelled(value: object) -> str:
    """A day or a moment as text; a moment keeps its microseconds."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{value!r} has no place in a file")
