"""Closing an evening: from then on only organisers change what was played."""

from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.models import Closing, Game, League
from scoring.models.people import User

from . import reasons
from .audit import note
from .games import get_up, hold_evenings
from .permissions import Call, require
from .record import locked


@transaction.atomic
def close_evening(league: League, day: date, *, by: User) -> Closing:
    """Close the evening of ``day``. Games that are still open end where they stand.

    :raises NotAllowed: unless ``by`` is an organiser.
    :raises ValidationError: if no game of ``league`` began on that day, or it is closed already.
    """
    require(by, Call.CLOSE_AN_EVENING)
    hold_evenings(league)
    evening = Game.objects.filter(league=league, evening=day).order_by("pk")
    games = [locked(pk) for pk in evening.values_list("pk", flat=True)]
    if not games:
        raise _problem("no_games", _("No game of this league began on %(day)s."), day)
    if Closing.objects.in_force().filter(league=league, day=day).exists():
        raise _problem("closed", _("The evening of %(day)s is closed already."), day)
    for game in games:
        if not game.finished:
            get_up(game)
    closing = Closing.objects.create(league=league, day=day, closed_by=by)
    note("close_evening", closing, by=by)
    return closing


@transaction.atomic
def reopen_evening(league: League, day: date, *, by: User, reason: str) -> Closing:
    """Open a closed evening again: its tables may mend their hands. Its games stay finished.

    :raises NotAllowed: unless ``by`` is an organiser.
    :raises ValidationError: without a reason, or if the evening is not closed.
    """
    require(by, Call.CLOSE_AN_EVENING)
    reason = reasons.required(reason)
    in_force = Closing.objects.in_force().select_for_update()
    closing = in_force.filter(league=league, day=day).first()
    if closing is None:
        raise _problem("open", _("The evening of %(day)s is open."), day)
    closing.reopened_at, closing.reopened_by, closing.reason = timezone.now(), by, reason
    closing.save()
    note("reopen_evening", closing, by=by)
    return closing


def _problem(code: str, message: str, day: date) -> ValidationError:
    said = message % {"day": date_format(day)}
    return ValidationError({"day": ValidationError(said, code=code)})
