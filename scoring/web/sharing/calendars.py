"""The evenings of a league, and its first and last day, for the calendar of a phone."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from scoring.models import League, club_day, day_begins
from scoring.queries.evenings import evenings

from ..shared.requests import visible_league

# More than a calendar shows; enough for ten years of club nights.
EVENINGS = 500


@require_safe
@conditional_page
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """An event for each day: those on which somebody played, and the first and last of the league."""
    shown = visible_league(request, slug)
    return HttpResponse(_calendar(request, shown), content_type="text/calendar; charset=utf-8")


def _calendar(request: HttpRequest, league: League) -> bytes:
    # Loading it takes a quarter of a second, which no other page and no command should wait for.
    from icalendar import Calendar, Event, vText

    calendar = Calendar()
    calendar.add("prodid", "-//Mah Jongg Club//Evenings//EN")
    calendar.add("version", "2.0")
    for name in ("name", "x-wr-calname"):
        calendar[name] = vText(league.name)  # the library's own property does not escape commas
    for event in _events(request, league):
        entry = Event()
        for name, value in event.items():
            entry.add(name, value)
        calendar.add_component(entry)
    return bytes(calendar.to_ical())


def _events(request: HttpRequest, league: League) -> Iterator[dict[str, Any]]:
    # When it was put down is kept nowhere: some time before it began, and before now.
    began = min(datetime.combine(league.starts_on, time(), UTC), day_begins(club_day()))

    def event(name: str, day: date, words: str, path: str, changed: datetime) -> dict[str, Any]:
        return {
            "uid": f"{name}-{league.pk}@{request.get_host()}",
            "dtstamp": changed,
            "dtstart": day,
            "dtend": day + timedelta(days=1),
            # Nobody is busy all day because of it.
            "transp": "TRANSPARENT",
            "summary": words,
            "url": request.build_absolute_uri(path),
        }

    named, page = {"league": league}, league.get_absolute_url()
    first, last = _("%(league)s begins") % named, _("Last day of %(league)s") % named
    yield event("first-day", league.starts_on, first, page, began)
    if league.ends_on:
        yield event("last-day", league.ends_on, last, page, began)
    days = evenings(league).annotate(began=Max("started_at"), ended=Max("finished_at"))
    for one in days[:EVENINGS]:
        day, games = one["evening"], one["games"]
        words = ngettext("%(league)s: %(games)s game", "%(league)s: %(games)s games", games)
        yield event(
            day.isoformat(),
            day,
            words % {**named, "games": games},
            reverse("evening", args=[league.slug, day]),
            max(one["began"], one["ended"] or one["began"]),
        )
