"""Sign an account out of browsers and programs, and send nothing more to where it was signed in."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils import timezone

from scoring.models import ApiToken, PushSubscription
from scoring.models.permissions import Account

# Where a session keeps the id of the subscription of its browser.
DEVICE = "device"


def sign_out_everywhere(account: Account, *, keeps_devices: bool = False) -> int:
    """Delete the sessions and tokens of ``account``; the number of those that could still be used.

    :param keeps_devices: whether its notices go to the browsers that show them all the same. Where
        somebody else may hold one of them, they must not.
    """
    if not keeps_devices:
        forget_devices(account)
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


def forget_devices(account: Account, *, but: int | None = None) -> None:
    """Send no notices to the browsers of ``account`` any more, but to the one with this id."""
    PushSubscription.objects.filter(user=account).exclude(pk__in=[but]).delete()


def forget_device(account: Account, pk: int | None, *, endpoint: str = "") -> None:
    """Send no notices of ``account`` to a browser that has signed out.

    :param pk: the subscription that its session knows.
    :param endpoint: where it is reached, if the browser itself says so.
    """
    own = PushSubscription.objects.filter(user=account)
    own.filter(Q(pk__in=[pk]) | Q(endpoint=endpoint)).delete()


def forget_unknown_devices(account: Account, *, but: int | None = None) -> None:
    """Send no notices to browsers of ``account`` that no session of it knows: any may be one that was signed out.

    :param but: the id of the one that asks.
    """
    keys = UserSession.objects.filter(user=account).values_list("session_key", flat=True)
    known = {device_of(key) for key in keys} - {None}
    PushSubscription.objects.filter(user=account).exclude(pk__in=[*known, but]).delete()


def own_device(account: Account, endpoint: str) -> int | None:
    """The id of the subscription of a browser of ``account``, which says where it is reached."""
    own = PushSubscription.objects.filter(user=account, endpoint=endpoint)
    return own.values_list("pk", flat=True).first()


def device_of(session_key: str) -> int | None:
    """The id of the subscription that a session knows."""
    session = Session.objects.filter(pk=session_key).first()
    return session.get_decoded().get(DEVICE) if session else None


def keep_device(account: Account, pk: int | None) -> None:
    """Let a new password of ``account`` end the notices on all devices but this one."""
    # An attribute: it takes the way through the lazy account of a request.
    account.kept_device = pk  # type: ignore[attr-defined]


def forget_devices_of_old_password(account: Account) -> None:
    """As a new password asks for: see :func:`keep_device`."""
    forget_devices(account, but=getattr(account, "kept_device", None))
