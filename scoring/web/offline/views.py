"""The site as an app on a phone: its manifest, its worker, and the page where there is no network."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from scoring.models import known_club

from .precache import addresses, version

PAPER = "#f6f2e8"


@require_GET
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """What a phone asks when the site is put on its home screen."""
    name = str(known_club()) or _("Mah Jongg Club")
    icons = [
        {"src": static("scoring/favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(_icon(size, "any") for size in (192, 512)),
        _icon(512, "maskable"),
    ]
    return JsonResponse(
        {
            "id": "/",
            "name": name,
            "short_name": name if len(name) <= 12 else _("Mah Jongg"),
            "description": _("Mah Jongg hands scored, paid and explained."),
            "lang": get_language(),
            "start_url": reverse("home"),
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": PAPER,
            "icons": icons,
        },
        content_type="application/manifest+json",
    )


def _icon(size: int, purpose: str) -> dict[str, str]:
    name = f"icon-{size}" if purpose == "any" else f"icon-{size}-{purpose}"
    return {
        "src": static(f"scoring/icons/{name}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_GET
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Served at the root, because it may only answer for what lies below it."""
    context = {"files": addresses(), "version": version()}
    return render(request, "offline/worker.js", context, content_type="text/javascript")


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """What the worker shows in place of a page that it does not have. Knows no person."""
    return render(request, "offline/offline.html")
