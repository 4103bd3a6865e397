"""Open games and finish them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.models import (
    ClubTable,
    EveningClosure,
    Game,
    GameEvent,
    Hand,
    League,
    Player,
    Seat,
    club_day,
)
from scoring.models.evenings import is_evening_closed
from scoring.models.game_tables import with_table
from scoring.models.left_open import ending_etag
from scoring.models.permissions import (
    Account,
    Permission,
    User,
    can,
    check_permission,
    check_still_played,
)
from scoring.models.refusals import FOUR_PLAYERS, PLAYS_NO_LONGER, SOMETHING_CHANGED
from scoring.translation import listed

from . import reasons, tallies
from .audit import log_audit
from .counting import lock_game_and_league, lock_league
from .errors import Conflict, TooManyAttempts, require_etag
from .hands.record import lock_game
from .locks import lock_to_seat
from .ratings import share_out_and_rate

# How many games somebody who is no organiser may open in a while: more than an evening has.
MOST_OPENED, WHILE = 30, timedelta(hours=1)


@transaction.atomic
def open_game(
    league: League,
    players: Sequence[Player],
    *,
    by: User,
    by_code: ClubTable | None = None,
    at: datetime | None = None,
    anyway: bool = False,
    leaving: Sequence[Game] = (),
) -> Game:
    """Seat ``players`` as East, South, West and North and begin a game of ``league``.

    :param by_code: the table by whose code it was done, on a phone without an account.
    :param at: when they sat down, for games of the past; None is now.
    :param anyway: also seat who sits at another open table. It is asked about otherwise.
    :param leaving: the open games that they left for this one: those end.
    :raises PermissionDenied: unless ``by`` is a member; if the season is closed, or it has ended and
        ``by`` is no organiser.
    :raises TooManyAttempts: if ``by`` is no organiser and has opened too many games lately.
    :raises ValidationError: if they are not four different active players, or one was merged or deleted
        meanwhile; if the league is not running on that day, or the evening is closed and ``by`` is no
        organiser; with the code ``seated_elsewhere`` if somebody sits at another open table.
    """
    at = at or timezone.now()
    day = club_day(at)
    by = check_permission(by, Permission.OPEN_A_GAME)
    league = lock_league(league)
    if by_code is None:
        _not_too_many(by)
    left = _lock_games(leaving)
    players = lock_to_seat(players)
    _end_left(left, by=by)
    problems = seating_problems(players)
    if not problems and not anyway:
        problems = _elsewhere_problems(players)
    problems |= _day_problems(league, day, by=by_code or by)
    if problems:
        raise ValidationError(problems)
    check_still_played(by, league)
    game = Game.objects.create(
        league=league,
        ruleset_version=league.ruleset_version,
        started_by=None if by_code else by,
        started_at=at,
        evening=day,
    )
    Seat.objects.bulk_create(
        Seat(game=game, place=place, player=player) for place, player in enumerate(players)
    )
    tallies.open_for(league, players)
    log_audit("open_game", game, by=by_code or by)
    return with_table(Game.objects).get(pk=game.pk)


def _lock_games(games: Sequence[Game]) -> list[Game]:
    """``games`` as they are now, locked before any of them ends: that takes tallies, for which a hand
    may be waiting.
    """
    return [lock_game(pk) for pk in sorted(game.pk for game in games)]


def _end_left(games: Sequence[Game], *, by: User) -> None:
    """End those of ``games`` (locked) that are not over: their players left them for another."""
    for left in games:
        if not left.finished:
            finish_game(left, by=by)


def _day_problems(
    league: League, day: date, *, by: User | ClubTable
) -> dict[str, list[ValidationError]]:
    """Why no game of ``league`` can begin on ``day``; organisers may where the evening is closed
    (:class:`EveningClosure`).
    """
    if not league.runs_on(day):
        return {"league": [ValidationError(_not_running(league, day), code="not_running")]}
    if is_evening_closed(league, day) and (
        isinstance(by, ClubTable) or not can(by, Permission.CLOSE_AN_EVENING)
    ):
        message = _("The evening is closed: ask an organiser to open it again.")
        return {"league": [ValidationError(message, code="evening_closed")]}
    return {}


@transaction.atomic
def finish_game(
    game: Game, *, by: User, at: datetime | None = None, expected_etag: str = ""
) -> Game:
    """End ``game`` where it stands. A club may end a game before its last round is over.

    :param at: when it ended, for games of the past; None is now.
    :param expected_etag: the :func:`ending_etag` of what the person saw; empty asks for none.
    :raises PermissionDenied: unless ``by`` is one of the four players or an organiser.
    :raises Conflict: if the game is over already; with the code ``moved_on`` if it is another than was seen.
    """
    game = lock_game(game)
    check_permission(by, Permission.FINISH_A_GAME, game)
    if game.finished:
        raise Conflict(_("This game is over already."), code="finished", state=game.state)
    if expected_etag:
        require_etag(ending_etag(game), expected_etag, game.state, str(SOMETHING_CHANGED))
    finish(game, at=at)
    log_audit("finish_game", game, by=by)
    return game


@transaction.atomic
def reopen_game(game: Game, *, by: User, reason: str, anyway: bool = False) -> Game:
    """Let a game that was ended early go on. In a closed evening only organisers log its hands then.

    :param anyway: even if somebody sits at another open table by now. It is asked about otherwise.
    :raises PermissionDenied: unless ``by`` is an organiser, or sits at the table and the evening is open.
    :raises Conflict: if the game is open, or was played to its end.
    :raises ValidationError: without a reason; with the code ``seated_elsewhere`` if somebody sits
        at another open table.
    """
    game = lock_game_and_league(game)
    by = require_reopenable(game, by)
    reason = reasons.required(reason)
    # As whoever seats them: of two tables that one of them would sit at, the second is asked about.
    lock_to_seat(game.players)
    if not anyway:
        require_nowhere_else(game.players, but=[game])
    resume(game)
    GameEvent.objects.create(game=game, kind=GameEvent.Kind.REOPENED, by=by, reason=reason)
    log_audit("reopen_game", game, by=by, reason=reason)
    return game


def require_reopenable(game: Game, by: User) -> Account:
    """The account of ``by``, if :func:`reopen_game` would refuse at most a missing reason.

    :raises PermissionDenied, Conflict: as it does.
    """
    by = check_permission(by, Permission.REOPEN_A_GAME, game)
    if refusal := why_not_reopened(game):
        code, message = refusal
        raise Conflict(message, code=code, state=game.state)
    return by


def why_not_reopened(game: Game) -> tuple[str, str] | None:
    """Why ``game`` cannot go on (a code and a sentence); None if it can."""
    if not game.finished:
        return "not_finished", _("This game is still in play.")
    if played_out(game):
        message = _("The last round is over. To go on, correct the last hand or declare it void.")
        return "played_out", message
    return None


def played_out(game: Game) -> bool:
    """Whether the hands that stand make a whole game, so that nothing can follow."""
    last: Hand | None = game.hands.current().order_by("-number").first()
    if last is None:
        return False
    last.game, last.ruleset_version = game, game.ruleset_version
    return last.state_after.finished


def resume(game: Game) -> None:
    """Open ``game`` (locked, ended early) again.

    It rates nobody until it ends, so the ratings of the games that ended after it are worked out anew.
    """
    tallies.lock(game.league_id)
    had_finished_at = game.finished_at
    game.open_again()
    game.save()
    share_out_and_rate(game, finished_at=had_finished_at)


def finish(
    game: Game, *, at: datetime | None = None, closure: EveningClosure | None = None
) -> None:
    """End ``game`` (locked, not finished) where it stands, and rate its players.

    :param closure: the closure of its evening that ends it.
    """
    tallies.lock(game.league_id)
    # Only now: games are rated in the order in which they finished.
    game.end(at=at or timezone.now(), closure=closure)
    game.save()
    share_out_and_rate(game)


def _not_too_many(by: Account) -> None:
    """:raises TooManyAttempts: saying when ``by`` may open the next game."""
    if can(by, Permission.OPEN_MANY_GAMES):
        return
    now = timezone.now()
    opened = Game.objects.filter(started_by=by, started_at__gt=now - WHILE)
    times = list(opened.order_by("-started_at").values_list("started_at", flat=True)[:MOST_OPENED])
    if len(times) == MOST_OPENED:
        message = _("You have opened %(number)s games within an hour. Ask an organiser, or wait.")
        raise TooManyAttempts(message % {"number": MOST_OPENED}, wait=times[-1] + WHILE - now)


def _not_running(league: League, day: date) -> str:
    if day == club_day():
        message = _("%(league)s is not running today: choose another league.")
        return message % {"league": league.name}
    first, last = date_format(league.starts_on), league.ends_on and date_format(league.ends_on)
    dates = _("%(first)s to %(last)s") if last else _("from %(first)s")
    message = _("%(league)s was not running on %(day)s. Its dates: %(dates)s.")
    params = {"league": league.name, "day": date_format(day)}
    return message % (params | {"dates": dates % {"first": first, "last": last}})


def seating_problems(
    players: Sequence[Player], *, at_the_table: Sequence[Player] = ()
) -> dict[str, list[ValidationError]]:
    """Why ``players`` cannot be the four of a table; who sits ``at_the_table`` already may stay."""
    problems = []
    if len(players) != 4:
        problems.append(ValidationError(FOUR_PLAYERS, code="not_four"))
    twice = sorted({player.name for player in players if list(players).count(player) > 1})
    if twice:
        message = _("%(names)s cannot sit at two seats: choose four different players.")
        problems.append(ValidationError(message % {"names": listed(twice)}, code="seated_twice"))
    gone = sorted(
        {player.name for player in players if not player.active and player not in at_the_table}
    )
    if gone:
        message = str(PLAYS_NO_LONGER)
        problems.append(ValidationError(message % {"names": listed(gone)}, code="inactive"))
    return {"players": problems} if problems else {}


def tables_elsewhere(players: Sequence[Player], *, but: Sequence[Game] = ()) -> list[Game]:
    """The open games at which some of ``players`` sit, apart from the games ``but``."""
    games = Game.objects.open().filter(seats__player__in=players)
    games = games.exclude(pk__in=[game.pk for game in but])
    return list(with_table(games).distinct().order_by("started_at", "pk"))


def require_nowhere_else(players: Sequence[Player], *, but: Sequence[Game] = ()) -> None:
    """:raises ValidationError: if some of ``players`` sit at an open table, apart from ``but``."""
    if problems := _elsewhere_problems(players, but=but):
        raise ValidationError(problems)


def _elsewhere_problems(
    players: Sequence[Player], *, but: Sequence[Game] = ()
) -> dict[str, list[ValidationError]]:
    problems = []
    for game in tables_elsewhere(players, but=but):
        names = listed(player.name for player in game.players if player in players)
        message = _(
            "%(names)s: at another open table of %(league)s. End that game first, or seat them "
            "anyway."
        )
        params = {"names": names, "league": game.league.name}
        problems.append(ValidationError(message % params, code="seated_elsewhere"))
    return {"players": problems} if problems else {}
