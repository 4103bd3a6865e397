"""Late hands: a phone holds hands that it could not send before the game was ended or its evening closed.

The phone asks; an organiser takes each hand in, or declines it. The game stays over.
"""

import copy
import dataclasses
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.models import Game, Hand, LateHand, Player
from scoring.models.game_tables import with_table
from scoring.models.permissions import (
    Account,
    Permission,
    User,
    can,
    check_not_closed,
    check_permission,
    check_scope,
    check_signed_in,
)
from scoring.models.places import plays_now

from . import reasons
from .audit import log_audit
from .errors import Conflict, KeyReused, require_etag
from .games import played_out
from .hands.entry import HandEntry, score, validate
from .hands.record import (
    Recorded,
    count,
    fingerprints,
    lock_game,
    recorded,
    require_position,
    store,
    was_logged_as,
    with_key,
)
from .notices import notify_late_hand

# More than anybody plays without a network, and few enough to look at.
MOST_WAITING = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """How a late hand stands: "asked", "taken" or "declined", with the hand or the reason."""

    outcome: str
    hand: Hand | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class WaitingHand:
    """A late hand and what taking it in would bring, after those before it.

    ``entered`` is the hand as its phone has it; who was replaced is who plays now. ``recorded`` is None where it would be refused; ``problems`` say why.
    """

    late: LateHand
    entered: HandEntry
    recorded: Recorded | None
    problems: list[str]

    @property
    def etag(self) -> str:
        """A fingerprint of what the hand would bring; empty where it would be refused."""
        return etag_of(self.recorded) if self.recorded else ""


def etag_of(late: Recorded) -> str:
    """A fingerprint of what taking in a late hand brings."""
    paid = sorted((player.pk, amount) for player, amount in late.payments)
    brings = (late.hand.number, late.hand.final, paid)
    return hashlib.sha256(repr(brings).encode()).hexdigest()[:16]


@transaction.atomic
def ask_for_late_hand(
    game: Game, entry: HandEntry, *, by: User, key: str = "", again: bool = False
) -> Asked:
    """Keep ``entry`` for an organiser to decide. Asking again answers how it stands by now.

    ``entry.number`` may be later than the next hand: several late hands come in their order.

    :param again: let an organiser look again at what one has declined.
    :raises PermissionDenied: unless ``by`` is one of the four players, or was until somebody took their
        place, or is an organiser; for everybody while the game is withdrawn.
    :raises Conflict: with the code ``open`` if the hand can simply be logged; with ``played_out`` or
        ``already_there`` if no organiser could take it in.
    :raises ValidationError: naming every field that is wrong.
    :raises KeyReused: if ``by`` asked for another hand of this game with ``key``.
    """
    by = check_signed_in(by)
    check_scope(by, Permission.ASK_FOR_A_LATE_HAND)
    game, key = lock_game(game), key or _key_of(entry)
    if there := game.hands.filter(with_key(by, key)).with_people().first():
        there.game = game
        if not was_logged_as(there, entry):
            raise KeyReused(there)
        return Asked(LateHand.Status.TAKEN, there)
    late = game.late_hands.filter(by=by, key=key).select_related("hand").first()
    if game.withdrawn and not _is_decided(late, entry, again=again):
        # Organisers see no late hand of it until it is restored.
        check_permission(by, Permission.ASK_FOR_A_LATE_HAND, game)
    if late is None:
        if not _sat_here(by, game):
            check_permission(by, Permission.ASK_FOR_A_LATE_HAND, game)
        _require_late(game, entry, by)
        _validate(game, _of_who_sits_here(entry, game))
        late = _keep(game, entry, by, key)
    elif late.status == LateHand.Status.ASKED and _takes_hands(game, by):
        raise _open(game)
    elif entry.fingerprint not in fingerprints(late) or (
        again and late.status == LateHand.Status.DECLINED
    ):
        late = _ask_again(late, game, entry, by)
    return Asked(late.status, late.hand, late.reason)


def waiting_at(game: Game) -> list[WaitingHand]:
    """The late hands of ``game`` that wait, in their order, and what each would bring."""
    game = with_table(Game.objects).get(pk=game.pk)
    waiting, table = [], _as_open(game)
    for late in game.late_hands.waiting().select_related("by__player").order_by("number", "pk"):
        expected, problems = None, []
        hand = _hand(late, table)
        try:
            _require_nobody_logs(game, late)
            if table.state.finished:
                raise _played_out(game)
            validate(hand)
            score(hand)
            expected = recorded(hand)
            table = _as_open(game, expected.state)
        except Conflict as refusal:
            problems = [str(refusal)]
        except ValidationError as error:
            problems = error.messages
        entered = HandEntry.from_json(late.entry)
        waiting.append(WaitingHand(late, entered, expected, problems))
    return waiting


@transaction.atomic
def take_in_late_hand(late: LateHand, *, by: User, expected_etag: str = "") -> Hand:
    """Log the late hand as the next hand of its game, for who logged it. The game stays over.

    :param expected_etag: the ``etag`` of what the organiser saw that it brings; empty asks for none.
    :raises PermissionDenied: unless ``by`` is an organiser; if the season is closed.
    :raises Conflict: if it is decided already, or one before it waits, or it would bring something
        else now, or the game is played out, or was opened again: then whoever holds the hand logs it.
    :raises ValidationError: naming what is wrong with the hand.
    """
    game = lock_game(late.game_id)
    by = check_permission(by, Permission.DECIDE_A_LATE_HAND, game)
    check_not_closed(game.league)
    late = _undecided(game, late)
    hand = game.hands.filter(with_key(late.by, late.key)).first() or _next_hand(
        game, late, expected_etag, late.by or by
    )
    _decide(late, LateHand.Status.TAKEN, by, hand=hand)
    log_audit("take_in_late_hand", hand, by=by, late_hand=late.pk)
    return hand


@transaction.atomic
def decline_late_hand(late: LateHand, *, by: User, reason: str) -> LateHand:
    """Decline a late hand: whoever logged it reads the ``reason``.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises Conflict: if it is decided already.
    :raises ValidationError: without a reason.
    """
    game = lock_game(late.game_id)
    by = check_permission(by, Permission.DECIDE_A_LATE_HAND, game)
    reason = reasons.required(reason)
    late = _undecided(game, late)
    _decide(late, LateHand.Status.DECLINED, by, reason=reason)
    log_audit("decline_late_hand", late, by=by, reason=reason)
    return late


def _next_hand(game: Game, late: LateHand, expected_etag: str, by: Account) -> Hand:
    """Log ``late``, entered ``by`` somebody, as the next hand of ``game``, which is locked."""
    _require_nobody_logs(game, late)
    first = game.late_hands.waiting().order_by("number", "pk").first()
    if first != late:
        message = _("Another late hand comes before this one: decide that one first.")
        raise Conflict(message, code="not_the_next_hand", state=game.state)
    if played_out(game):
        raise _played_out(game)
    hand = _hand(late, game)
    validate(hand)
    score(hand)
    require_etag(etag_of(recorded(hand)), expected_etag, game.state)
    hand.logged_by, hand.entry_key = late.by, late.key
    hand.entry_fingerprint = late.entry_fingerprint
    hand.logged_at, hand.played_at = timezone.now(), _played_at(late, game)
    count(store(hand, by=by))
    return hand


def _require_late(game: Game, entry: HandEntry, by: User) -> None:
    if _takes_hands(game, by):
        raise _open(game)
    if played_out(game):
        raise _played_out(game)
    require_position(game, entry, may_be_later=True)
    if game.late_hands.waiting().count() >= MOST_WAITING:
        message = _("Too many late hands of this game wait already: talk to an organiser.")
        raise Conflict(message, code="too_many", state=game.state)


def _takes_hands(game: Game, by: User) -> bool:
    return not game.finished and can(by, Permission.LOG_A_HAND, game)


def _open(game: Game) -> Conflict:
    message = _("The game is open: the hand can be logged.")
    return Conflict(message, code="open", state=game.state)


def _require_nobody_logs(game: Game, late: LateHand) -> None:
    """:raises Conflict: if the phone that holds the hand can log it again."""
    if late.by is not None and _takes_hands(game, late.by):
        message = _(
            "The game is open again: the phone that holds this hand saves it. If nobody will, "
            "decline it."
        )
        raise Conflict(message, code="open", state=game.state)


def _is_decided(late: LateHand | None, entry: HandEntry, *, again: bool) -> bool:
    """Whether an organiser has decided about what ``entry`` says, and is not to decide ``again``."""
    if late is None or late.status == LateHand.Status.ASKED:
        return False
    if again and late.status == LateHand.Status.DECLINED:
        return False
    return entry.fingerprint in fingerprints(late)


def _sat_here(by: Account, game: Game) -> bool:
    """Whether ``by`` played at this table until somebody took their place."""
    player = Player.objects.filter(user_id=by.pk).values_list("pk", flat=True).first()
    return any(player in change.before.get("seats", ()) for change in game.changes if player)


def _of_who_sits_here(entry: HandEntry, game: Game) -> HandEntry:
    """``entry`` as it reads since others took the places of those whom it names."""
    if entry.players <= {player.pk for player in game.players}:
        return entry
    return entry.with_players(plays_now(game))


def _validate(game: Game, entry: HandEntry) -> None:
    """Refuse what no winds could make right: the hand's own winds are known when it is taken in."""
    table = _as_open(game)
    validate(dataclasses.replace(entry, number=max(entry.number, 1)).to_hand(table))


def _keep(game: Game, entry: HandEntry, by: Account, key: str) -> LateHand:
    late = LateHand.objects.create(
        game=game,
        by=by,
        key=key,
        number=entry.number,
        entry=_of_who_sits_here(entry, game).as_json,
        entry_fingerprint=entry.fingerprint,
    )
    log_audit("ask_for_late_hand", late, by=by)
    notify_late_hand(late, by=by)
    return late


def _ask_again(late: LateHand, game: Game, entry: HandEntry, by: User) -> LateHand:
    """Ask again for a declined hand, put right or not; the audit keeps how it was declined.

    :raises KeyReused: if ``late`` was not declined: what an organiser looks at stays what it is.
    """
    if late.status != LateHand.Status.DECLINED:
        raise KeyReused(late.hand)
    _require_late(game, entry, by)
    seated = _of_who_sits_here(entry, game)
    _validate(game, seated)
    declined = {"by": late.decided_by_id, "reason": late.reason, "entry": late.entry}
    late.status, late.asked_at = LateHand.Status.ASKED, timezone.now()
    late.decided_at, late.decided_by, late.reason = None, None, ""
    late.number, late.entry = entry.number, seated.as_json
    late.entry_fingerprint = entry.fingerprint
    late.save()
    log_audit("ask_for_late_hand", late, by=by, declined=declined)
    notify_late_hand(late, by=by)
    return late


def _undecided(game: Game, late: LateHand) -> LateHand:
    late = game.late_hands.select_related("by").get(pk=late.pk)
    late.game = game
    if late.status != LateHand.Status.ASKED:
        raise Conflict(_("This late hand is decided already."), code="decided", state=game.state)
    return late


def _decide(
    late: LateHand, status: str, by: Account, *, hand: Hand | None = None, reason: str = ""
) -> None:
    late.status, late.hand, late.reason = status, hand, reason
    late.decided_at, late.decided_by = timezone.now(), by
    late.save()


def _hand(late: LateHand, table: Game) -> Hand:
    """The unsaved hand of ``late``: the next one of ``table``, whatever number the phone gave it."""
    entry = HandEntry.from_json({**late.entry, "number": table.next_number})
    return entry.to_hand(table)


def _played_at(late: LateHand, game: Game) -> Any:
    """When it was played, as far as anybody can tell: before the game ended, after its last hand."""
    last = game.hands.aggregate(last=Max("played_at"))["last"] or game.started_at
    return max(last, min(late.asked_at, game.finished_at or late.asked_at))


def _as_open(game: Game, state: TableState | None = None) -> Game:
    """A copy of ``game`` that takes hands, before or after some that are not stored yet."""
    table = copy.copy(game)
    if state is not None:
        table.deal_from(state)
    over = state.finished if state is not None else played_out(game)
    table.finished_at = table.finished_at if over else None
    return table


def _key_of(entry: HandEntry) -> str:
    """A key for a hand that came without one: the same hand again is the same hand."""
    parts: Iterator[str] = (f"{name}={value}" for name, value in sorted(entry.as_json.items()))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _played_out(game: Game) -> Conflict:
    message = _("The last round is over: no hand follows it.")
    return Conflict(message, code="played_out", state=game.state)
