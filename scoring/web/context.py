"""The template variables of every page."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from scoring.models import club_day, known_club
from scoring.models.permissions import Permission
from scoring.queries.leading import may_see_link
from scoring.queries.notices import unread_notices


def site(request: HttpRequest) -> dict[str, object]:
    """The club's name, for the header and the title; its colour; its clock and when its day turns; how
    many notices the reader has not read; and what other server members may sign in by.

    Not ``site_name``: Django's sign-in view gives its pages one of its own, the address.
    """
    club = known_club()
    return {
        "club_name": str(club),
        "club_day": SimpleLazyObject(club_day),
        "club_colour": club.colour,
        "club_zone": club.zone.key.replace("_", " "),
        "day_turns_at": settings.DAY_TURNS_AT,
        "may": Links(request),
        "unread_notices": SimpleLazyObject(lambda: unread_notices(request.user)),
        "sends_mail": settings.SENDS_MAIL,
        "other_server": settings.OIDC.name if settings.OIDC.usable else "",
    }


class Links:
    """Which links a page shows to its reader: ``{% if may.RUN_LEAGUES %}``, by the name of a permission."""

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    def __getitem__(self, name: str) -> bool:
        # What is refused before anybody is looked for has no user.
        user = getattr(self.request, "user", None)
        return user is not None and may_see_link(user, Permission[name])
