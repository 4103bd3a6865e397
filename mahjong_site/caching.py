"""Say what caches may keep: nothing that was made for one person."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

from .paths import API


class SharedCaches:
    """Marks what was answered to somebody as theirs, and says by which headers answers differ.

    A cache keeps what nothing forbids, and knows no token: without this, a member's answer is the
    next stranger's. Browsers keep their own pages; answers of the API are kept nowhere.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        api = request.path.startswith(API)
        if api:
            patch_vary_headers(response, ["Authorization", "Cookie"])
        kept = "no-store" not in response.headers.get("Cache-Control", "")
        if kept and _personal(request, response):
            patch_cache_control(response, private=True, **({"no_store": True} if api else {}))
        return response


def _personal(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether ``response`` may be for whoever sent ``request`` only."""
    return (
        "Authorization" in request.headers
        or settings.SESSION_COOKIE_NAME in request.COOKIES
        or bool(response.cookies)
        or request.method not in ("GET", "HEAD")
    )
