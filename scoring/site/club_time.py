"""The club's clock as the settings name it."""

import re
from contextlib import suppress
from datetime import time
from zoneinfo import ZoneInfo

from django.core.exceptions import ImproperlyConfigured
from environs import ValidationError

HOUR = re.compile(r"(\d{1,2})(?::(\d\d))?", re.ASCII)
# Whoever plays after noon plays this evening, not the last one.
LATEST = time(12)


def is_time_zone(name: str) -> bool:
    """Whether a clock runs by that name."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def known_time_zone(name: str) -> None:
    """:raises ValidationError: if no clock runs by that name."""
    if not is_time_zone(name):
        raise ValidationError("Name a time zone such as Europe/Amsterdam.")


def turning_hour(text: str) -> time:
    """``"06:00"`` or ``"6"`` as a time of the morning.

    :raises ImproperlyConfigured: for anything else.
    """
    match = HOUR.fullmatch(text.strip())
    with suppress(ValueError):
        hour = time(int(match[1]), int(match[2] or 0)) if match else None
        if hour is not None and hour <= LATEST:
            return hour
    raise ImproperlyConfigured(
        f"DAY_TURNS_AT is an hour from 00:00 to 12:00, such as 06:00; {text!r} is none."
    )
