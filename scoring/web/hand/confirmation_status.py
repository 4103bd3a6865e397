"""Decide what a reader can do about a hand: correct it, declare it void or restore it, answer, settle."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.models import Confirmations, Game, Hand, HandEvent, Player
from scoring.models.game_tables import with_table
from scoring.models.permissions import Permission, User, can, is_own_player
from scoring.services.hands.left_disputed import who_else_disputes
from scoring.services.hands.restore import may_restore
from scoring.translation import LazyText


@dataclass(frozen=True, slots=True)
class Confirmation:
    """One of those who are asked, and what they answered last: "confirmed", "disputed" or nothing.

    ``about`` and ``reason`` say what a dispute is about. ``guest``: has no account, and answers on one
    phone; ``here``: which is that of the reader; ``by_pin``: on any phone of the table, with a PIN.
    """

    player: Player
    answer: str
    about: str
    reason: str
    own: bool
    here: bool

    @property
    def guest(self) -> bool:
        return self.player.user_id is None

    @property
    def by_pin(self) -> bool:
        return bool(self.player.pin) and not self.own


@dataclass(frozen=True, slots=True)
class ConfirmationStatus:
    """The hand between its scorer and the others, as one reader may act on it.

    ``gone``: disputes of who does not sit here now. ``pass_on``: the phone of the reader may be passed round.
    """

    hand: Hand
    answers: Confirmations
    confirmations: list[Confirmation]
    gone: list[Confirmation]
    at_table: bool
    may_correct: bool
    may_void: bool
    may_restore: bool
    may_settle: bool
    pass_on: bool

    @property
    def shown(self) -> list[Confirmation]:
        """Of a hand that was corrected or declared void nobody is asked: only what was said remains."""
        if self.hand.current:
            return [*self.confirmations, *self.gone]
        answered = [confirmation for confirmation in self.confirmations if confirmation.answer]
        return [*answered, *self.gone]

    @property
    def all_agreed(self) -> bool:
        """Whether everybody who is asked has said that the hand is right."""
        return all(
            confirmation.answer == HandEvent.Kind.CONFIRMED for confirmation in self.confirmations
        )

    @property
    def about(self) -> Sequence[tuple[str, LazyText]]:
        """What a dispute can be about: value and words."""
        return HandEvent.About.choices

    @property
    def own(self) -> Confirmation | None:
        """The reader's own answer, while it is asked for."""
        if not (self.answers.open and self.at_table):
            return None
        return next((confirmation for confirmation in self.confirmations if confirmation.own), None)


def confirmation_status(hand: Hand, user: User) -> ConfirmationStatus | None:
    """How ``hand`` stands with the others, for ``user``; a visitor is told nothing. Four queries."""
    if not user.is_authenticated:
        return None
    game = with_table(Game.objects).get(pk=hand.game_id)
    hand.game = game
    answers = Confirmations(hand, hand.events.select_related("player"))
    at_table = can(user, Permission.CORRECT_A_HAND, game)
    settles = can(user, Permission.SETTLE_A_DISPUTE, game)
    asked = [_confirmation(player, answers, user, settles=settles) for player in answers.asked]
    passes_on = settles or answers.scorer == user.pk or any(one.here for one in asked)
    may_correct = at_table and hand.current and (settles or not answers.settled)
    return ConfirmationStatus(
        hand=hand,
        answers=answers,
        confirmations=asked,
        gone=[
            _confirmation(event.player, answers, user, settles=settles)
            for event in answers.disputes
            if event.player and event.player not in game.players
        ],
        at_table=at_table,
        may_correct=may_correct,
        may_void=may_correct and who_else_disputes(hand, user) is None,
        may_restore=may_restore(hand, user),
        may_settle=settles and hand.disputed,
        pass_on=answers.open and at_table and passes_on,
    )


def _confirmation(
    player: Player, answers: Confirmations, user: User, *, settles: bool
) -> Confirmation:
    event = answers.given.get(player.pk)
    own = is_own_player(player, user)
    here = player.user_id is None and (settles or answers.phone_of(player) == user.pk)
    if event is None:
        return Confirmation(player, "", "", "", own, here)
    return Confirmation(player, event.kind, event.get_about_display(), event.reason, own, here)
