"""Reading a file of a club line by line, and refusing what is none."""

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.core.serializers.base import DeserializationError, DeserializedObject
from django.core.serializers.python import Deserializer
from django.db import models
from django.utils.translation import gettext as _

from .content import FORMAT, MODELS, VERSION, columns, is_named, lists
from .errors import TransferRefused, at_line
from .upgrade import upgrade_counts, upgrade_row

# A row of a club has a few kilobytes, a scorecard ten; a packed file may unpack to anything.
LONGEST = 4 * 2**20
# The largest key that a database has.
LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class DumpRow:
    """One row that was read: the line it stands on, and what is to be stored."""

    line: int
    item: DeserializedObject

    @property
    def stored(self) -> models.Model:
        return self.item.object


class ClubFile:
    """A file of a club, read once from the first line to the last.

    :ivar rows: how many rows of each model it says it holds, by label.
    :ivar last_keys: which keys were given away, by label.
    :raises TransferRefused: while it is read, where the file is not what an export writes.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = _bounded(enumerate(_unpacked(lines), start=1))
        header = self._header()
        self.version: int = header["version"]
        self.rows: dict[str, int] = header["rows"]
        self.last_keys: dict[str, int] = header["last_keys"]

    def of(self, model: type[models.Model]) -> Iterator[DumpRow]:
        """The rows of ``model``, which come next."""
        label, before = model._meta.label_lower, 0
        for _each in range(self.rows[label]):
            number, line = self._next(label)
            row = _row(model, number, line)
            if row.stored.pk <= before:
                sentence = _("%(row)s comes twice, or not in its turn. Export the club again.")
                raise at_line(number, sentence % {"row": f"{label} {row.stored.pk}"})
            before = row.stored.pk
            yield row

    def require_end(self) -> None:
        """:raises TransferRefused: if anything follows."""
        for number, _line in self._lines:
            raise at_line(number, _("The file goes on after its end. Export the club again."))

    def _header(self) -> dict[str, Any]:
        _number, line = next(self._lines, (1, b""))
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            sentence = _("This is no export of a club. Write one with: manage.py export FILE")
            raise at_line(1, sentence)
        version = header.get("version")
        if type(version) is not int or version < 1:
            raise _damaged("version")
        if version > VERSION:
            sentence = _(
                "The club was exported by a newer version of the site (format %(version)s, this one "
                "reads %(known)s): update this site first."
            )
            raise at_line(1, sentence % {"version": version, "known": VERSION})
        for part in ("rows", "last_keys"):
            if isinstance(header.get(part), dict):
                header[part] = upgrade_counts(header[part], version)
            if not _counts_all(header.get(part)):
                raise _damaged(part)
        return header

    def _next(self, label: str) -> tuple[int, dict[str, Any]]:
        number, line = next(self._lines, (0, b""))
        if not line.endswith(b"\n"):
            rows = sum(self.rows.values())
            sentence = _(
                "The file is cut off: it should hold %(rows)s rows. Export the club again."
            )
            raise TransferRefused(sentence % {"rows": rows})
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            sentence = _("This is no JSON (%(why)s). Export the club again.") % {"why": error}
            raise at_line(number, sentence) from error
        if not isinstance(row, dict) or set(row) != {"model", "pk", "fields"}:
            raise at_line(number, _("This is no row of a club. Export the club again."))
        if isinstance(row["model"], str) and isinstance(row["fields"], dict):
            upgraded = upgrade_row(row["model"], row["fields"], self.version)
            row["model"], row["fields"] = upgraded
        if row["model"] != label:
            sentence = _(
                "“%(found)s” where a row of %(label)s should stand: lines are missing, or there "
                "is no such model. Export the club again."
            )
            raise at_line(number, sentence % {"found": row["model"], "label": label})
        return number, row


def _bounded(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    for number, line in lines:
        if len(line) > LONGEST:
            sentence = _("The line is longer than %(most)s bytes. Export the club again.")
            raise at_line(number, sentence % {"most": LONGEST})
        yield number, line


def _unpacked(lines: Iterable[bytes]) -> Iterator[bytes]:
    """``lines``; a packed file may break off, or be none. Of a file no more is read than a line may have."""
    readline = getattr(lines, "readline", None)
    try:
        yield from lines if readline is None else iter(lambda: readline(LONGEST + 1), b"")
    except (EOFError, zlib.error, OSError) as error:
        sentence = _("The packed file is cut off or damaged (%(why)s). Export the club again.")
        raise TransferRefused(sentence % {"why": error}) from error


def _damaged(part: str) -> TransferRefused:
    return at_line(1, _("“%(part)s” is damaged. Export the club again.") % {"part": part})


def _counts_all(part: object) -> bool:
    """Whether ``part`` of the header has a whole number for each model, and nothing else."""
    labels = {model._meta.label_lower for model in MODELS}
    return (
        isinstance(part, dict)
        and set(part) == labels
        and all(type(number) is int and 0 <= number <= LARGEST for number in part.values())
    )


def _row(model: type[models.Model], number: int, line: dict[str, Any]) -> DumpRow:
    """The row of a line, if it says it exactly as the row itself would be written."""
    fields = line["fields"]
    if not isinstance(fields, dict) or type(line["pk"]) is not int:
        raise at_line(number, _("This is no row of a club. Export the club again."))
    _require_all(model, fields, number)
    try:
        [item] = Deserializer([line])
    except (DeserializationError, FieldDoesNotExist) as error:
        sentence = _("A value does not fit its field (%(why)s). Export the club again.")
        raise at_line(number, sentence % {"why": error}) from error
    for field in columns(model):
        value = field.value_from_object(item.object)
        if isinstance(value, date):
            value = value.isoformat()
        written = fields[field.name]
        if not is_named(field) and (value != written or type(value) is not type(written)):
            sentence = _("“%(field)s” cannot be %(value)s. Export the club again.")
            raise at_line(number, sentence % {"field": field.name, "value": json.dumps(written)})
    return DumpRow(number, item)


def _require_all(model: type[models.Model], fields: dict[str, Any], number: int) -> None:
    wanted = {field.name for field in (*columns(model), *lists(model))}
    if unknown := sorted(set(fields) - wanted):
        sentence = _("There is no field “%(name)s” of %(model)s. Export the club again.")
        params = {"name": unknown[0], "model": model._meta.label_lower}
        raise at_line(number, sentence % params)
    if lacking := sorted(wanted - set(fields)):
        sentence = _("The field “%(name)s” is missing. Export the club again.")
        raise at_line(number, sentence % {"name": lacking[0]})
