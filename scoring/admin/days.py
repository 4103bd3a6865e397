"""Filters by day, of every list: in the days of the club, which do not end at midnight."""

from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.admin import DateFieldListFilter, FieldListFilter
from django.db import models

from scoring.models import club_day, day_begins


class ClubDayFilter(DateFieldListFilter):
    """Django's filter by date, of evenings and of moments. Today is :func:`club_day`."""

    def __init__(self, field: Any, *others: Any, **named: Any) -> None:
        super().__init__(field, *others, **named)
        today = club_day()
        tomorrow = today + timedelta(days=1)
        month, year = today.replace(day=1), today.replace(month=1, day=1)
        spans = (
            (today, tomorrow),
            (today - timedelta(days=7), tomorrow),
            (month, (month + timedelta(days=31)).replace(day=1)),
            (year, year.replace(year=year.year + 1)),
        )

        def border(day: date) -> date | datetime:
            return day_begins(day) if isinstance(field, models.DateTimeField) else day

        # The words are Django's, in its order: any, today, seven days, month, year.
        words = [word for word, _span in self.links]
        since, until = self.lookup_kwarg_since, self.lookup_kwarg_until
        of_the_club: list[dict[str, bool | date | datetime]] = [
            {since: border(first), until: border(end)} for first, end in spans
        ]
        self.links = (
            self.links[0],
            *zip(words[1:5], of_the_club, strict=True),
            *self.links[5:],
        )


FieldListFilter.register(
    lambda field: isinstance(field, models.DateField), ClubDayFilter, take_priority=True
)
