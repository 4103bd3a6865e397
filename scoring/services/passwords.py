"""Asking for the password again, where a session left open is not enough."""

from django.contrib.auth import authenticate
from django.http import HttpRequest

from scoring.models.permissions import check_signed_in


def is_own_password(request: HttpRequest, password: str) -> bool:
    """Whether ``password`` is that of the account of ``request``. A wrong one counts as a wrong sign-in.

    :raises PermissionDenied: for a visitor.
    """
    account = check_signed_in(request.user)
    return authenticate(request, username=account.get_username(), password=password) == account
