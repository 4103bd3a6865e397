"""Work out what changing one hand does to those after it. Nothing is saved: a preview shows this, a change stores it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Game, Hand, HandEvent, Payment, Player
from scoring.models.permissions import User
from scoring.models.problems import at_no_field
from scoring.models.refusals import IMPOSSIBLE_HAND, OVER_BEFORE

from .entry import deal_again, payable_amounts_again
from .settled import barred_by_settling

# Whole points by the player's id.
AmountsByPlayer = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class HandChange:
    """What becomes of one hand; without ``after`` it is taken back.

    A ``before`` that is void is restored: until then nobody pays for it.
    """

    before: Hand
    after: Hand | None
    paid_before: AmountsByPlayer
    paid_after: AmountsByPlayer

    @property
    def number(self) -> int:
        return self.before.number

    @property
    def differences(self) -> dict[int, int]:
        """What each player has more, or less, than before. The points of a disputed hand wait: nobody has them."""
        had = self.paid_before if self.before.undisputed else {}
        has = self.paid_after if self.after and self.after.undisputed else {}
        return {player: has.get(player, 0) - had.get(player, 0) for player in self.paid_before}

    @property
    def ends_dispute(self) -> bool:
        """Whether the hand was disputed, stays, and counts from now on."""
        return bool(self.before.disputed and self.after and self.after.undisputed)


@dataclass(frozen=True, slots=True)
class Replay:
    """A game with one hand changed.

    :ivar changes: the hand itself first, then the later ones that are no longer what they were.
    :ivar state: where the table stands after the last hand.
    :ivar last_played: when that was.
    :ivar disputes: of the hand itself: those that stay, because it leaves what they are about.
    :ivar untouched: how many of the hands that were played again are as they were.
    :ivar kept: what else was said about a hand that is restored, and holds.
    """

    game: Game
    changes: list[HandChange]
    state: TableState
    last_played: datetime
    disputes: Sequence[HandEvent] = field(default=(), kw_only=True)
    kept: Sequence[HandEvent] = field(default=(), kw_only=True)
    untouched: int = field(default=0, kw_only=True)

    @property
    def later(self) -> list[HandChange]:
        return self.changes[1:]

    @property
    def people(self) -> list[Player]:
        """Whose points may change."""
        return self.game.players

    @property
    def other_points(self) -> Counter[int]:
        """What changes besides the hands, in whole points by id. A corrected hand moves nothing else."""
        return Counter()

    @property
    def differences(self) -> Counter[int]:
        """What each player has more, or less, after all of it, in whole points by id."""
        totals: Counter[int] = Counter({player.pk: 0 for player in self.people})
        for change in self.changes:
            totals.update(change.differences)
        totals.update(self.other_points)
        return totals

    @property
    def etag(self) -> str:
        """A fingerprint: a change is refused when it has changed since the person saw the preview."""
        results = [
            (
                change.before.pk,
                change.after and change.after.final,
                sorted(change.paid_after.items()),
            )
            for change in self.changes
        ]
        disputes = [event.pk for event in self.disputes]
        return hashlib.sha256(
            repr((results, self.state, sorted(self.other_points.items()), disputes)).encode()
        ).hexdigest()[:16]


def replay(hand: Hand, instead: Hand | None) -> Replay:
    """The game of ``hand`` with ``instead`` at its place; None takes the hand back.

    ``hand`` stands there, or is void and ``instead`` brings it back.

    Winds, deal and scores of later hands follow. Where the deal comes out as it was, so does all
    that follows, and the replay ends.

    :raises ValidationError: if a later hand could not have been played then, or would pay more than can be
        kept; it names the hand.
    """
    game = hand.game
    state = instead.state_after if instead else hand.state_before
    later = list(
        game.hands.current().filter(number__gt=hand.number).defer("card").order_by("number")
    )
    changed: list[tuple[Hand, Hand | None]] = [(hand, instead)]
    for following in later:
        following.game, following.ruleset_version = game, game.ruleset_version
        if state.finished:
            params = {"number": following.number}
            raise at_no_field(OVER_BEFORE % params, code="game_over_before")
        state = replace(state, number=following.number)
        if state == following.state_before:
            state = later[-1].state_after
            break
        again = _dealt_again(following, state)
        changed.append((following, again))
        state = again.state_after
    if not later and not instead:
        state = replace(state, number=_last_number_before(hand) + 1)
    return Replay(game, _changes(game, changed), state, (later or [hand])[-1].played_at)


def require_settled_stay(changes: Iterable[HandChange], by: User) -> None:
    """:raises ValidationError: if ``by`` is no organiser, and a hand that one settled would pay otherwise."""
    changed = [change.before for change in changes if change.paid_before != change.paid_after]
    if hand := barred_by_settling(changed, by):
        message = _(
            "An organiser settled hand %(number)s, and this would change what it pays: ask an "
            "organiser to do it."
        )
        raise at_no_field(message % {"number": hand.number}, code="settled")


def _dealt_again(hand: Hand, state: TableState) -> Hand:
    """``hand`` as the next version of itself, with the winds of ``state`` and what follows from them."""
    try:
        again = deal_again(hand, state)
    except ValidationError as error:
        params = {"number": hand.number, "why": " ".join(error.messages)}
        raise at_no_field(IMPOSSIBLE_HAND % params, code="impossible_later_hand") from error
    again.status = hand.status
    return again


def _changes(game: Game, changed: Sequence[tuple[Hand, Hand | None]]) -> list[HandChange]:
    """With what was paid, in one query, and what would be.

    :raises ValidationError: for a hand that would pay more than can be kept.
    """
    paid = Payment.objects.by_hand(hand.pk for hand, _again in changed)
    players = [player.pk for player in game.players]
    nothing = dict.fromkeys(players, 0)
    return [
        HandChange(
            before=hand,
            after=again,
            paid_before=paid[hand.pk] if hand.current else nothing,
            paid_after=dict(zip(players, payable_amounts_again(again), strict=True))
            if again
            else nothing,
        )
        for hand, again in changed
    ]


def _last_number_before(hand: Hand) -> int:
    earlier = hand.game.hands.current().filter(number__lt=hand.number)
    return earlier.aggregate(last=Max("number"))["last"] or 0
