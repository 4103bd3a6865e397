"""Ending what somebody is signed in with: browsers and programs."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from scoring.models import ApiToken
from scoring.models.permissions import Account, User

from .audit import log_audit
from .roles import check_may_handle


@transaction.atomic
def end_sessions(account: Account, *, by: User) -> int:
    """Sign ``account`` out of every browser and program; the number of those.

    :raises PermissionDenied: unless ``by`` may handle the account.
    """
    check_may_handle(account, by=by)
    ended = _end(account)
    log_audit("end_sessions", account, by=by, ended=ended)
    return ended


@transaction.atomic
def close_account(account: Account, *, by: User) -> None:
    """Let nobody sign in to ``account`` any more, and end what it is signed in with.

    :raises PermissionDenied: unless ``by`` may handle the account.
    """
    check_may_handle(account, by=by)
    account.is_active = False
    account.save(update_fields=["is_active"])
    log_audit("close_account", account, by=by, ended=_end(account))


def _end(account: Account) -> int:
    running = Session.objects.filter(expire_date__gt=timezone.now())
    # What is in a session is signed, and in no column: each has to be read.
    own = [
        session.pk
        for session in running.iterator()
        if session.get_decoded().get(SESSION_KEY) == str(account.pk)
    ]
    Session.objects.filter(pk__in=own).delete()
    UserSession.objects.filter(user=account).delete()
    tokens, _rows = ApiToken.objects.filter(user=account).delete()
    return len(own) + tokens
