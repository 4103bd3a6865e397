"""What the commands about the club's data have in common."""

from django.core.management.base import BaseCommand


class ClubCommand(BaseCommand):
    """A command that starts in half the time: without Django's checks of addresses and templates."""

    requires_system_checks: list[str] = []
