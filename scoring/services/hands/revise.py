"""Carrying out a change to hands that were played: all that hangs on them follows at once.

The game is locked, and what is called here runs in the transaction that locked it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils import timezone

from scoring.models import Confirmations, Game, Hand, HandEvent, Payment, Round
from scoring.models.permissions import Account, is_account_of
from scoring.models.scorers import Versions, entered_by

from .. import tallies
from ..ratings import share_out_and_rate
from .replay import HandChange, Replay


def apply_replay(
    replay: Replay, *, by: Account, reason: str, ending: HandEvent.Kind = HandEvent.Kind.VOID
) -> None:
    """Store what ``replay`` worked out: new versions, payments, the deal, tallies, ratings.

    :param ending: how a hand that is taken back is marked.
    """
    game, had_finished_at = replay.game, replay.game.finished_at
    if had_finished_at or replay.state.finished:
        tallies.lock(game.league_id)
    removed = [
        (change.before, change.paid_before) for change in replay.changes if change.before.undisputed
    ]
    _end_versions(replay.changes, by, reason, ending)
    first = replay.changes[0]
    add_versions(game, replay.changes, by=by, reason=reason, follows=first.number, entered=first)
    _keep_confirmations(replay, {change.before.pk: change for change in replay.later})
    added = [
        (change.after, change.paid_after)
        for change in replay.changes
        if change.after and change.after.undisputed
    ]
    game.apply_state(replay.state, at=replay.last_played)
    game.save()
    recount(game, removed=removed, added=added, had_finished_at=had_finished_at)


def recount(
    game: Game,
    *,
    removed: Sequence[tallies.Paid] = (),
    added: Sequence[tallies.Paid] = (),
    had_finished_at: datetime | None,
) -> None:
    """Bring tallies and ratings to what counts at ``game`` now; hands and game are saved before.

    A game that is or was finished needs ``tallies.lock()`` before anything is saved.
    """
    counted = game.hands.counted().count()
    # Before the change as many counted as now, less what came and with what went.
    before = counted - len(added) + len(removed)
    games = int(counted > 0) - int(before > 0)
    tallies.change(game.league_id, removed=removed, added=added, games=games)
    if game.finished or had_finished_at:
        share_out_and_rate(game, finished_at=had_finished_at)


def _end_versions(
    changes: Iterable[HandChange], by: Account, reason: str, ending: HandEvent.Kind
) -> None:
    superseded: list[int] = []
    void: list[int] = []
    for change in changes:
        # A void hand that is restored stays void: the next version brings it back.
        if change.before.current:
            (superseded if change.after else void).append(change.before.pk)
    supersede(superseded)
    Hand.objects.filter(pk__in=void).update(status=Hand.Status.VOID)
    HandEvent.objects.bulk_create(
        HandEvent(hand_id=pk, kind=ending, by=by, reason=reason) for pk in void
    )


def supersede(hands: Iterable[int]) -> None:
    """Mark ``hands`` (ids) as superseded, before their next versions are added: one stands at each position."""
    Hand.objects.filter(pk__in=list(hands)).update(status=Hand.Status.SUPERSEDED)


def add_versions(
    game: Game,
    changes: Sequence[HandChange],
    *,
    by: Account,
    reason: str,
    follows: int,
    entered: HandChange | None = None,
) -> None:
    """Store the next versions of hands of ``game`` that ``changes`` have, with their rounds and payments.

    :param follows: the number of the hand whose change they follow, or ``Hand.THE_GAME``.
    :param entered: the change that was entered itself: it follows from none.
    """
    pairs = [(change, change.after) for change in changes if change.after]
    rounds = _rounds(game, [after for _change, after in pairs])
    now = timezone.now()
    for change, after in pairs:
        after.round = rounds[after.prevailing]
        after.logged_by, after.logged_at = by, now
        after.reason, after.follows = reason, None if change is entered else follows
    Hand.objects.bulk_create(after for _change, after in pairs)
    Payment.objects.bulk_create(
        Payment(hand=after, player_id=player, amount=amount)
        for change, after in pairs
        for player, amount in change.paid_after.items()
    )


def _rounds(game: Game, hands: Sequence[Hand]) -> dict[str, Round]:
    """The round of each wind that prevails in ``hands``, begun with its first hand."""
    rounds = {game_round.wind: game_round for game_round in game.rounds.all()}
    for hand in hands:
        if hand.prevailing not in rounds:
            rounds[hand.prevailing] = Round.objects.create(
                game=game, wind=hand.prevailing, started_at=hand.played_at
            )
    return rounds


def _keep_confirmations(replay: Replay, later: dict[int, HandChange]) -> None:
    """Later hands whose winds change were entered as before: what was said about that holds.

    A dispute stays, and so does how an organiser settled one. A confirmation stays unless others pay
    now: then they are asked again. The corrected hand itself is a new entry: disputes stay that it leaves
    open, and that an organiser settled it, so that none but organisers change it again. A hand that is
    restored says what it said, so that what was said about it holds as for a later hand.
    """
    first = replay.changes[0]
    events, versions = events_by_hand([first.before.pk, *later]), Versions(replay.game.pk)
    kept = [
        (change.after, event)
        for pk, change in later.items()
        if change.after
        for event in events_that_hold(change, events[pk], versions)
    ]
    if first.after:
        settled = Confirmations(first.before, events[first.before.pk]).settled
        # A player's last answer counts: what is disputed comes after what they said before.
        about_it = (*replay.kept, *replay.disputes, settled)
        kept += [(first.after, event) for event in about_it if event]
    HandEvent.objects.bulk_create(event.copied_to(hand) for hand, event in kept)


def events_by_hand(hands: Iterable[int]) -> dict[int, list[HandEvent]]:
    """What was said about ``hands`` (ids), the first first; each hand has an entry. One query."""
    events: dict[int, list[HandEvent]] = {hand: [] for hand in hands}
    for event in HandEvent.objects.filter(hand__in=events).order_by("pk"):
        events[event.hand_id].append(event)
    return events


def events_that_hold(
    change: HandChange, events: list[HandEvent], versions: Versions | None = None
) -> list[HandEvent]:
    """What of ``events`` holds for the next version of a hand that was entered as before.

    Disputes do, and how an organiser settled them; a confirmation does unless others pay now.

    :param versions: of its game, for whoever asks about several of its hands.
    """
    answers = Confirmations(change.before, events)
    kept = answers.disputes
    if change.paid_before == change.paid_after:
        kept = [*_confirmation_by_logging(change, versions), *answers.given.values()]
    return [*kept, *([answers.settled] if answers.settled else [])]


def _confirmation_by_logging(change: HandChange, versions: Versions | None) -> list[HandEvent]:
    """The confirmation of who entered the hand, where its next version comes of somebody else's change."""
    hand, after = change.before, change.after
    author = entered_by(hand, versions)
    if after is None or author is None or author == after.logged_by_id:
        return []
    return [
        HandEvent(kind=HandEvent.Kind.CONFIRMED, player=player, by_id=author, at=hand.logged_at)
        for player in hand.game.players
        if is_account_of(player, author)
    ]
