"""Which language a request is answered in: the chosen one, else what its browser asks for."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override


class Languages(LocaleMiddleware):
    """Django's own, which does not say that the answer depends on the cookie of the choice."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)


@contextmanager
def readers_language(request: HttpRequest) -> Iterator[None]:
    """Within it sentences are in the reader's language, also if ``request`` did not get to ``Languages``."""
    with ExitStack() as stack:
        if not hasattr(request, "LANGUAGE_CODE"):
            with suppress(Exception):  # the catalogues may be what is broken
                stack.enter_context(override(get_language_from_request(request)))
        yield
