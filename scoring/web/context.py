"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The club's name, for the header and the title."""
    return {"site_name": settings.SITE_NAME}
