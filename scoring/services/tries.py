"""The limit on guessing: tries are counted for all workers together, and forgotten in time.

Passwords, codes of a second factor, codes of tables and PINs are all counted here, each under keys of
their own. A guess counts before anything is compared, so that many at once are no more than may be.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import TryCount
from scoring.models.permissions import PermissionDenied

from .digests import digest_of
from .errors import TooManyAttempts
from .expiry import delete_some

LOCKED_FOR = timedelta(minutes=15)
MOST_COUNTED = 30_000  # what the column holds

# What is raised once there were too many, for how long to wait.
Stop = Callable[[timedelta], Exception]


@dataclass(frozen=True, slots=True)
class CountedTry:
    """One try as it was counted under some keys.

    :ivar counts: the rows, each with when the failure before this one was.
    """

    counts: list[tuple[TryCount, datetime]]

    def take_back(self) -> None:
        """Count it no more: it was right, or never came to comparing."""
        for count, failed_at in self.counts:
            rows = TryCount.objects.filter(pk=count.pk)
            rows.filter(failed_at=count.failed_at).update(failed_at=failed_at)
            rows.filter(failures__gt=0).update(failures=F("failures") - 1)


def count_wrong_try(key: str) -> None:
    """Count one under ``key``. Call it outside the transaction that is refused."""
    with transaction.atomic():
        _add_failure(_locked(key))


def require_tries_left(key: str, most: int) -> None:
    """Look only: for guesses of which even many at once are too few to matter.

    :raises TooManyAttempts: if ``most`` wrong tries were counted under ``key`` lately.
    """
    count = TryCount.objects.filter(digest=digest_of(key), failures__gte=most).first()
    if count is not None and (wait := _wait_for(count)) > timedelta():
        raise _too_many(wait)


def forget_tries(key: str) -> None:
    """Count nothing that came before under ``key`` any more."""
    TryCount.objects.filter(digest=digest_of(key)).update(failures=0)


@transaction.atomic
def count_try(limits: Mapping[str, int], stop: Stop | None = None) -> CountedTry:
    """Count one try under each key of ``limits``. Call it outside a transaction, before comparing.

    :param stop: what to raise instead of TooManyAttempts.
    :raises TooManyAttempts: before the try, if a key has as many as its limit.
    """
    counts = [_locked(key) for key in sorted(limits)]
    for count, key in zip(counts, sorted(limits), strict=True):
        if count.failures >= limits[key]:
            raise (stop or _too_many)(_wait_for(count))
    counted = CountedTry([(count, count.failed_at) for count in counts])
    for count in counts:
        _add_failure(count)
    return counted


@contextmanager
def limited_tries(limits: Mapping[str, int], stop: Stop | None = None) -> Iterator[None]:
    """:func:`count_try`; the try is taken back unless it ends in PermissionDenied."""
    counted = count_try(limits, stop)
    try:
        yield
    except PermissionDenied:
        raise
    except BaseException:
        counted.take_back()
        raise
    counted.take_back()


def _too_many(wait: timedelta) -> TooManyAttempts:
    return TooManyAttempts(_("Too many wrong attempts. Try again later."), wait=wait)


def _locked(key: str) -> TryCount:
    """The row for ``key``, made if there is none: without failures once its time is over."""
    count, _made = TryCount.objects.select_for_update().get_or_create(
        digest=digest_of(key), defaults={"failed_at": timezone.now()}
    )
    if _wait_for(count) <= timedelta():
        count.failures = 0
    return count


def _add_failure(count: TryCount) -> None:
    """Count one more in a locked ``count``, and delete a few whose time is over."""
    count.failures, count.failed_at = min(count.failures + 1, MOST_COUNTED), timezone.now()
    count.save(update_fields=["failures", "failed_at"])
    # Those of names that were guessed at once and never again.
    delete_some(TryCount.objects.filter(failed_at__lt=count.failed_at - LOCKED_FOR))


def _wait_for(count: TryCount) -> timedelta:
    """How long ``count`` still holds; not positive once its time is over."""
    # The clocks of two servers, or two who count at once, may differ a little.
    return min(count.failed_at + LOCKED_FOR - timezone.now(), LOCKED_FOR)
