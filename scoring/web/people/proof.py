"""Proving once more who acts, before what opens, closes or ends somebody's way in."""

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest


def require_proof(request: HttpRequest) -> None:
    """Ask for the password of who acts, unless it was shown lately. What was sent is done afterwards.

    :raises ReauthenticationRequired: for the middleware, which leads there.
    """
    try:
        raise_if_reauthentication_required(request, app="allauth.account")
    except ReauthenticationRequired:
        # What was sent waits in the session, where nobody's password is kept: it is typed once more.
        sent = request.POST.copy()
        sent.pop("password", None)
        request.POST = sent  # type: ignore[assignment]
        raise
