"""Recording a hand: the one place where hands come into being.

Form, API, import and demo all end here. A preview is the same call, taken back before it is saved.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.league import tallies
from scoring.league.ratings import rate
from scoring.models import Game, Hand, Payment, Player, Round
from scoring.models.people import User

from .audit import note
from .entry import HandEntry
from .errors import Conflict, KeyReused
from .permissions import Call, require

# Decided by the service, not by the person: validated by the database, not by sentences.
# ``concealed`` may still be open: the melds decide it. The length of what was typed is the
# evaluator's to judge: the tiles are kept in their canonical spelling.
NOT_ENTERED = (
    *("game", "round", "winner", "discarder", "dealer", "ruleset_version", "card", "logged_by"),
    *("concealed", "supersedes", "tiles"),
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A hand with its payments (player, whole points) and the table after it."""

    hand: Hand
    payments: list[tuple[Player, int]]
    state: TableState


def preview_hand(game: Game, entry: HandEntry) -> Recorded:
    """What :func:`record_hand` would store, without storing it.

    :raises Conflict: if ``entry.number`` is not the next hand, or the game is over.
    :raises ValidationError: naming every field that is wrong.
    """
    _require_next(game, entry)
    hand = entry.at(game)
    check(hand)
    return _recorded(hand)


@transaction.atomic
def record_hand(
    game: Game, entry: HandEntry, *, by: User, key: str = "", at: datetime | None = None
) -> Recorded:
    """Score ``entry``, store it with its payments, move the table on. One transaction.

    :param at: when it was played and logged, for hands of the past; None is now.
    :raises NotAllowed: unless ``by`` is one of the four players or an organiser.
    :raises Conflict: if ``entry.number`` is not the next hand, or the game is over.
    :raises ValidationError: naming every field that is wrong. Nothing is stored then.
    :raises KeyReused: if ``by`` has logged another hand of ``game`` with ``key``, however long ago.
    """
    game = locked(game)
    require(by, Call.LOG_A_HAND, game)
    _require_next(game, entry)
    hand = entry.at(game)
    hand.logged_by, hand.entry_key = by, key
    hand.played_at = hand.logged_at = at or timezone.now()
    check(hand)
    hand.round, _created = Round.objects.get_or_create(
        game=game, wind=hand.prevailing, defaults={"started_at": hand.played_at}
    )
    recorded = _recorded(hand)
    _store(recorded)
    note("record_hand", hand, by=by)
    return recorded


def locked(game: Game | int) -> Game:
    """``game``, or the one of that id, fetched afresh and locked: who writes to this table waits."""
    pk = game if isinstance(game, int) else game.pk
    found = Game.objects.with_table().select_for_update(of=("self",)).get(pk=pk)
    if connection.features.has_select_for_update:
        # A statement that waited for the lock sees the row anew, but not what else was written
        # meanwhile: whether the evening was closed is for a statement of its own.
        del found.evening_closed
    return found


def with_key(by: User, key: str) -> Q:
    """The hands that ``by`` has logged with ``key``, if it is one: those of others are others."""
    return Q(logged_by=by, entry_key=key) & ~Q(entry_key="")


def _require_next(game: Game, entry: HandEntry) -> None:
    if game.finished:
        raise Conflict(
            _("This game is over: start a new one to go on."), code="finished", state=game.state
        )
    if entry.number == game.next_number:
        return
    there = game.hands.live().with_people().filter(number=entry.number).first()
    if there is None:
        message = _("The next hand is number %(next)s, not %(number)s.")
    else:
        message = _("Hand %(number)s is already logged. The next one is number %(next)s.")
    raise Conflict(
        message % {"next": game.next_number, "number": entry.number},
        code="not_the_next_hand",
        state=game.state,
        hand=there,
    )


def check(hand: Hand) -> None:
    """:raises ValidationError: naming every field that is wrong.

    The constraints are left to the database: each says once more what ``clean()`` or the number of
    the next hand has said already, and asking for it beforehand takes three statements apiece.
    """
    hand.full_clean(exclude=NOT_ENTERED, validate_constraints=False)


def _recorded(hand: Hand) -> Recorded:
    return Recorded(
        hand=hand,
        payments=list(zip(hand.game.players, hand.amounts(), strict=True)),
        state=hand.state_after,
    )


def _store(recorded: Recorded) -> None:
    hand, game = recorded.hand, recorded.hand.game
    if recorded.state.finished:
        tallies.lock(game.league_id)
    before = game.hands.aggregate(
        taken_back=Count("pk", filter=Q(number=hand.number)),
        counting=Count("pk", filter=Q(status=Hand.Status.LIVE)),
        same_key=Count("pk", filter=with_key(hand.logged_by, hand.entry_key)),
    )
    if before["same_key"]:
        raise KeyReused
    hand.version = before["taken_back"] + 1
    hand.save(force_insert=True)
    Payment.objects.bulk_create(
        Payment(hand=hand, player=player, amount=amount) for player, amount in recorded.payments
    )
    amounts = {player.pk: amount for player, amount in recorded.payments}
    # A game counts from its first hand that counts: of those before it some may be disputed.
    first = not before["counting"]
    tallies.change(game.league_id, come=[(hand, amounts)], games=int(first))
    game.take_state(recorded.state, at=hand.played_at)
    game.save()
    if game.finished:
        rate(game)
