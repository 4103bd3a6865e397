"""A notice as a mail."""

import smtplib
from email.utils import parseaddr

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.urls import resolve, reverse
from django.utils.translation import gettext as _

from scoring.models import Delivery, NoticeKind, current_club
from scoring.models.notices import ALWAYS_SENT
from scoring.queries.notice_texts import NoticeText
from scoring.services.invitations import InvitationRefused, find_invitation
from scoring.services.unsubscribing import unsubscribe_token

from .errors import NeverSent, NotSent

# Seconds for each answer of the mail server.
TIMEOUT = 10


def send_mail(delivery: Delivery, text: NoticeText) -> None:
    """Send ``delivery``, whose notice says ``text``, in the language that is active.

    :raises NeverSent: if there is no address, its invitation was revoked meanwhile, or the mail server
        refuses it for good.
    :raises NotSent: if it may work later.
    """
    account = delivery.notice.recipient
    address = delivery.address or (account.email if account else "")
    if not address:
        raise NeverSent(_("The account has no mail address."))
    if delivery.notice.kind == NoticeKind.INVITATION:
        _require_holds(delivery.link)
    message = _message(delivery, text, address)
    try:
        get_connection(timeout=TIMEOUT).send_messages([message])
    except smtplib.SMTPRecipientsRefused as error:
        code, reason = next(iter(error.recipients.values()))
        refusal = NeverSent if 500 <= code < 600 else NotSent
        raise refusal(_reason(code, reason)) from error
    except smtplib.SMTPDataError as error:
        raise NotSent(_reason(error.smtp_code, error.smtp_error)) from error
    except (smtplib.SMTPException, OSError) as error:
        raise NotSent(f"{type(error).__name__}: {error}", whole_channel=True) from error
    except ValueError as error:
        # A line break in an address or a subject: no later try changes that.
        raise NeverSent(str(error)) from error


def _require_holds(link: str) -> None:
    """:raises NeverSent: if nobody can join by the invitation that ``link`` leads to."""
    try:
        find_invitation(resolve(link).kwargs["code"])
    except InvitationRefused as refusal:
        raise NeverSent(str(refusal)) from refusal


def _message(delivery: Delivery, text: NoticeText, address: str) -> EmailMessage:
    sender = settings.DEFAULT_FROM_EMAIL
    domain = parseaddr(sender)[1].rpartition("@")[2] or "localhost"
    headers = {
        "Message-ID": f"<{delivery.key}@{domain}>",
        "Auto-Submitted": "auto-generated",
    }
    kind = NoticeKind(delivery.notice.kind)
    parts = [text.body, f"{settings.SITE_URL}{text.link}"]
    if delivery.notice.recipient_id is not None:
        chosen = f"{settings.SITE_URL}{reverse('notice_choices')}"
        choose = _("Choose which mails you get:")
        parts.append(f"-- \n{current_club()}\n{choose} {chosen}")
        if kind not in ALWAYS_SENT:
            token = unsubscribe_token(delivery.notice.recipient_id, kind)
            stop = f"{settings.SITE_URL}{reverse('stop_notices', args=[token])}"
            no_more = _("No more mails about this:")
            parts[-1] += f"\n{no_more} {stop}"
            headers["List-Unsubscribe"] = f"<{stop}>"
            headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    body = "\n\n".join(parts) + "\n"
    return EmailMessage(text.title, body, sender, [address], headers=headers)


def _reason(code: int, text: bytes | str) -> str:
    words = text.decode(errors="replace") if isinstance(text, bytes) else text
    return f"{code} {words}"
