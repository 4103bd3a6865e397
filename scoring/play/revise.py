"""Carrying out a change to hands that were played: all that hangs on them follows at once.

The game is locked, and what is called here runs in the transaction that locked it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.league import tallies
from scoring.league.ratings import rate
from scoring.models import Answers, Game, Hand, HandEvent, Payment, Round
from scoring.models.people import User

from .reasons import LONGEST_REASON
from .replay import Change, Replay


def carry_out(
    replay: Replay, *, by: User, reason: str, ending: HandEvent.Kind = HandEvent.Kind.VOID
) -> None:
    """Store what ``replay`` worked out: new versions, payments, the deal, tallies, ratings.

    :param ending: how a hand that is taken back is marked.
    """
    game, had_finished_at = replay.game, replay.game.finished_at
    if had_finished_at or replay.state.finished:
        tallies.lock(game.league_id)
    gone = [
        (change.before, change.paid_before) for change in replay.changes if change.before.counts
    ]
    _end_versions(replay.changes, by, reason, ending)
    _add_versions(replay, by, reason)
    come = [
        (change.after, change.paid_after)
        for change in replay.changes
        if change.after and change.after.counts
    ]
    game.take_state(replay.state, at=replay.last_played)
    game.save()
    recount(game, gone=gone, come=come, had_finished_at=had_finished_at)


def recount(
    game: Game,
    *,
    gone: Sequence[tallies.Paid] = (),
    come: Sequence[tallies.Paid] = (),
    had_finished_at: datetime | None,
) -> None:
    """Bring tallies and ratings to what counts at ``game`` now; hands and game are saved before.

    A game that is or was finished needs ``tallies.lock()`` before anything is saved.
    """
    counting = game.hands.counting().count()
    before = counting - len(come) + len(gone)
    games = int(counting > 0) - int(before > 0)
    tallies.change(game.league_id, gone=gone, come=come, games=games)
    if game.finished or had_finished_at:
        rate(game, finished_at=had_finished_at)


def _end_versions(changes: Iterable[Change], by: User, reason: str, ending: HandEvent.Kind) -> None:
    superseded, void = [], []
    for change in changes:
        (superseded if change.after else void).append(change.before.pk)
    Hand.objects.filter(pk__in=superseded).update(status=Hand.Status.SUPERSEDED)
    Hand.objects.filter(pk__in=void).update(status=Hand.Status.VOID)
    HandEvent.objects.bulk_create(
        HandEvent(hand_id=pk, kind=ending, by=by, reason=reason) for pk in void
    )


def _add_versions(replay: Replay, by: User, reason: str) -> None:
    pairs = [(change, change.after) for change in replay.changes if change.after]
    rounds = _rounds(replay.game, [after for _change, after in pairs])
    now = timezone.now()
    first = replay.changes[0]
    follows = _("Follows hand %(number)s: %(reason)s") % {"number": first.number, "reason": reason}
    for change, after in pairs:
        after.round = rounds[after.prevailing]
        after.logged_by, after.logged_at = by, now
        after.reason = reason if change is first else follows[:LONGEST_REASON]
    Hand.objects.bulk_create(after for _change, after in pairs)
    Payment.objects.bulk_create(
        Payment(hand=after, player_id=player, amount=amount)
        for change, after in pairs
        for player, amount in change.paid_after.items()
    )
    _keep_disputes({change.before.pk: after for change, after in pairs if not after.counts})


def _rounds(game: Game, hands: Sequence[Hand]) -> dict[str, Round]:
    """The round of each wind that prevails in ``hands``, begun with its first hand."""
    found = {each.wind: each for each in game.rounds.all()}
    for hand in hands:
        if hand.prevailing not in found:
            found[hand.prevailing] = Round.objects.create(
                game=game, wind=hand.prevailing, started_at=hand.played_at
            )
    return found


def _keep_disputes(hands: dict[int, Hand]) -> None:
    """A later hand that is disputed stays so when its winds change: nobody has settled it."""
    if not hands:
        return
    said: dict[int, list[HandEvent]] = {}
    for event in HandEvent.objects.filter(hand__in=hands):
        said.setdefault(event.hand_id, []).append(event)
    HandEvent.objects.bulk_create(
        HandEvent(
            hand=hand,
            kind=event.kind,
            player_id=event.player_id,
            by_id=event.by_id,
            at=event.at,
            reason=event.reason,
        )
        for pk, hand in hands.items()
        for event in Answers(hand, said.get(pk, [])).disputes
    )
