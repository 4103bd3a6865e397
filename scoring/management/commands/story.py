"""``manage.py story``: works out what awards, head to head and the other pages of the story show."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.management.club_command import ClubCommand
from scoring.management.progress import progress
from scoring.models import League
from scoring.story.store import waiting, work_out


class Command(ClubCommand):
    help = (
        "Works out the sums of each evening whose hands have changed since, such as all of them after "
        "an upgrade or an import. A page does the same when somebody opens it; with hundreds of "
        "thousands of hands the first one would wait for minutes."
    )

    def handle(self, *args: object, **options: Any) -> None:
        months = waiting(League.objects.all())
        with progress(_("Working out"), len(months)) as advance:
            for league, month in months:
                work_out(league, month)
                advance(1)
        done = ngettext("%(n)s month worked out.", "%(n)s months worked out.", len(months))
        self.stdout.write(done % {"n": len(months)})
