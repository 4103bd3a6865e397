"""The time zones that a form offers, and how one is typed."""

from typing import Any
from zoneinfo import available_timezones

from django import forms

# What people look for: a continent and a city.
ZONES = sorted(zone for zone in available_timezones() if "/" in zone and zone[:4] != "Etc/")


def zone_of(typed: str) -> str:
    """The time zone that is meant by ``typed``, such as its city alone; what was typed if none is."""
    wanted = typed.strip().replace(" ", "_").casefold()
    matching = [z for z in ZONES if wanted in (z.casefold(), z.casefold().rpartition("/")[2])]
    return matching[0] if len(matching) == 1 else typed


class ZoneField(forms.CharField):
    """A time zone; its city is enough."""

    def to_python(self, value: Any) -> Any:
        return zone_of(super().to_python(value) or "")
