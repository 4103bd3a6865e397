"""Find the disputes of a hand that stay open after its correction: a correction silences nobody.

A dispute is about what the hand said when it was raised. A version that says so again, after others that
did not, is disputed again: two corrections do no more than none, and neither do a correction, a hand
declared void and another one logged at its position, or one that says the same at another position. A void
hand that is restored is disputed as it was.

An example, in which East makes each version:

1. Version 1 says 50. South disputes its score.
2. Version 2 says 60. The score is another, so the dispute is over for now.
3. Version 3 says 50 again: the dispute is open again.

Had South made version 3, the dispute would be over for good.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.db.models import F, Q
from django.utils.translation import gettext as _

from scoring.models import Confirmations, Game, Hand, HandEvent, Player
from scoring.models.permissions import Permission, User, can, is_own_player
from scoring.models.places import plays_now
from scoring.models.problems import at_no_field

from .entry import HandEntry, in_any_order, is_same_hand

About = HandEvent.About
IN_WORDS = (About.OTHER, "")

# Who disputes what: kind, player, about, reason.
_Key = tuple[str, int | None, str, str]


def left_disputed(before: Hand, after: Hand, *, by: User) -> list[HandEvent]:
    """The disputes of ``before`` and its earlier versions that its correction to ``after`` leaves open.

    A dispute ends when what it is about changes, and comes back with what it was about. It ends for good
    when whoever disputes takes it back or corrects the hand, or an organiser settles it. What only words
    say, the site cannot compare: an organiser ends it. Who did not say what is wrong disputes the whole
    hand: any correction ends that, and a later version that is the first one again opens it again.

    Nobody is silenced by being replaced: what they dispute stays disputed, for an organiser to settle, or
    for themselves once they sit at the table again.
    """
    # Each player has one answer to a hand: the last one; what they say here goes before what they said elsewhere.
    of_each = {event.player_id: event for event in _disputed_elsewhere(after, by)}
    if before.disputed or before.version > 1:
        versions = _read(before.game, Q(number=before.number, version__lte=before.version))
        left = [one for one in _raised(versions) if one.is_open_after(after, by)]
        of_each |= {one.event.player_id: one.event for one in left}
    seats = [player.pk for player in before.game.players]
    return sorted(of_each.values(), key=lambda event: _place(seats, event.player_id))


def disputed_again(hand: Hand, *, by: User) -> list[HandEvent]:
    """The disputes of what stood before at the position of ``hand``, or of the same hand at another one.

    :param hand: the next hand of its game, before it is stored.
    """
    game = hand.game
    before = game.hands.filter(number=hand.number).order_by("version").last()
    if before is None:
        return _disputed_elsewhere(hand, by)
    before.game = game
    return left_disputed(before, hand, by=by)


def _disputed_elsewhere(hand: Hand, by: User) -> list[HandEvent]:
    """The disputes of the same hand (:func:`is_same_hand`) at another position, whether it stands there or not."""
    if not hand.tiles:
        return []
    telling = Q(kind=HandEvent.Kind.DISPUTED) | Q(hand__number=hand.number)
    in_game = HandEvent.objects.filter(telling, hand__game=hand.game_id)
    events = list(in_game.annotate(number=F("hand__number")))
    here = [event for event in events if event.number == hand.number]
    numbers = {event.number for event in events if event.number != hand.number}
    if not numbers:
        return []
    versions = _read(hand.game, Q(number__in=numbers))
    disputes: dict[int | None, HandEvent] = {}
    for _number, at_one_position in groupby(versions, key=lambda version: version.number):
        for raised in _raised([*at_one_position]):
            if (
                raised.is_the_hand(hand)
                and raised.is_open_after(hand, by)
                and not raised.was_answered(here)
            ):
                disputes[raised.event.player_id] = raised.event
    return [*disputes.values()]


def require_own_disputes(hand: Hand, by: User) -> None:
    """Refuse ``by`` to declare ``hand`` void over the head of somebody who disputes it.

    A void hand is disputed no more, and what was really played would be lost with what was logged. Who
    disputes it ends that themselves; for a guest, who has no account, the phone on which they disputed it does.

    :raises ValidationError: unless ``by`` is an organiser, or speaks for all who dispute it.
    """
    if name := who_else_disputes(hand, by):
        message = _(
            "%(name)s disputes hand %(number)s: %(name)s or an organiser declares it void. "
            "You can correct it."
        )
        message %= {"name": name, "number": hand.number}
        raise at_no_field(message, code="disputed")


def who_else_disputes(hand: Hand, by: User) -> Player | None:
    """The first of those who dispute ``hand`` for whom ``by`` does not speak; an organiser does for all."""
    if not hand.disputed or can(by, Permission.SETTLE_A_DISPUTE):
        return None
    answers = Confirmations(hand, hand.events.select_related("player"))
    for event in answers.disputes:
        if event.player and by.pk != (event.player.user_id or answers.phone_of(event.player)):
            return event.player
    return None


@dataclass(frozen=True, slots=True)
class _Content:
    """What a version of a hand says, of who sits at the table now."""

    entry: HandEntry
    final: int | None
    checked: bool

    def says_about(self, about: str) -> object:
        """What it says of what a dispute is ``about``, in whatever order tiles and sets were laid."""
        entry = self.entry
        match about:
            case About.WINNER:
                return entry.outcome, entry.winner
            case About.DISCARDER:
                return entry.outcome, entry.discarder, entry.win.self_drawn
            case About.TILES:
                laid = entry.tiles, entry.melds, entry.win.winning_tile, entry.win.bonus
                return entry.outcome, laid
            case About.SCORE:
                return entry.outcome, self.final
        # What was entered, whatever it is worth by its winds, and whichever number it has.
        return replace(entry, number=0)

    def still_says(self, about: str, disputed: "_Content") -> bool:
        """Whether it says what is ``disputed``. A claim instead of the tiles answers nothing about them."""
        if about == About.TILES and not self.checked:
            return True
        return self.says_about(about) == disputed.says_about(about)


@dataclass(slots=True)
class _Raised:
    """A dispute that nobody has taken back or settled, and what is disputed by it.

    :ivar stood_last: whether it was open in the last version looked at so far.
    """

    event: HandEvent
    disputed: list[_Content]
    stood_last: bool = True

    @property
    def about(self) -> str:
        return self.event.about or (About.OTHER if self.event.reason else "")

    def is_repeated_in(self, content: _Content) -> bool:
        """Whether ``content`` says again what is disputed."""
        return any(content.still_says(self.about, one) for one in self.disputed)

    def is_the_hand(self, hand: Hand) -> bool:
        """Whether ``hand``, at another position, is the one that was disputed."""
        entry = _content(hand).entry
        return any(is_same_hand(one.entry, entry) for one in self.disputed)

    def was_answered(self, events: Sequence[HandEvent]) -> bool:
        """Whether ``events`` of another position, where it was raised again, say since that it is over."""
        return any(
            event.at > self.event.at
            and (event.kind == HandEvent.Kind.SETTLED or event.player_id == self.event.player_id)
            for event in events
        )

    def is_open_after(self, after: Hand, by: User) -> bool:
        """Whether the correction by ``by`` to ``after`` leaves it open, or opens it again."""
        if _disputes_it(self.event, by):
            return False
        if self.about in IN_WORDS and can(by, Permission.SETTLE_A_DISPUTE):
            return False
        return (self.stood_last and self.about == About.OTHER) or self.is_repeated_in(
            _content(after)
        )

    def is_over_with(self, version: Hand, answers: Confirmations) -> bool:
        """Whether it is over for good with ``version``, in which it is not open.

        It was raised there and taken back or replaced; or ``version`` says what is disputed and yet it is
        not open: then who disputes it, or an organiser, made that version. A version that only follows
        from another change was made by nobody, unless who disputes the hand answered it since.
        """
        if any(_key(event) == _key(self.event) for event in version.events.all()):
            return True
        on_purpose = version.follows is None or self.event.player_id in answers.given
        return on_purpose and self.is_repeated_in(_content(version))


def _raised(versions: Sequence[Hand]) -> list[_Raised]:
    """What was disputed of one of ``versions``, all that stood at one position; the last one last."""
    raised: dict[_Key, _Raised] = {}
    # What was disputed as each void version stood: a version that restores it brings that back.
    voided: dict[int | None, dict[_Key, _Raised]] = {}
    for version in versions:
        answers = Confirmations(version, version.events.all())
        if answers.settled:
            raised.clear()
            continue
        disputes = {_key(event): event for event in answers.disputes}
        for key, one in [*raised.items()]:
            stood, one.stood_last = one.stood_last, key in disputes
            # Only an organiser replaces a player while they dispute a hand.
            replaced = stood and version.follows == Hand.THE_GAME
            if not one.stood_last and (replaced or one.is_over_with(version, answers)):
                del raised[key]
        raised |= voided.get(version.supersedes_id, {})
        for key, event in disputes.items():
            known = raised.pop(key, None)
            raised[key] = _Raised(event, [*(known.disputed if known else ()), _content(version)])
        if version.status == Hand.Status.VOID:
            voided[version.pk] = {key: replace(one) for key, one in raised.items()}
            raised = _left_by_voiding(version, raised)
    return [*raised.values()]


def _left_by_voiding(hand: Hand, raised: dict[_Key, _Raised]) -> dict[_Key, _Raised]:
    """What of ``raised`` is not over with ``hand``, which was declared void.

    An organiser ends all. Anybody else ends what stood, of those for whom they spoke, and their own.
    """
    by = next((event.by for event in hand.events.all() if event.kind in HandEvent.ENDINGS), None)
    if by is not None and can(by, Permission.SETTLE_A_DISPUTE):
        return {}
    return {
        key: one
        for key, one in raised.items()
        if not one.stood_last and (by is None or not _disputes_it(one.event, by))
    }


def _read(game: Game, which: Q) -> list[Hand]:
    """The versions of hands of ``game`` that ``which`` chooses with what was answered: by number, the first one first."""
    versions = game.hands.filter(which).defer("card").order_by("number", "version")
    found = list(versions.prefetch_related("events__player", "events__by"))
    for version in found:
        version.game = game
    return found


def _content(hand: Hand) -> _Content:
    seated = in_any_order(hand).with_players(plays_now(hand.game, hand.pk))
    return _Content(seated, hand.final, hand.checked)


def _place(seats: Sequence[int], player: int | None) -> int:
    """Where ``player`` sits; after all others if somebody has taken their place."""
    return seats.index(player) if player in seats else len(seats)


def _key(event: HandEvent) -> _Key:
    return event.kind, event.player_id, event.about, event.reason


def _disputes_it(event: HandEvent, by: User) -> bool:
    """Whether ``by`` is who disputes the hand with ``event``."""
    return event.player is not None and is_own_player(event.player, by)
