"""Taking a name out of everything that is kept. Figures, hands and other people's names stay."""

import json
import re
from collections.abc import Callable, Collection, Container, Iterable
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import CharField, JSONField, Model, Q, QuerySet, TextField
from django.db.models.fields import Field
from django.db.models.functions import Cast
from django.utils.translation.trans_real import translation

from scoring.models import AuditEntry, Player
from scoring.models.names_in_text import FoundName, NamesInText, names_with, plain_name
from scoring.models.permissions import Account
from scoring.models.texts import (
    KEYS_WITH_NAMES,
    columns_with_names,
    former_names,
    names_among,
    naming_values,
)

ROWS_AT_ONCE = 200
# By it the trigger of the audit knows that only names were taken out.
MARK = "names_taken_out"

Replace = Callable[[str], str]


def names_of(player: Player) -> set[str]:
    """Every name by which ``player`` was ever known here."""
    names = names_among(naming_values(player))
    return names | {name for pk, name in former_names() if pk == player.pk}


def ordinary_words(names: Iterable[str]) -> list[str]:
    """Those of ``names`` that are one word of a language as well, such as “Will” or “The”.

    In a sentence such a word is the person only where it has a capital and begins no sentence. The
    words are those of the site's own pages, in all its languages.
    """
    return sorted(name for name in names if name.casefold() in _words())


@cache
def _words() -> frozenset[str]:
    texts: list[str] = []
    for language in dict(settings.LANGUAGES):
        for text, translated in translation(language)._catalog.items():  # type: ignore[attr-defined]
            texts += [text[0] if isinstance(text, tuple) else text, translated]
    # Without what stands in for something else, and without words that have a capital in a sentence.
    plain = re.sub(r"%\(\w+\)s|<[^>]*>|\S*[@/_]\S*", " ", "\n".join(texts))
    return frozenset(re.findall(r"(?<![\w-])[^\W\d_A-Z]{2,}(?![\w-])", plain))


def remove_names_from_audit(names: Iterable[str], *, instead: str) -> int:
    """As :func:`remove_names`, but only where the site itself wrote down what somebody did.

    It is for the names of an account: in sentences that people wrote, ``rose`` is also a flower.
    """
    return _remove_names(names, instead, only={"scoring.auditentry", "admin.logentry"})


def remove_token_names(account: Account, *, instead: str) -> None:
    """Take out of the audit what ``account`` called its tokens: often its person, in other words."""
    for entry in AuditEntry.objects.filter(by=account, action__in=("make_token", "end_token")):
        details = {**entry.details, "name": instead, MARK: True}
        AuditEntry._base_manager.filter(pk=entry.pk).update(details=details)


def remove_names(names: Iterable[str], *, instead: str) -> int:
    """Write ``instead`` wherever one of ``names`` stands as words of its own; how many rows changed.

    A name that is part of somebody else's (``Ann`` in ``Ann Smith``) stays there, and so does one that
    is an ordinary word where it need not be the person: see :func:`ordinary_words`. Call it inside the
    transaction that gives the player the other name.
    """
    return _remove_names(names, instead)


def _remove_names(names: Iterable[str], instead: str, only: Container[str] | None = None) -> int:
    everybody = Player.objects.values_list("name", flat=True)
    names = [name for name in names if name]
    gone = {name.casefold() for name in names}
    others = [name for name in everybody if name.casefold() not in gone]
    replace = _replacing(names, instead, others)
    return sum(
        _remove_from(model, fields, names, replace)
        for model, fields in columns_with_names()
        if only is None or model._meta.label_lower in only
    )


def _replacing(names: Collection[str], instead: str, others: Iterable[str]) -> Replace:
    """A function that writes ``instead`` for each of ``names``, but not inside of ``others``."""
    gone, keys = {name.casefold() for name in names}, {plain_name(name) for name in names}
    longer = names_with(others, keys)
    stays = {other.casefold() for other in longer}
    finder = NamesInText({*names, *longer})

    def replaced(found: FoundName) -> str:
        word = found.text.casefold()
        if word in _words() and not (found.text in names and _is_surely_a_name(found)):
            return found.text
        # However else it is typed. A name that somebody else has stays.
        return instead if word in gone or (word not in stays and found.key in keys) else found.text

    return lambda text: finder.replace(text, replaced)


def _is_surely_a_name(found: FoundName) -> bool:
    """Whether what was found is the whole text, or a word with a capital inside of a sentence."""
    if found.text == found.string.strip():
        return True
    before = found.string[: found.start].rstrip()
    return found.text[0].isupper() and before[-1:].isalnum()


def _remove_from(
    model: type[Model], fields: list["Field[Any, Any]"], names: list[str], replace: Replace
) -> int:
    changed = 0
    for row in _rows(model, fields, names).iterator(chunk_size=ROWS_AT_ONCE):
        before = {field.attname: getattr(row, field.attname) for field in fields}
        after = {name: _replaced(value, replace) for name, value in before.items()}
        for field in fields:
            if isinstance(field, CharField) and field.max_length:
                after[field.attname] = after[field.attname][: field.max_length]
        if after != before:
            if isinstance(row, AuditEntry):
                after["details"] = {**after["details"], MARK: True}
            model._base_manager.filter(pk=row.pk).update(**after)
            changed += 1
    return changed


def _plain_part(name: str) -> str:
    """What stands in ``name`` with whichever accents it is typed; empty for next to nothing."""
    part = max(re.findall("[A-Za-z]+", name), key=len, default="")
    return part if len(part) > 2 else ""


def _rows(model: type[Model], fields: list["Field[Any, Any]"], names: list[str]) -> QuerySet[Any]:
    """The rows of ``model`` that could name somebody by one of ``names``."""
    texts = {
        f"{field.attname}_text": Cast(field.attname, TextField())
        for field in fields
        if isinstance(field, JSONField)
    }
    # SQLite keeps JSON as it was written, with letters as escapes.
    # It finds no É for é, either.
    cases = {case for name in names for case in (name, name.lower(), name.upper(), name.title())}
    cases |= {part for name in names if (part := _plain_part(name))}
    spellings = {spelling for case in cases for spelling in (case, json.dumps(case)[1:-1])}
    named = Q()
    for field in fields:
        column = f"{field.attname}_text" if isinstance(field, JSONField) else field.attname
        for spelling in spellings:
            named |= Q(**{f"{column}__icontains": spelling})
    rows: QuerySet[Any] = model._base_manager.annotate(**texts)
    return rows.filter(named).order_by("pk")


def _replaced(value: Any, replace: Replace) -> Any:
    """``value`` of a column after ``replace``; of JSON, only texts whose key says that they may name."""
    if isinstance(value, str) and (parsed := _parsed(value)) is not None:
        return json.dumps(_in_json(parsed, replace, named=False))
    return replace(value) if isinstance(value, str) else _in_json(value, replace, named=False)


def _parsed(text: str) -> Any:
    """The list or object that ``text`` is as JSON, as the desk writes what was changed; None if none."""
    if not text.startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _in_json(value: Any, replace: Replace, *, named: bool) -> Any:
    match value:
        case str():
            return replace(value) if named else value
        case list():
            return [_in_json(one, replace, named=named) for one in value]
        case dict():
            return {
                key: _in_json(one, replace, named=key in KEYS_WITH_NAMES)
                for key, one in value.items()
            }
    return value
