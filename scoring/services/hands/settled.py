"""Find hands that an organiser settled: none but organisers change them."""

from collections.abc import Iterable

from scoring.models import Hand, HandEvent
from scoring.models.permissions import Permission, User, can


def barred_by_settling(hands: Iterable[Hand], by: User) -> Hand | None:
    """The first of ``hands`` that an organiser settled; None for an organiser, who may change them all."""
    settled = HandEvent.objects.filter(kind=HandEvent.Kind.SETTLED, hand__in=hands)
    event = settled.select_related("hand").order_by("hand__number").first()
    return event.hand if event and not can(by, Permission.SETTLE_A_DISPUTE) else None
