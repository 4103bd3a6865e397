"""Whose hand it is: who logged it first, and who has said by their own entry that it is right.

Corrections and what follows from them are new versions, each with the account that made it; that alone
makes nobody the scorer.
"""

from django.db.models import Case, Q, When

from .hands import Hand


def scorer_of(hand: Hand) -> int | None:
    """The scorer: the account (its id) that logged the first version of ``hand``; None if it is gone.

    Theirs is the phone that answers for guests, however often and by whom the hand is corrected, until a guest
    disputes the hand on another one (:meth:`scoring.models.events.Confirmations.phone_of`).
    """
    return hand.logged_by_id if hand.supersedes_id is None else _makers(hand)[-1][0]


def entered_by(hand: Hand) -> int | None:
    """The account (its id) that has confirmed ``hand`` by entering what it says; None if nobody has.

    Who corrects a hand has entered it. A version that only follows from another change, or was restored,
    was entered by who entered it before, and is confirmed by that only if the same account made the change.
    """
    if hand.follows is None and not _restored(hand):
        return hand.logged_by_id
    author = next(by for by, entered in _makers(hand) if entered)
    return author if author == hand.logged_by_id else None


def _restored(hand: Hand) -> bool:
    """Whether ``hand`` brings back a hand that was void: that stays void."""
    return hand.supersedes is not None and hand.supersedes.status == Hand.Status.VOID


def _makers(hand: Hand) -> list[tuple[int | None, bool]]:
    """Who made ``hand`` and each version before it, the last one first, and whether they entered it."""
    at_its_position = Hand.objects.filter(game=hand.game_id, number=hand.number).order_by()
    void = Q(supersedes__status=Hand.Status.VOID)
    entered = Case(When(void, then=False), default=Q(follows__isnull=True))
    columns = at_its_position.values_list("pk", "supersedes", "logged_by", entered)
    versions = {pk: rest for pk, *rest in columns}
    makers: list[tuple[int | None, bool]] = []
    pk: int | None = hand.pk
    while pk is not None:
        pk, by, whether = versions[pk]
        makers.append((by, whether))
    return makers
