"""The limit on guessing the codes of tables, and PINs at them: counted for all workers together."""

from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import TryCount

from .errors import TooManyAttempts
from .expiry import delete_some

LOCKED_FOR = timedelta(minutes=15)


def require_tries_left(key: str, most: int) -> None:
    """:raises TooManyAttempts: if ``most`` wrong tries were counted under ``key`` lately."""
    count = TryCount.objects.filter(digest=_digest(key), failures__gte=most).first()
    wait = count.failed_at + LOCKED_FOR - timezone.now() if count else timedelta()
    if wait > timedelta():
        raise TooManyAttempts(_("Too many wrong attempts. Try again later."), wait=wait)


def count_wrong_try(key: str) -> None:
    """Count one under ``key``. Call it outside the transaction that is refused."""
    _count(_digest(key))


@transaction.atomic
def _count(digest: str) -> None:
    now = timezone.now()
    rows = TryCount.objects.select_for_update()
    count, _made = rows.get_or_create(digest=digest, defaults={"failed_at": now})
    if count.failed_at + LOCKED_FOR <= now:
        count.failures = 0
    count.failures, count.failed_at = min(count.failures + 1, 30_000), now
    count.save(update_fields=["failures", "failed_at"])
    delete_some(TryCount.objects.filter(failed_at__lt=now - LOCKED_FOR))


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()
