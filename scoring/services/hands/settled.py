"""Find hands that an organiser settled: none but organisers change them, and nobody undoes them."""

from collections.abc import Iterable

from django.db.models import QuerySet

from scoring.models import Hand, HandEvent
from scoring.models.permissions import Permission, User, can


def barred_by_settling(hands: Iterable[Hand], by: User) -> Hand | None:
    """The first of ``hands`` that an organiser settled; None for an organiser, who may change them all."""
    event = _settlements(hands).select_related("hand").order_by("hand__number").first()
    return event.hand if event and not can(by, Permission.SETTLE_A_DISPUTE) else None


def was_settled(hand: Hand) -> bool:
    """Whether an organiser settled ``hand``, whoever asks."""
    return _settlements([hand]).exists()


def _settlements(hands: Iterable[Hand]) -> QuerySet[HandEvent]:
    return HandEvent.objects.filter(kind=HandEvent.Kind.SETTLED, hand__in=hands)
