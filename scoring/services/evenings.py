"""Closing an evening: from then on only organisers change what was played."""

from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.models import EveningClosure, Game, League
from scoring.models.evenings import closure_of, is_evening_closed
from scoring.models.left_open import left_open
from scoring.models.permissions import Permission, User, check_not_closed, check_permission

from . import reasons
from .audit import log_audit
from .counting import lock_league
from .games import finish, played_out, require_nowhere_else, resume
from .hands.record import lock_game
from .locks import lock_to_seat
from .notices import notify_recap


@transaction.atomic
def close_evening(
    league: League, day: date, *, by: User, expected_etag: str = ""
) -> EveningClosure:
    """Close the evening of ``day``. Games that are still open end where they stand.

    :param expected_etag: the ``etag`` of what was still open when the person decided; empty asks for
        none.
    :raises PermissionDenied: unless ``by`` is an organiser; if the season is closed.
    :raises ValidationError: if no game of ``league`` began on that day, or it is closed already;
        with the code ``moved_on`` if other things are open now than were seen.
    """
    by = check_permission(by, Permission.CLOSE_AN_EVENING)
    league = lock_league(league)
    check_not_closed(league)
    evening = Game.objects.played().filter(league=league, evening=day).order_by("pk")
    games = [lock_game(pk) for pk in evening.values_list("pk", flat=True)]
    if not games:
        raise _problem("no_games", _("No game of this league began on %(day)s."), day)
    if is_evening_closed(league, day):
        raise _problem("closed", _("The evening of %(day)s is closed already."), day)
    if expected_etag and expected_etag != left_open(league, day).etag:
        raise _problem("moved_on", _("Something changed on %(day)s: look at it again."), day)
    closure = EveningClosure.objects.create(league=league, day=day, closed_by=by)
    for game in games:
        if not game.finished:
            finish(game, closure=closure)
    log_audit("close_evening", closure, by=by)
    notify_recap(league, day.isoformat(), games)
    return closure


@transaction.atomic
def reopen_evening(
    league: League, day: date, *, by: User, reason: str, anyway: bool = False
) -> EveningClosure:
    """Open a closed evening again: its players may correct hands, and games that it ended go on.

    Games that had ended before stay ended.

    :param anyway: even if somebody at a game that goes on sits at another open table by now.
    :raises PermissionDenied: unless ``by`` is an organiser; if the season is closed.
    :raises ValidationError: without a reason, or if the evening is not closed; with the code
        ``seated_elsewhere`` if somebody sits at another open table.
    """
    by = check_permission(by, Permission.CLOSE_AN_EVENING)
    league = lock_league(league)
    check_not_closed(league)
    reason = reasons.required(reason)
    closure = closure_of(league, day).select_for_update().first()
    if closure is None:
        raise _problem("open", _("The evening of %(day)s is open."), day)
    # All of them before any is opened, which takes tallies: a correction may be waiting for those.
    games = [lock_game(pk) for pk in closure.games.order_by("pk").values_list("pk", flat=True)]
    going_on = [game for game in games if not (game.withdrawn or played_out(game))]
    players = [one for game in going_on for one in game.players]
    lock_to_seat(players)
    if not anyway:
        require_nowhere_else(players)
    closure.reopened_at, closure.reopened_by, closure.reason = timezone.now(), by, reason
    closure.save()
    for game in games:
        game.forget_closure()
        if game in going_on and not anyway:
            # Of two that go on, the first one is open by now.
            require_nowhere_else(game.players)
        _give_back(game)
    log_audit("reopen_evening", closure, by=by)
    return closure


def _give_back(game: Game) -> None:
    """Open a game that the closure ended. One that is withdrawn, or over by now, keeps its end."""
    if game.withdrawn:
        game.open_again()
        game.save()
    elif not played_out(game):
        resume(game)


def _problem(code: str, message: str, day: date) -> ValidationError:
    text = message % {"day": date_format(day)}
    return ValidationError({"day": ValidationError(text, code=code)})
