"""Choose the language in which a request is answered.

The chosen one, else what its browser asks for, else the club's.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import (
    activate,
    get_language,
    get_supported_language_variant,
    override,
)
from django.utils.translation.trans_real import parse_accept_lang_header

from .club_settings import club_for


class Languages(LocaleMiddleware):
    """Django's own, with the language of the club where it has that of the settings.

    It also says that the answer depends on the cookie of the choice, which Django's does not.
    """

    def process_request(self, request: HttpRequest) -> None:
        activate(language_for(request))
        request.LANGUAGE_CODE = get_language()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)


def language_for(request: HttpRequest) -> str:
    """The language to answer ``request`` in."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    asked = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    for code in (chosen, *(code for code, _quality in asked)):
        if code == "*":
            break
        with suppress(LookupError, ValueError):
            return get_supported_language_variant(code)
    return club_for(request).language_code


@contextmanager
def readers_language(request: HttpRequest) -> Iterator[None]:
    """Within it sentences are in the reader's language, also if ``request`` did not get to ``Languages``."""
    with ExitStack() as stack:
        if not hasattr(request, "LANGUAGE_CODE"):
            with suppress(Exception):  # the catalogues may be what is broken
                stack.enter_context(override(language_for(request)))
        yield
