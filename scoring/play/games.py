"""Sitting down and getting up."""

from collections.abc import Sequence
from datetime import date, datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.league import tallies
from scoring.league.ratings import rate
from scoring.models import Closing, Game, League, Player, Seat
from scoring.models.people import User

from .audit import note
from .errors import Conflict
from .permissions import Call, may, require
from .record import locked


@transaction.atomic
def open_game(
    league: League, players: Sequence[Player], *, by: User, at: datetime | None = None
) -> Game:
    """Seat ``players`` as East, South, West and North and begin a game of ``league``.

    :param at: when they sat down, for games of the past; None is now.
    :raises NotAllowed: unless ``by`` is a member.
    :raises ValidationError: if they are not four different active players, or the league is not
        running on that day, or the evening is closed and ``by`` is no organiser.
    """
    at = at or timezone.now()
    require(by, Call.OPEN_A_GAME)
    hold_evenings(league)
    problems = _seating_problems(players)
    if not league.runs_on(timezone.localdate(at)):
        problems["league"] = [
            ValidationError(
                _("%(league)s is not running today: choose another league.")
                % {"league": league.name},
                code="not_running",
            )
        ]
    elif _closed(league, timezone.localdate(at)) and not may(by, Call.CLOSE_AN_EVENING):
        message = _("The evening is closed: ask an organiser to open it again.")
        problems["league"] = [ValidationError(message, code="evening_closed")]
    if problems:
        raise ValidationError(problems)
    game = Game.objects.create(
        league=league,
        ruleset_version=league.ruleset_version,
        started_by=by,
        started_at=at,
        evening=timezone.localdate(at),
    )
    Seat.objects.bulk_create(
        Seat(game=game, place=place, player=player) for place, player in enumerate(players)
    )
    tallies.open_for(league, players)
    note("open_game", game, by=by)
    return Game.objects.with_table().get(pk=game.pk)


@transaction.atomic
def finish_game(game: Game, *, by: User, at: datetime | None = None) -> Game:
    """End ``game`` where it stands. A club may end a game before the North round is over.

    :param at: when they got up, for games of the past; None is now.
    :raises NotAllowed: unless ``by`` is one of the four players or an organiser.
    :raises Conflict: if the game is over already.
    """
    game = locked(game)
    require(by, Call.FINISH_A_GAME, game)
    if game.finished:
        raise Conflict(_("This game is over already."), code="finished", state=game.state)
    get_up(game, at=at)
    note("finish_game", game, by=by)
    return game


def get_up(game: Game, *, at: datetime | None = None) -> None:
    """End ``game`` (locked, not finished) where it stands, and rate its players."""
    tallies.lock(game.league_id)
    # Only now: games are rated in the order in which they finished.
    game.finished_at, game.ended_early = at or timezone.now(), True
    game.save()
    rate(game)


def hold_evenings(league: League) -> None:
    """Who opens a game of ``league`` and who closes an evening of it wait for each other."""
    League.objects.select_for_update(no_key=True).get(pk=league.pk)


def _closed(league: League, day: date) -> bool:
    return Closing.objects.in_force().filter(league=league, day=day).exists()


def _seating_problems(players: Sequence[Player]) -> dict[str, list[ValidationError]]:
    found = []
    if len(players) != 4:
        found.append(
            ValidationError(
                _("A table needs four players: East, South, West and North."), code="not_four"
            )
        )
    twice = sorted({player.name for player in players if list(players).count(player) > 1})
    if twice:
        message = _("%(names)s cannot sit at two seats: choose four different players.")
        found.append(ValidationError(message % {"names": ", ".join(twice)}, code="seated_twice"))
    gone = sorted({player.name for player in players if not player.active})
    if gone:
        message = _("%(names)s no longer plays here: choose an active player.")
        found.append(ValidationError(message % {"names": ", ".join(gone)}, code="inactive"))
    return {"players": found} if found else {}
