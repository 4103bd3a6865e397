"""Which disputes of a hand outlive its correction: whoever is disputed does not silence them."""

from scoring.models import Confirmations, Hand, HandEvent
from scoring.models.permissions import Permission, User, can

About = HandEvent.About


def left_disputed(before: Hand, after: Hand, *, by: User) -> list[HandEvent]:
    """The disputes of ``before`` that its correction to ``after`` by ``by`` leaves open.

    A dispute ends when what it is about changes, and when whoever disputes corrects the hand. What only
    words say, the site cannot compare: an organiser ends it. Who said nothing at all disputes the hand as
    it was, so that any correction ends it.
    """
    if not before.disputed:
        return []
    answers = Confirmations(before, before.events.select_related("player"))
    is_left: dict[str, bool] = {
        **{about: not _changed(about, before, after) for about in COMPARED},
        About.OTHER: not can(by, Permission.SETTLE_A_DISPUTE),
    }
    return [
        event
        for event in answers.disputes
        if _disputed_by(event) != by.pk and is_left.get(_about(event), False)
    ]


COMPARED = {
    About.WINNER: ("outcome", "winner_id"),
    About.DISCARDER: ("outcome", "discarder_id", "self_drawn"),
    About.TILES: ("outcome", "tiles", "melds", "winning_tile", "bonus"),
    About.SCORE: ("outcome", "final"),
}


def _changed(about: About, before: Hand, after: Hand) -> bool:
    if about == About.TILES and not after.checked:
        return False  # a claim instead of the tiles answers nothing
    return any(_value(before, name) != _value(after, name) for name in COMPARED[about])


def _value(hand: Hand, name: str) -> object:
    """What ``hand`` says there, in whatever order its tiles and sets were laid."""
    value = getattr(hand, name)
    if name == "tiles":
        return sorted(value.split())
    return sorted(value, key=str) if name == "melds" else value


def _about(event: HandEvent) -> str:
    return event.about or (About.OTHER if event.reason else "")


def _disputed_by(event: HandEvent) -> int | None:
    return event.player.user_id if event.player else None
