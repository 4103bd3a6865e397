"""The template variables of every page."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The club's name, for the header and the title; its clock and when its day turns, for the foot.

    Not ``site_name``: Django's sign-in view gives its pages one of its own, the address.
    """
    return {
        "club_name": settings.SITE_NAME,
        "club_zone": settings.TIME_ZONE.replace("_", " "),
        "day_turns_at": settings.DAY_TURNS_AT,
        "sends_mail": settings.SENDS_MAIL,
    }
