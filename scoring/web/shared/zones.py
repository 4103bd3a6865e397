"""The time zones that a form offers."""

from zoneinfo import available_timezones

# What people look for: a continent and a city.
ZONES = sorted(zone for zone in available_timezones() if "/" in zone and zone[:4] != "Etc/")
