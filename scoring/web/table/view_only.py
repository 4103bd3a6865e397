"""Say why somebody can look at a table, and not enter its hands."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.models import Game
from scoring.models.permissions import User, sits_at


@dataclass(frozen=True, slots=True)
class ViewOnly:
    """Why the reader of a table enters no hands. ``signs_in``: a link to the sign-in ends the sentence."""

    sentence: str
    signs_in: bool = False


def why_view_only(user: User, game: Game) -> ViewOnly:
    """The reason for ``user``, who may not log a hand in ``game``.

    The reasons are those of ``check_permission``, in its order: what holds for everybody comes first.
    """
    if barred := _why_barred(game, plays=sits_at(user, game)):
        return ViewOnly(barred)
    if user.is_authenticated:
        return ViewOnly(_("View only. The four players and organisers can enter hands."))
    return ViewOnly(_("View only. The players of this table enter its hands:"), signs_in=True)


def _why_barred(game: Game, *, plays: bool) -> str:
    """Why the players of ``game`` enter no hands either; an empty text if they do."""
    if game.withdrawn:
        return _("View only. Nobody can enter hands in a withdrawn game.")
    if game.league.closed:
        return _("View only. This season is closed: an organiser can open it again.")
    if game.league.over:
        return (
            _("View only. This season has ended: ask an organiser.")
            if plays
            else _("View only. This season has ended: only organisers can enter hands.")
        )
    if game.evening_closed:
        return (
            _("View only. The evening is closed: ask an organiser to open it.")
            if plays
            else _("View only. The evening is closed: only organisers can enter hands.")
        )
    return ""
