"""Taking what is due, sending it, and writing down what became of it."""

import logging
from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from scoring.models import Channel, Delivery, Notice, current_club
from scoring.queries.notices import text_of_delivery

from .errors import DeviceGone, NeverSent, NotSent
from .mail import send_mail
from .push import send_push

logger = logging.getLogger(__name__)

# A delivery whose worker died is due again after this time: soon, and later if it keeps happening. A
# server slower than that gets some mails twice, with one Message-ID, where several workers send.
FIRST_LEASE, LEASE = timedelta(seconds=15), timedelta(minutes=3)
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=15), timedelta(hours=1)
# Nobody needs to hear of it later than that.
GIVE_UP_AFTER = timedelta(days=1)
LONGEST_REASON = 300

SEND = {Channel.MAIL: send_mail, Channel.PUSH: send_push}


def send_due(*, most: int = 100) -> int:
    """Send what is due, at most so many, and return how many were tried.

    A channel that does not work at all is left alone for the rest of the call, so that the others go on.
    """
    closed: set[str] = set()
    tried = 0
    while tried < most and (delivery := _take(closed)):
        tried += 1
        if not _send(delivery):
            closed.add(delivery.channel)
    return tried


@transaction.atomic
def _take(closed: Collection[str]) -> Delivery | None:
    """The next delivery, put off so that nobody else takes it; None if nothing is due."""
    due = Delivery.objects.due().exclude(channel__in=closed)
    # SQLite takes the write lock when the transaction begins: there, one worker at a time is here.
    delivery = due.select_for_update(skip_locked=True).first()
    if delivery is None:
        return None
    lease = min(FIRST_LEASE * 2 ** min(delivery.tries, 12), LEASE)
    Delivery.objects.filter(pk=delivery.pk).update(
        next_try_at=timezone.now() + lease, tries=F("tries") + 1
    )
    delivery.tries += 1
    return delivery


def _send(delivery: Delivery) -> bool:
    """Send ``delivery``; whether its channel works."""
    with translation.override(_language(delivery.notice)):
        try:
            SEND[Channel(delivery.channel)](delivery, text_of_delivery(delivery))
        except DeviceGone:
            logger.info("A device no longer takes notices: it is removed")
            if delivery.subscription is not None:
                delivery.subscription.delete()
            return True
        except NeverSent as error:
            _give_up(delivery, str(error))
            return True
        except NotSent as error:
            _put_off(delivery, str(error))
            return not error.whole_channel
        except Exception as error:
            # One text that cannot be made must not keep everything behind it from being sent.
            logger.exception("A notice could not be sent")
            _put_off(delivery, f"{type(error).__name__}: {error}")
            return True
    _save(
        delivery, state=Delivery.State.SENT, sent_at=timezone.now(), link="", address="", reason=""
    )
    return True


def _put_off(delivery: Delivery, reason: str) -> None:
    """Try again later, or give up after a day."""
    if timezone.now() - delivery.notice.made_at > GIVE_UP_AFTER:
        _give_up(delivery, reason)
        return
    pause = min(FIRST_PAUSE * 2 ** min(delivery.tries - 1, 12), LONGEST_PAUSE)
    # The reason may name an address: owners read it on their page, not in the log.
    logger.warning("Delivery %s was not sent, and is tried again", delivery.pk)
    _save(delivery, next_try_at=timezone.now() + pause, reason=reason[:LONGEST_REASON])


def _give_up(delivery: Delivery, reason: str) -> None:
    logger.warning("Delivery %s was not sent, and is given up", delivery.pk)
    reason = (reason or _("Nobody knows why."))[:LONGEST_REASON]
    _save(delivery, state=Delivery.State.GIVEN_UP, link="", reason=reason)


def _save(delivery: Delivery, **fields: object) -> None:
    """Write down what became of ``delivery``, unless another worker has sent it meanwhile."""
    Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.WAITING).update(**fields)


def _language(notice: Notice) -> str:
    """The language that its reader chose; else that of the notice, or of the club."""
    own = getattr(notice.recipient, "own_settings", None)
    chosen = getattr(own, "language", "") or notice.params.get("language", "")
    return chosen or current_club().language or settings.LANGUAGE_CODE
