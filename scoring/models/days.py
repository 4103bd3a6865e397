"""To which day a moment belongs: the one rule for evenings, tables as of a day, and closing.

What is played after midnight belongs to the evening that it ends. The day turns at
``settings.DAY_TURNS_AT`` on the clocks of :func:`club_zone`, whichever time zone is active.
"""

from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.utils import timezone

from .club import club_zone


def club_day(moment: datetime | None = None) -> date:
    """The day of the club to which ``moment`` (now, without one) belongs."""
    moment = moment or timezone.now()
    day = timezone.localtime(moment, club_zone()).date()
    return day if moment.astimezone(UTC) >= day_begins(day) else day - timedelta(days=1)


def day_begins(day: date) -> datetime:
    """The first moment of ``day``, in UTC.

    On a night on which the clocks change, the hour at which the day turns may come twice: then the
    first one counts. Or it may be skipped: then the day begins when a clock that was not changed would
    show it. So each moment has one day, and a later moment never has an earlier day.
    """
    turn = datetime.combine(day, settings.DAY_TURNS_AT)
    return timezone.make_aware(turn, club_zone()).astimezone(UTC)


def day_ends(day: date) -> datetime:
    """The first moment after ``day``, in UTC.

    :raises OverflowError: for the last day of the calendar.
    """
    return day_begins(day + timedelta(days=1))
