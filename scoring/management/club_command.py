"""Base class of the commands about the club's data."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from scoring.models import known_club

from .migrated import refuse_if_not_whole, require_migrated


class ClubCommand(BaseCommand):
    """A command that starts in half the time: without Django's checks of addresses and templates."""

    requires_system_checks: list[str] = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run by the club's clock, as its pages do, with a database of this version."""
        self.require_database(options)
        with refuse_if_not_whole(), timezone.override(known_club().zone):
            return super().execute(*args, **options)

    def require_database(self, options: dict[str, Any]) -> None:
        """:raises CommandError: unless the command can work with the database as it is."""
        require_migrated()
