"""Keep the next keys of each table, so that a deleted row's key is not given away again.

The audit keeps the number of an account that was deleted: nobody else may ever get it.
"""

from django.db import connection, models


def last_key(model: type[models.Model]) -> int:
    """The last key that a row of ``model`` was given by the database; 0 for none."""
    table, column = model._meta.db_table, str(model._meta.pk.column)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "pg_get_serial_sequence(%s, %s)::regclass"
            # A row whose key was given to it, as that of the club, leaves the sequence where it was.
            name = connection.ops.quote_name
            highest = f"SELECT max({name(column)}) FROM {name(table)}"
            cursor.execute(
                f"SELECT greatest(pg_sequence_last_value({sequence}), ({highest}))",
                [f'"{table}"', column],
            )
        else:
            cursor.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = %s", [table])
        return cursor.fetchone()[0] or 0


def go_on_after(model: type[models.Model], key: int) -> None:
    """Let the database give the next row of ``model`` the key after ``key``."""
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)",
                [f'"{table}"', column, max(key, 1), key > 0],
            )
            return
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        if key:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, key])
