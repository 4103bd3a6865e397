"""Tags for what a reader can do about a game as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.utils.translation import gettext as _

from scoring.models import Game, GameEvent, Player, club_day
from scoring.models.permissions import Permission, User, can
from scoring.models.places import replaced

register = template.Library()


@dataclass(frozen=True, slots=True)
class Actions:
    """Which links a game offers to one reader; ``late`` late hands wait, which some may decide.

    :ivar gone: who of the four of a game that could be played ``again`` plays here no more.
    """

    again: bool
    gone: list[Player]
    finish: bool
    penalty: bool
    reopen: bool
    change: bool
    restore: bool
    late: int
    decides: bool


@register.simple_tag
def game_actions(game: Game, user: User) -> Actions:
    """What ``user`` may do about ``game``, as far as its row says."""
    late = 0 if game.withdrawn else game.late_hands_waiting
    over_today = game.finished and not game.withdrawn and game.evening == club_day()
    again = over_today and can(user, Permission.FINISH_A_GAME, game)
    return Actions(
        again=again,
        gone=[one for one in game.players if not one.active] if again else [],
        finish=not game.finished and can(user, Permission.FINISH_A_GAME, game),
        penalty=can(user, Permission.BOOK_AT_A_TABLE, game),
        reopen=game.finished and game.ended_early and can(user, Permission.REOPEN_A_GAME, game),
        change=can(user, Permission.CHANGE_A_GAME, game),
        restore=game.withdrawn and can(user, Permission.WITHDRAW_A_GAME, game),
        late=late,
        decides=bool(late) and can(user, Permission.DECIDE_A_LATE_HAND),
    )


@register.simple_tag
def changes_to_read(game: Game, user: User) -> list[tuple[GameEvent, str]]:
    """What was changed about ``game``, each with its sentence, for who may read the reasons that people gave."""
    if not can(user, Permission.READ_HISTORY):
        return []
    changes = game.changes
    people = replaced(game, changes)
    return [(event, _what_happened(event, people.get(event.pk, []))) for event in changes]


def _what_happened(event: GameEvent, people: Sequence[tuple[Player, Player]]) -> str:
    """What was changed about a game, in a sentence or two.

    :param people: who left the table, and who came instead.
    """
    words = {
        GameEvent.Kind.REOPENED: _("The game was opened again."),
        GameEvent.Kind.SEATS: _("The seats were changed."),
        GameEvent.Kind.MOVED: _("The game was moved."),
        GameEvent.Kind.WITHDRAWN: _("The game was withdrawn."),
        GameEvent.Kind.RESTORED: _("The game was restored."),
    }
    instead = _("%(came)s plays instead of %(left)s.")
    sentences = [instead % {"came": came, "left": left} for left, came in people]
    return " ".join(sentences or [words[GameEvent.Kind(event.kind)]])
