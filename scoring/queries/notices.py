"""The notices of one person, and for owners those that nobody could deliver."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from scoring.models import (
    Channel,
    Delivery,
    League,
    Notice,
    NoticeChoice,
    NoticeKind,
    Player,
    PushSubscription,
)
from scoring.models.notices import ALWAYS_SENT, DEFAULTS, FOR_ORGANISERS
from scoring.models.permissions import Account, User, is_organiser

from .notice_texts import Facts, NoticeText, text_of


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A notice and its text, in the language that is active."""

    notice: Notice
    text: NoticeText


def unread_notices(user: User) -> int:
    """How many notices ``user`` has not read: none for a visitor.

    Who was fetched by ``UnreadCount`` has the number with them.
    """
    if not user.is_authenticated:
        return 0
    counted: int | None = getattr(user, "unread_notices", None)
    if counted is None:
        counted = user.notices.filter(read_at__isnull=True).count()
    return counted


def notices_of(account: Account) -> QuerySet[Notice]:
    """The notices of ``account``, the newest first."""
    return Notice.objects.filter(recipient=account)


def in_words(notices: Sequence[Notice]) -> list[NoticeRow]:
    """``notices`` with their texts: two queries, however many there are."""
    players, leagues = _names(notices)
    return [
        NoticeRow(one, text_of(one.kind, Facts(one.params, players, leagues))) for one in notices
    ]


def text_of_delivery(delivery: Delivery) -> NoticeText:
    """What ``delivery`` says, in the language that is active."""
    notice = delivery.notice
    players, leagues = _names([notice])
    return text_of(notice.kind, Facts(notice.params, players, leagues, delivery.link))


def choices_of(account: Account) -> dict[tuple[NoticeKind, Channel], bool]:
    """What ``account`` may choose, and whether it is wanted now."""
    kinds = [kind for kind in NoticeKind if kind not in ALWAYS_SENT]
    if not is_organiser(account):
        kinds = [kind for kind in kinds if kind not in FOR_ORGANISERS]
    chosen = {(kind, channel): channel in DEFAULTS[kind] for kind in kinds for channel in Channel}
    rows = NoticeChoice.objects.filter(user=account, kind__in=kinds)
    for kind, channel, wanted in rows.values_list("kind", "channel", "wanted"):
        chosen[NoticeKind(kind), Channel(channel)] = wanted
    return chosen


def devices_of(account: Account) -> QuerySet[PushSubscription]:
    """The browsers that show notices of ``account``."""
    return PushSubscription.objects.filter(user=account)


def undelivered() -> QuerySet[Delivery]:
    """What could not be sent, or not yet: the newest first, with the reason."""
    return (
        Delivery.objects.exclude(state=Delivery.State.SENT)
        .exclude(reason="")
        .select_related("notice__recipient__player", "subscription")
        .order_by("-pk")
    )


def _names(notices: Iterable[Notice]) -> tuple[dict[int, str], dict[int, League]]:
    """The names of the players whom ``notices`` are about, and their leagues, by id."""
    about = [one.params for one in notices]
    named = {one.get(role) for one in about for role in ("player", "asker")}
    players = Player.objects.filter(pk__in=named - {None})
    leagues = {one["league"] for one in about if one.get("league")}
    return dict(players.values_list("pk", "name")), League.objects.in_bulk(leagues)
