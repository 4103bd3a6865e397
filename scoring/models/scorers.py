"""Whose hand it is: who logged it first, and who has said by their own entry that it is right.

Corrections and what follows from them are new versions, each with the account that made it; that alone
makes nobody the scorer.
"""

from .hands import Hand


def scorer_of(hand: Hand) -> int | None:
    """The scorer: the account (its id) that logged the first version of ``hand``; None if it is gone.

    Theirs is the phone that answers for guests, however often and by whom the hand is corrected.
    """
    return hand.logged_by_id if hand.supersedes_id is None else _makers(hand)[-1][0]


def entered_by(hand: Hand) -> int | None:
    """The account (its id) that has confirmed ``hand`` by entering what it says; None if nobody has.

    Who corrects a hand has entered it. A version that only follows from another change was entered by
    who entered it before, and is confirmed by that only if the same account made the change.
    """
    if hand.follows is None:
        return hand.logged_by_id
    author = next(by for by, follows in _makers(hand) if follows is None)
    return author if author == hand.logged_by_id else None


def _makers(hand: Hand) -> list[tuple[int | None, int | None]]:
    """Who made ``hand`` and each version before it, the last one first, and what that followed."""
    at_its_position = Hand.objects.filter(game=hand.game_id, number=hand.number).order_by()
    columns = at_its_position.values_list("pk", "supersedes", "logged_by", "follows")
    versions = {pk: rest for pk, *rest in columns}
    makers: list[tuple[int | None, int | None]] = []
    pk: int | None = hand.pk
    while pk is not None:
        pk, by, follows = versions[pk]
        makers.append((by, follows))
    return makers
