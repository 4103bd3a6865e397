"""Sign an account out of all browsers, and end the tokens of its programs."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from scoring.models import ApiToken
from scoring.models.permissions import Account


def sign_out_everywhere(account: Account) -> int:
    """Delete the sessions and tokens of ``account``; the number of those that could still be used."""
    # What is in a session is signed, and in no column: each has to be read. Also one that has ended
    # keeps what somebody typed.
    running = 0
    own = []
    for session in Session.objects.iterator():
        if session.get_decoded().get(SESSION_KEY) == str(account.pk):
            own.append(session.pk)
            running += session.expire_date > timezone.now()
    Session.objects.filter(pk__in=own).delete()
    UserSession.objects.filter(user=account).delete()
    tokens, _rows = ApiToken.objects.filter(user=account).delete()
    return running + tokens
