"""Refusing what somebody may not do, in words that say who may."""

from collections.abc import Mapping

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.models import Game
from scoring.models.people import User
from scoring.models.permissions import (
    ADMINS,
    MAY,
    MEMBERS,
    ORGANISERS,
    THE_FOUR,
    THE_TABLE,
    Call,
    Role,
    may,
    sits_at,
)

from .errors import NotAllowed

__all__ = ["Call", "may", "require"]

REFUSALS: Mapping[frozenset[Role], Promise] = {
    MEMBERS: _("Sign in to do this: it is for members of the club."),
    THE_TABLE: _("Only the four players of this table and organisers may do this."),
    THE_FOUR: _("Only the four players of this table and organisers may do this."),
    ORGANISERS: _("Only organisers of the club may do this."),
    ADMINS: _("Only who runs the site may do this."),
}


def require(user: User, call: Call, game: Game | None = None) -> None:
    """:raises NotAllowed: unless ``user`` may do ``call``; it says who may."""
    if may(user, call, game):
        return
    if game is not None and game.withdrawn:
        raise NotAllowed(_of_a_withdrawn(game), code="withdrawn")
    if game is not None and sits_at(user, game) and game.evening_closed:
        message = gettext("The evening of %(day)s is closed: ask an organiser.")
        raise NotAllowed(message % {"day": date_format(game.evening)}, code="evening_closed")
    raise NotAllowed(str(REFUSALS[MAY[call]]))


def _of_a_withdrawn(game: Game) -> str:
    if game.evening_closed:
        return gettext("This game was withdrawn: an organiser can restore it.")
    return gettext(
        "This game was withdrawn: one of its four players or an organiser can restore it."
    )
