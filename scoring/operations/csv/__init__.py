"""The hands of a club as a sheet: one row a hand that stands, out of the club and into it.

Into it they go like any other: games are opened and hands recorded by the calls of the pages, so the
site scores them, orders them and settles them itself. ``docs/hands-as-csv.md`` describes the columns.
"""

from .errors import RowRefused, SheetRefused
from .log import Logged, log_hands
from .melds import require_one_reading
from .read import MOST_ROWS, read_rows
from .source import (
    Record,
    SourceLine,
    delimiter_of,
    left_over,
    lines_of,
    named_delimiter,
    records_of,
)
from .write import write_hands

__all__ = [
    "MOST_ROWS",
    "Logged",
    "Record",
    "RowRefused",
    "SheetRefused",
    "SourceLine",
    "delimiter_of",
    "left_over",
    "lines_of",
    "log_hands",
    "named_delimiter",
    "read_rows",
    "records_of",
    "require_one_reading",
    "write_hands",
]
