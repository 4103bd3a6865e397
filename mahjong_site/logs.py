"""Log lines as JSON objects, each with the number of its request, none with what people entered."""

import json
import logging
import traceback
from datetime import UTC, datetime
from typing import Any

from .request_ids import current

# An error can be its own cause, round a few corners.
MOST_CAUSES = 5


class JsonLines(logging.Formatter):
    """One JSON object a line.

    The words of an exception are left out, since they may quote names or tiles; its kind and the
    places it came through are kept. A record that Django made about a request is told by its
    status, because Django puts the address into the words.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
        }
        request = getattr(record, "request", None)
        if request_id := current.get() or getattr(request, "request_id", ""):
            line["request_id"] = request_id
        line |= getattr(record, "fields", {})
        if record.exc_info and (error := record.exc_info[1]):
            line["error"] = serialize_error(error)
        return json.dumps(line, default=str, ensure_ascii=False)


def is_server_error(record: logging.LogRecord) -> bool:
    """Whether Django's word about a request adds something to the request's own line: a bug does."""
    return bool(record.exc_info)


def _message(record: logging.LogRecord) -> str:
    if hasattr(record, "request"):
        return f"answered {getattr(record, 'status_code', '')}".strip()
    return record.getMessage()


def serialize_error(error: BaseException, deep: int = 0) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    kind = type(error)
    fields: dict[str, Any] = {
        "kind": f"{kind.__module__}.{kind.__qualname__}",
        "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and deep < MOST_CAUSES:
        fields["because_of"] = serialize_error(cause, deep + 1)
    return fields
