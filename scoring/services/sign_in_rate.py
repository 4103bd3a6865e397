"""Limit how often one address or device may try to sign in."""

from ipaddress import ip_address
from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle

from scoring.models.permissions import Account

from .sign_in import Device, find_account

DEVICE_COOKIE = "device"


def client_address(request: HttpRequest) -> str | None:
    """Where ``request`` comes from, seen past ``NUM_PROXIES`` proxies; None if that is no address."""
    address = BaseThrottle().get_ident(Request(request))
    try:
        return str(ip_address(address))
    except ValueError:
        return None


def device_of(request: HttpRequest) -> Device:
    """The device that sent ``request``; a new one if it has no cookie of ours."""
    return Device.read(request.COOKIES.get(DEVICE_COOKIE))


def note_sign_in(request: HttpRequest, account: Account) -> None:
    """Mark ``request`` as the sign-in of ``account``, second factor included.

    The middleware then gives its device a cookie with the answer.
    """
    request.signed_in_now = account  # type: ignore[attr-defined]


class SignInThrottle(ScopedRateThrottle):
    """By user, or else by address. A device that is known to the typed account counts by itself.

    So whoever guesses from the club's wifi does not use up the tries of the members beside them.
    """

    def __init__(self, typed: str) -> None:
        super().__init__()
        self.typed = typed

    def get_ident(self, request: Any) -> str:
        device = device_of(request)
        known = device.key_for(find_account(self.typed)) if device.accounts else ""
        return known or super().get_ident(request)
