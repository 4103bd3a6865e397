"""Ending mails of one kind by the link in any of them, without signing in."""

from django.core.signing import BadSignature, Signer
from django.db import transaction

from scoring.models import Channel, NoticeChoice, NoticeKind
from scoring.models.notices import ALWAYS_SENT
from scoring.models.permissions import Account

from .audit import log_audit

_signer = Signer(salt="scoring.notices.stop")


def unsubscribe_token(account: int, kind: NoticeKind) -> str:
    """What the link says that ends the mails of ``kind`` to an account (its id). It never expires."""
    return _signer.sign(f"{account}.{kind}")


def read_unsubscribe_token(token: str) -> tuple[int, NoticeKind] | None:
    """The account (its id) and the kind of ``token``; None unless this site made it."""
    try:
        account, _dot, kind = _signer.unsign(token).partition(".")
        account_and_kind = int(account), NoticeKind(kind)
    except (BadSignature, ValueError):
        return None
    return None if account_and_kind[1] in ALWAYS_SENT else account_and_kind


@transaction.atomic
def unsubscribe(account: int, kind: NoticeKind) -> None:
    """Send no more mails of ``kind`` to an account (its id). One that is gone gets none anyway."""
    person = Account.objects.filter(pk=account, is_active=True).first()
    if person is not None:
        NoticeChoice.objects.update_or_create(
            user=person, kind=kind, channel=Channel.MAIL, defaults={"wanted": False}
        )
        # Whoever has the mail has the link: nobody had to sign in.
        log_audit("unsubscribe", person, by=None, by_link=True)
