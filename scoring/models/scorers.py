"""Find the scorer of a hand, who logged its first version, and who has confirmed a version by entering it.

Each version keeps the account that made it. Who corrects a hand, or changes another one from which a new
version follows, does not become its scorer.
"""

from django.db.models import Case, Q, When
from django.utils.functional import cached_property

from .hands import Hand


class Versions:
    """The versions of the hands of ``game`` (its id), or of those with ``number``: one query, once one is asked about."""

    def __init__(self, game: int, number: int | None = None) -> None:
        self._hands = Hand.objects.filter(game=game).order_by()
        if number is not None:
            self._hands = self._hands.filter(number=number)

    @cached_property
    def _rows(self) -> dict[int, tuple[int | None, int | None, bool]]:
        void = Q(supersedes__status=Hand.Status.VOID)
        entered = Case(When(void, then=False), default=Q(follows__isnull=True))
        rows = self._hands.values_list("pk", "supersedes", "logged_by", entered)
        return {pk: (supersedes, by, whether) for pk, supersedes, by, whether in rows}

    def makers(self, hand: Hand) -> list[tuple[int | None, bool]]:
        """Who made ``hand`` and each version before it, the last one first, and whether they entered it."""
        makers: list[tuple[int | None, bool]] = []
        pk: int | None = hand.pk
        while pk is not None:
            pk, by, whether = self._rows[pk]
            makers.append((by, whether))
        return makers


def scorer_of(hand: Hand) -> int | None:
    """The scorer: the account (its id) that logged the first version of ``hand``; None if it is gone.

    Theirs is the phone that answers for guests, however often and by whom the hand is corrected, until a guest
    disputes the hand on another one (:meth:`scoring.models.events.Confirmations.phone_of`).
    """
    if hand.supersedes_id is None:
        return hand.logged_by_id
    return Versions(hand.game_id, hand.number).makers(hand)[-1][0]


def entered_by(hand: Hand, versions: Versions | None = None) -> int | None:
    """The account (its id) that has confirmed ``hand`` by entering what it says; None if nobody has.

    Who corrects a hand has entered it. A version that only follows from another change, or was restored,
    was entered by who entered it before, and is confirmed by that only if the same account made the change.

    :param versions: of its game, for whoever asks about several of its hands.
    """
    if hand.supersedes_id is None:
        return hand.logged_by_id
    if versions is None:
        if hand.follows is None and not _restored(hand):
            return hand.logged_by_id
        versions = Versions(hand.game_id, hand.number)
    author = next(by for by, entered in versions.makers(hand) if entered)
    return author if author == hand.logged_by_id else None


def _restored(hand: Hand) -> bool:
    """Whether ``hand`` brings back a hand that was void: that stays void."""
    return hand.supersedes is not None and hand.supersedes.status == Hand.Status.VOID
