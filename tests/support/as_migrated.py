"""Bring the tests' database back to what the migrations have put there, in milliseconds.

Numbers that were given to rows are not given again: no test meets the ids of the one before.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

# Deletes only where something is: most tests write to few of the tables.
DELETE_ALL = """
DO $$
DECLARE
    name text;
    filled boolean;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO filled;
        IF filled THEN
            EXECUTE format('DELETE FROM %I', name);
        END IF;
    END LOOP;
END $$
"""


class SqliteAsMigrated:
    """From the file ``migrated``, which is migrated and otherwise empty."""

    def __init__(self, migrated: Path) -> None:
        self.migrated = migrated

    def restore(self) -> None:
        connection.ensure_connection()
        database = connection.connection
        given = database.execute("SELECT seq, name FROM sqlite_sequence").fetchall()
        with closing(sqlite3.connect(self.migrated)) as migrated:
            migrated.backup(database)
        for row in given:
            if not database.execute(
                "UPDATE sqlite_sequence SET seq = ? WHERE name = ?", row
            ).rowcount:
                database.execute("INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)", row)


class PostgresAsMigrated:
    """From the rows that are there now, by table."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        with connection.cursor() as cursor:
            cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
            for (table,) in cursor.fetchall():
                with cursor.copy(f'COPY "{table}" TO STDOUT') as rows:
                    self.rows[table] = b"".join(rows)

    def restore(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            # Rows go and come in any order: no foreign key is looked at meanwhile.
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(DELETE_ALL)
            for table, rows in self.rows.items():
                if rows:
                    with cursor.copy(f'COPY "{table}" FROM STDIN') as copy:
                        copy.write(rows)
            cursor.execute("COMMIT")
