"""Keep who comes back from another server and has no account yet, until their invitation is used."""

import time
from dataclasses import asdict

from django.http import HttpRequest

from scoring.services.identities import Identity

# The pages of invitations.
JOIN = "/join/"
SESSION_KEY = "joins_as"
KEPT_FOR = 30 * 60  # seconds


def remember_identity(request: HttpRequest, identity: Identity) -> None:
    """Let the page of an invitation, in this session, make an account for ``identity``."""
    request.session[SESSION_KEY] = {"at": time.time(), "identity": asdict(identity)}


def joining_identity(request: HttpRequest) -> Identity | None:
    """Who came back from another server lately, and has no account."""
    kept = request.session.get(SESSION_KEY)
    if not kept or time.time() - kept["at"] > KEPT_FOR:
        return None
    return Identity(**kept["identity"])


def forget_identity(request: HttpRequest) -> None:
    """Let nobody else join as the one who came back."""
    request.session.pop(SESSION_KEY, None)
