"""Limit how often the API may be called."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle

from scoring.services.sign_in_rate import SignInThrottle


class Visitors(AnonRateThrottle):
    """Whoever is not signed in, by address. Members are known, and not counted."""

    scope = "visitor"


class Tokens(SignInThrottle):
    """``POST token/``: by address, or by device where the typed account is known."""

    def __init__(self) -> None:
        super().__init__("")

    def allow_request(self, request: Request, view: Any) -> bool:
        typed = request.data.get("username") if isinstance(request.data, dict) else None
        self.typed = typed if isinstance(typed, str) else ""
        return super().allow_request(request, view)
