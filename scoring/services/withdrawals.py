"""Withdrawing a game that was opened by mistake, and restoring it."""

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Game, GameEvent
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    User,
    check_permission,
)

from . import reasons
from .audit import log_audit
from .counting import close_unused, lock_game_and_league, put_in, take_out
from .errors import Conflict
from .games import require_nowhere_else
from .hands.left_disputed import who_else_disputes
from .hands.settled import barred_by_settling
from .locks import lock_to_seat
from .notices import ask_who_can_answer


@transaction.atomic
def withdraw_game(game: Game, *, by: User, reason: str) -> Game:
    """Take ``game`` out of everything that counts. It stays, to be read and restored.

    That holds for a game without a hand, too: a phone may hold hands of it. The tallies that only it
    had opened go.

    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table, the evening is open, no
        organiser has settled a hand of it, and nobody else disputes one.
    :raises Conflict: if it is withdrawn already.
    :raises ValidationError: without a reason.
    """
    game = lock_game_and_league(game)
    by = require_withdrawable(game, by)
    reason = reasons.required(reason)
    take_out(game)
    close_unused(game.league_id, game.players)
    ask_who_can_answer(game.players)
    GameEvent.objects.create(game=game, kind=GameEvent.Kind.WITHDRAWN, by=by, reason=reason)
    log_audit("withdraw_game", game, by=by, reason=reason)
    return game


@transaction.atomic
def restore_game(game: Game, *, by: User, reason: str, anyway: bool = False) -> Game:
    """Let a withdrawn ``game`` count again, as it was; it ends if its evening was closed meanwhile.

    :param anyway: even if it goes on and somebody sits at another open table by now.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises Conflict: if it is not withdrawn.
    :raises ValidationError: without a reason; with the code ``seated_elsewhere`` if somebody sits
        at another open table.
    """
    game = lock_game_and_league(game)
    by = require_restorable(game, by)
    reason = reasons.required(reason)
    _end_if_closed_meanwhile(game)
    if not game.finished:
        lock_to_seat(game.players)
        if not anyway:
            require_nowhere_else(game.players, but=[game])
    put_in(game)
    ask_who_can_answer(game.players)
    GameEvent.objects.create(game=game, kind=GameEvent.Kind.RESTORED, by=by, reason=reason)
    log_audit("restore_game", game, by=by, reason=reason)
    return game


def _end_if_closed_meanwhile(game: Game) -> None:
    """End ``game`` (withdrawn) if the closure of its evening found it withdrawn, and left it alone."""
    closure = game.closure_in_force()
    if game.finished or not (game.withdrawn_at and closure):
        return
    if closure.closed_at >= game.withdrawn_at:
        game.end(at=game.withdrawn_at, closure=closure)


def require_withdrawable(game: Game, by: User) -> Account:
    """The account of ``by``, if :func:`withdraw_game` refuses nothing but a missing reason.

    :raises PermissionDenied, Conflict: as it does.
    """
    by = check_permission(by, Permission.WITHDRAW_A_GAME, game)
    if game.withdrawn:
        raise Conflict(_("This game is withdrawn already."), code="withdrawn", state=game.state)
    _require_nothing_settled(game, by)
    _require_own_disputes(game, by)
    return by


def require_restorable(game: Game, by: User) -> Account:
    """The account of ``by``, if :func:`restore_game` refuses nothing but a missing reason.

    :raises PermissionDenied, Conflict: as it does.
    """
    by = check_permission(by, Permission.WITHDRAW_A_GAME, game)
    if not game.withdrawn:
        raise Conflict(_("This game is not withdrawn."), code="not_withdrawn", state=game.state)
    return by


def _require_nothing_settled(game: Game, by: User) -> None:
    if barred_by_settling(game.hands.current(), by):
        message = _("An organiser settled a hand of this game: only organisers withdraw it now.")
        raise PermissionDenied(message)


def _require_own_disputes(game: Game, by: User) -> None:
    """A game that was withdrawn can be played again with the same hands: nobody would dispute those."""
    for hand in game.hands.disputed().order_by("number"):
        hand.game = game
        if name := who_else_disputes(hand, by):
            message = _(
                "%(name)s disputes hand %(number)s: %(name)s or an organiser withdraws the game."
            )
            raise PermissionDenied(message % {"name": name, "number": hand.number})
