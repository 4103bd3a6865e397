"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The club's name, for the header and the title.

    Not ``site_name``: Django's sign-in view gives its pages one of its own, the address.
    """
    return {"club_name": settings.SITE_NAME}
