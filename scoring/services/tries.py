"""The limit on guessing: wrong tries are counted for all workers together, and forgotten in time.

Passwords and codes of a second factor have counts of their own (:mod:`.sign_in`); those of tables, and
PINs at them, are counted here.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import SignInCount, TryCount
from scoring.models.permissions import PermissionDenied

from .digests import digest_of
from .errors import TooManyAttempts
from .expiry import delete_some

LOCKED_FOR = timedelta(minutes=15)
MOST_COUNTED = 30_000  # what the column holds


def require_tries_left(key: str, most: int) -> None:
    """:raises TooManyAttempts: if ``most`` wrong tries were counted under ``key`` lately."""
    count = TryCount.objects.filter(digest=digest_of(key), failures__gte=most).first()
    if count is not None and (wait := wait_for(count)) > timedelta():
        raise _too_many(wait)


def count_wrong_try(key: str) -> None:
    """Count one under ``key``. Call it outside the transaction that is refused."""
    with transaction.atomic():
        add_failure(locked_count(TryCount, key))


@contextmanager
def limited_tries(limits: Mapping[str, int]) -> Iterator[None]:
    """Count one try under each key of ``limits``; it is taken back unless it ends in PermissionDenied.

    It counts before anything is compared, so that many tries at once are no more than may be. Use it
    outside a transaction.

    :raises TooManyAttempts: before the try, if a key has as many as its limit.
    """
    with transaction.atomic():
        counts = [locked_count(TryCount, key) for key in sorted(limits)]
        for count, key in zip(counts, sorted(limits), strict=True):
            if count.failures >= limits[key]:
                raise _too_many(wait_for(count))
        before = [count.failed_at for count in counts]
        for count in counts:
            add_failure(count)
    try:
        yield
    except PermissionDenied:
        raise
    except BaseException:
        _take_back(counts, before)
        raise
    _take_back(counts, before)


def _take_back(counts: Sequence[TryCount | SignInCount], before: Sequence[datetime]) -> None:
    for count, failed_at in zip(counts, before, strict=True):
        rows = TryCount.objects.filter(pk=count.pk)
        rows.filter(failed_at=count.failed_at).update(failed_at=failed_at)
        rows.filter(failures__gt=0).update(failures=F("failures") - 1)


def _too_many(wait: timedelta) -> TooManyAttempts:
    return TooManyAttempts(_("Too many wrong attempts. Try again later."), wait=wait)


def locked_count(counts: type[TryCount] | type[SignInCount], key: str) -> TryCount | SignInCount:
    """The row of ``counts`` for ``key``, made if there is none: without failures once its time is over."""
    defaults = {"failed_at": timezone.now()}
    count: TryCount | SignInCount
    count, _made = counts._default_manager.select_for_update().get_or_create(
        digest=digest_of(key), defaults=defaults
    )
    if wait_for(count) <= timedelta():
        count.failures = 0
    return count


def add_failure(count: TryCount | SignInCount) -> None:
    """Count one more in a locked ``count``, and delete a few whose time is over."""
    count.failures, count.failed_at = min(count.failures + 1, MOST_COUNTED), timezone.now()
    count.save(update_fields=["failures", "failed_at"])
    # Those of names that were guessed at once and never again.
    delete_some(type(count)._default_manager.filter(failed_at__lt=count.failed_at - LOCKED_FOR))


def wait_for(count: TryCount | SignInCount) -> timedelta:
    """How long ``count`` still holds; not positive once its time is over."""
    # The clocks of two servers, or two who count at once, may differ a little.
    return min(count.failed_at + LOCKED_FOR - timezone.now(), LOCKED_FOR)
