"""What a reader can do about a hand: correct it, answer for it, settle a dispute."""

from dataclasses import dataclass

from scoring.models import Answers, Game, Hand, HandEvent, Player
from scoring.models.permissions import User
from scoring.play.permissions import Call, may


@dataclass(frozen=True, slots=True)
class Voice:
    """One of those who are asked, and what they said last: "confirmed", "disputed" or nothing."""

    player: Player
    said: str
    reason: str
    own: bool


@dataclass(frozen=True, slots=True)
class Trust:
    """The hand between its scorer and the others, as one reader may act on it.

    ``pass_on``: the phone of the reader may be passed round.
    """

    hand: Hand
    answers: Answers
    voices: list[Voice]
    may_correct: bool
    may_settle: bool
    pass_on: bool

    @property
    def own(self) -> Voice | None:
        """The reader's own voice, while it is asked for."""
        if not (self.answers.open and self.may_correct):
            return None
        return next((voice for voice in self.voices if voice.own), None)


def trust_of(hand: Hand, user: User) -> Trust | None:
    """How ``hand`` stands with the others, for ``user``; a visitor is told nothing. Four queries."""
    if not user.is_authenticated:
        return None
    game = Game.objects.with_table().get(pk=hand.game_id)
    hand.game = game
    answers = Answers(hand, hand.events.select_related("player"))
    at_table = may(user, Call.CORRECT_A_HAND, game)
    settles = may(user, Call.SETTLE_A_DISPUTE)
    return Trust(
        hand=hand,
        answers=answers,
        voices=[_voice(player, answers.given.get(player.pk), user) for player in answers.asked],
        may_correct=at_table and hand.live,
        may_settle=settles and hand.status == Hand.Status.DISPUTED,
        pass_on=answers.open and at_table and (settles or hand.logged_by_id == user.pk),
    )


def _voice(player: Player, event: HandEvent | None, user: User) -> Voice:
    own = player.user_id is not None and player.user_id == user.pk
    return Voice(player, event.kind if event else "", event.reason if event else "", own)
