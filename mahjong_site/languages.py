"""Which language a request is answered in: the chosen one, else what its browser asks for."""

from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.utils.cache import patch_vary_headers


class Languages(LocaleMiddleware):
    """Django's own, which does not say that the answer depends on the cookie of the choice."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)
