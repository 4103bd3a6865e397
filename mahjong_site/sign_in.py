"""The lock on guessing passwords, as django-axes asks for it."""

from collections.abc import Mapping
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from scoring.api import problems
from scoring.web.throttles import too_often

from .paths import API


def client_address(request: HttpRequest) -> str | None:
    """Where ``request`` comes from, seen past ``NUM_PROXIES`` proxies; None if that is no address."""
    address = BaseThrottle().get_ident(Request(request))
    try:
        return str(ip_address(address))
    except ValueError:
        return None


def locked_out(
    request: HttpRequest, response: HttpResponse, credentials: Mapping[str, object]
) -> HttpResponse:
    """What is answered instead of ``response`` while the lock holds: 429, however one signs in."""
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    if request.path.startswith(API):
        return problems.too_often(seconds)
    return too_often(request, seconds)
