"""Who may do what at a table."""

from django.utils.translation import gettext as _

from scoring.models import Game, is_organiser
from scoring.models.people import User

from .errors import NotAllowed


def sits_at(user: User, game: Game) -> bool:
    """Whether ``user`` is one of the four players of ``game``."""
    return user.is_authenticated and any(
        player.user_id == user.pk for player in game.players if player.user_id
    )


def may_log(user: User, game: Game) -> bool:
    """The four players and organisers log hands and finish the game."""
    return sits_at(user, game) or is_organiser(user)


def require_table(user: User, game: Game) -> None:
    """:raises NotAllowed: unless ``user`` may log at ``game``."""
    if not may_log(user, game):
        raise NotAllowed(_("Only the four players of this table and organisers may do this."))


def require_member(user: User) -> None:
    """:raises NotAllowed: unless ``user`` is signed in."""
    if not (user.is_authenticated and user.is_active):
        raise NotAllowed(_("Sign in to sit down at a table."))
