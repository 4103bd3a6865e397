"""Names as people look for them: without accents, in small letters, on both databases alike."""

import unicodedata
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import CharField, Func
from django.db.models.sql.compiler import SQLCompiler

# Letters with a stroke are no letter with an accent to Unicode.
STROKES = str.maketrans("ØøŁłĐđĦħŦŧ", "OoLlDdHhTt")
# Each keyboard types another one, and many people none: O'Brien, O’Brien, OBrien.
APOSTROPHES = "'’‘ʼ`"
# What Unicode calls combining diacritical marks.
ACCENTS = dict.fromkeys(range(0x300, 0x370))
PLAIN = {**ACCENTS, **STROKES, **dict.fromkeys(map(ord, APOSTROPHES))}
FUNCTION = "plain_letters"


def plain_letters(text: str) -> str:
    """``text`` in small letters without accents and apostrophes.

    >>> plain_letters("Zoë Sørensen")
    'zoe sorensen'
    """
    return unicodedata.normalize("NFKD", text).translate(PLAIN).lower()


class PlainLetters(Func):
    """:func:`plain_letters` of a column, to look for it or to sort by it."""

    arity = 1
    output_field = CharField()

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, Any]:
        return self.as_sql(compiler, connection, function=FUNCTION, **context)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, Any]:
        letters = "regexp_replace(normalize(%(expressions)s, NFKD), '[\u0300-\u036f]', '', 'g')"
        # What has no letter in the second list goes.
        signs = "ØøŁłĐđĦħŦŧ" + APOSTROPHES.replace("'", "''")
        plain = f"lower(translate({letters}, '{signs}', 'OoLlDdHhTt')) COLLATE \"C\""
        return self.as_sql(compiler, connection, template=f"({plain})", **context)


def keep_plain_letters() -> None:
    """Teach each connection with SQLite to work them out; PostgreSQL can."""
    connection_created.connect(_teach, dispatch_uid="plain_letters")


def _teach(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if connection.vendor == "sqlite":
        connection.connection.create_function(FUNCTION, 1, _of_a_column, deterministic=True)


def _of_a_column(text: str | None) -> str | None:
    """As PostgreSQL does: of nothing, such as the winner of a drawn hand, it makes nothing."""
    return None if text is None else plain_letters(text)
