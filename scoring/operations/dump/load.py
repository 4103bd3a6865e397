"""Taking a club in: all of it or nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, models, transaction
from django.utils.translation import gettext as _

from scoring.evaluator.rules import BOOK, CLUB
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.people import ORGANISERS_GROUP, OWNERS_GROUP
from scoring.story import store

from .content import MODELS, NAMED, ROWS_AT_ONCE, columns, lists, rows_of
from .errors import TransferRefused, at_line
from .keys import go_on_after
from .read import ClubFile, DumpRow

# What the migrations put into every new database; the file has its own.
INSTALLED: tuple[type[models.Model], ...] = (RuleSetVersion, RuleSet, Group)


@transaction.atomic
def import_club(
    lines: Iterable[bytes], begin: Callable[[int], Callable[[int], None]]
) -> dict[str, int]:
    """Store the club that the ``lines`` of a file hold; how many rows of each model, by label.

    :param begin: as for :func:`export_club`.
    :raises TransferRefused: if there is a club already, or the file is not whole. Nothing is stored.
    """
    _require_empty()
    file = ClubFile(lines)
    advance = begin(sum(file.rows.values()))
    for model in INSTALLED:
        rows_of(model).delete()
    for model in MODELS:
        rows = file.of(model)
        while some := list(islice(rows, ROWS_AT_ONCE)):
            _store(model, some)
            advance(len(some))
    file.require_end()
    for model in MODELS:
        go_on_after(model, max(file.last_keys[model._meta.label_lower], _highest(model)))
    store.all_changed()
    connection.check_constraints()
    return file.rows


def _require_empty() -> None:
    """:raises TransferRefused: if anybody has put anything here."""
    as_installed = {
        RuleSet: models.Q(slug__in=[CLUB.slug, BOOK.slug]),
        RuleSetVersion: models.Q(number=1),
        Group: models.Q(name__in=[ORGANISERS_GROUP, OWNERS_GROUP]),
    }
    there = {
        model: rows_of(model).exclude(as_installed.get(model, models.Q(pk__in=[]))).count()
        for model in MODELS
    }
    held = [f"{model._meta.verbose_name_plural}: {rows}" for model, rows in there.items() if rows]
    if held:
        sentence = _(
            "There is a club in this database (%(held)s), and it was left as it is. A club is "
            "imported into an empty one: name a new database by DATABASE_URL and migrate it first."
        )
        raise TransferRefused(sentence % {"held": ", ".join(map(str, held))})


def _require_references(model: type[models.Model], rows: Sequence[DumpRow]) -> None:
    """:raises TransferRefused: at the first row that refers to one that is not there."""
    for name, others, wanted in _references(model, rows):
        known = set(rows_of(others).filter(pk__in={pk for _row, pk in wanted}).values_list("pk"))
        if others is model:
            known |= {(row.stored.pk,) for row in rows}
        for row, pk in wanted:
            if (pk,) not in known:
                sentence = _("“%(name)s” is %(model)s %(pk)s, which is not in the file.")
                params = {"name": name, "model": others._meta.label_lower, "pk": pk}
                again = _("Export the club again.")
                raise at_line(row.line, f"{sentence % params} {again}")


References = tuple[str, type[models.Model], list[tuple[DumpRow, int]]]


def _references(model: type[models.Model], rows: Sequence[DumpRow]) -> Iterator[References]:
    """Each field that refers to other rows, to which ones, and which row to which key."""
    for field in columns(model):
        others = field.related_model
        # The audit keeps the number of an account that is gone.
        if others and others not in NAMED and getattr(field, "db_constraint", True):
            keys = [(row, field.value_from_object(row.stored)) for row in rows]
            yield field.name, others, [(row, key) for row, key in keys if key is not None]
    for field in lists(model):
        if field.related_model not in NAMED:
            listed = [(row, key) for row in rows for key in (row.item.m2m_data or {})[field.name]]
            yield field.name, field.related_model, listed


def _store(model: type[models.Model], rows: Sequence[DumpRow]) -> None:
    """:raises TransferRefused: at the first row that refers to nothing, or the database refuses."""
    try:
        with transaction.atomic():
            _require_references(model, rows)
            _save(model, rows)
    except (DatabaseError, ValueError, OverflowError) as error:
        if len(rows) > 1:
            for row in rows:
                _store(model, [row])
        sentence = _("The database does not take this row: %(why)s Export the club again.")
        raise at_line(rows[0].line, sentence % {"why": _why(rows[0], error)}) from error


def _save(model: type[models.Model], rows: Sequence[DumpRow]) -> None:
    stamped = any(getattr(field, "auto_now_add", False) for field in columns(model))
    if stamped or lists(model):
        # One by one: in bulk, a row would be stamped with the time of the import.
        for row in rows:
            row.item.save(force_insert=True)
    else:
        model._base_manager.bulk_create(row.stored for row in rows)


def _why(row: DumpRow, error: Exception) -> str:
    """What is wrong with the row, in the words of its constraints if they have any."""
    try:
        row.stored.validate_constraints()
    except ValidationError as refusal:
        return " ".join(refusal.messages)
    except (DatabaseError, ValueError, OverflowError, TypeError):
        pass
    return f"{error}."


def _highest(model: type[models.Model]) -> int:
    return rows_of(model).aggregate(highest=models.Max("pk"))["highest"] or 0
