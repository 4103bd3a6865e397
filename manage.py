#!/usr/bin/env python
"""Run a management command of the club site."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mahjong_site.settings")
    from django.core.management import execute_from_command_line

    name_the_database()
    execute_from_command_line(sys.argv)


def name_the_database() -> None:
    """Say which one is meant, so that nobody backs up or verifies another than they think."""
    from scoring.site.databases import asks_the_database, in_words

    if not asks_the_database(sys.argv[1:]):
        return
    from django.conf import settings

    sys.stderr.write(f"Database: {in_words(settings.DATABASES['default'])}\n")


if __name__ == "__main__":
    main()
