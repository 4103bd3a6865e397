"""Who may do what at a table: short forms of :mod:`scoring.play.permissions`."""

from scoring.models import Game
from scoring.models.people import User

from .permissions import Call, may, require, sits_at

__all__ = ["may_log", "require_member", "require_table", "sits_at"]


def may_log(user: User, game: Game) -> bool:
    """The four players and organisers log hands and finish the game."""
    return may(user, Call.LOG_A_HAND, game)


def require_table(user: User, game: Game) -> None:
    """:raises NotAllowed: unless ``user`` may log at ``game``."""
    require(user, Call.LOG_A_HAND, game)


def require_member(user: User) -> None:
    """:raises NotAllowed: unless ``user`` is signed in."""
    require(user, Call.OPEN_A_GAME)
