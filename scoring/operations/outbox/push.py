"""A notice on the devices of its reader, through the push service of each browser."""

import json
from email.utils import parseaddr

from django.conf import settings
from pywebpush import WebPushException, webpush
from requests import RequestException

from scoring.models import Delivery
from scoring.queries.notice_texts import NoticeText
from scoring.site.vapid import kept_key

from .errors import DeviceGone, NeverSent, NotSent
from .push_session import push_session

# Seconds for an answer of the push service, and for how long it keeps a notice for a device that is off.
TIMEOUT, KEPT = 10, 24 * 60 * 60
GONE = (404, 410)


def send_push(delivery: Delivery, text: NoticeText) -> None:
    """Send ``delivery``, whose notice says ``text``, to its device.

    :raises DeviceGone: if the browser no longer takes any.
    :raises NeverSent: if its keys are none.
    :raises NotSent: if it may work later.
    """
    device = delivery.subscription
    assert device is not None  # a constraint of the database
    message = {"title": text.title, "body": text.body, "url": text.link, "tag": delivery.key}
    try:
        webpush(
            {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}},
            json.dumps(message),
            vapid_private_key=kept_key(settings.VAPID_KEY),
            vapid_claims={"sub": _contact()},
            timeout=TIMEOUT,
            ttl=KEPT,
            headers={"Topic": delivery.key, "Urgency": "high" if delivery.urgent else "normal"},
            requests_session=push_session(),
        )
    except WebPushException as error:
        status = None if error.response is None else error.response.status_code
        if status in GONE:
            raise DeviceGone from error
        raise NotSent(f"{status or ''} {error.message}".strip()) from error
    except (RequestException, OSError) as error:
        raise NotSent(f"{type(error).__name__}: {error}") from error
    except ValueError as error:
        raise NeverSent(f"{type(error).__name__}: {error}") from error


def _contact() -> str:
    """Whom a push service may write to about this site."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return f"mailto:{address}"
