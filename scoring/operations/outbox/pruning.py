"""Deleting what is old, a little at a time, so that nobody waits for it."""

from django.utils import timezone

from scoring.models import Notice
from scoring.models.notices import KEPT_FOR

AT_ONCE = 200


def prune() -> int:
    """Delete at most 200 notices older than 90 days, with their deliveries; how many it were."""
    old = Notice.objects.filter(made_at__lt=timezone.now() - KEPT_FOR).order_by("made_at")
    some = list(old.values_list("pk", flat=True)[:AT_ONCE])
    if some:
        Notice.objects.filter(pk__in=some).delete()
    return len(some)
