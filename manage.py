#!/usr/bin/env python
"""Run a management command of the club site."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    from django.core.management import execute_from_command_line

    load_settings()
    name_the_database()
    with ended_by_its_reader(), database_trouble_in_words(), ended_by_ctrl_c():
        execute_from_command_line(sys.argv)


def load_settings() -> None:
    """Read all settings; one that cannot be is said in its sentence, without a traceback."""
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from environs import EnvError

    try:
        settings.DEBUG  # noqa: B018
    except (ImproperlyConfigured, EnvError) as error:
        sys.exit(f"A setting is wrong. {error}")


def name_the_database() -> None:
    """Say which one is meant, so that nobody backs up or verifies another than they think."""
    from scoring.site.databases import asks_the_database, in_words

    if not asks_the_database(sys.argv[1:]):
        return
    from django.conf import settings

    sys.stderr.write(f"Database: {in_words(settings.DATABASES['default'])}\n")


@contextmanager
def database_trouble_in_words() -> Iterator[None]:
    """Say in a sentence that the database cannot answer, or lacks a table; ``--traceback`` shows where it was asked."""
    from django.db import Error

    from scoring.operations.database_trouble import is_database_trouble, lacks_a_table

    try:
        yield
    except Error as error:
        if "--traceback" in sys.argv:
            raise
        if lacks_a_table(error):
            # A command of Django's own: those of the site ask before.
            sentence = f"The database is not of this version of the site ({error}). First run: manage.py migrate"
        elif is_database_trouble(error):
            sentence = (
                f"The database cannot answer: {error}. Is it the one that DATABASE_URL is to name, does it run, and "
                "has its disk room? Only a file that is damaged is replaced by a backup: make restore FILE=…"
            )
        else:
            raise
        sys.stderr.write(f"{sentence}\n")
        # Not 1: that is the answer of a command, such as a difference.
        sys.exit(2)


@contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """End without a traceback; what the command began is tidied up by then."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        # As a shell says of a program that SIGINT has ended.
        sys.exit(128 + signal.SIGINT)


@contextmanager
def ended_by_its_reader() -> Iterator[None]:
    """End as other programs do when nobody reads on, such as ``head`` behind a pipe: without a word."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:
        # Python writes out what is left when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # As a shell says of a program that SIGPIPE has ended.
        sys.exit(128 + signal.SIGPIPE)


if __name__ == "__main__":
    main()
