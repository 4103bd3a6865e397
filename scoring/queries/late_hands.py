"""The games at which late hands wait for an organiser."""

from scoring.models import Game
from scoring.models.game_tables import with_table


def games_with_late_hands() -> list[Game]:
    """Those games, the oldest first, each with ``late_hands_waiting``. Two queries."""
    waiting = with_table(Game.objects.played()).filter(late_hands_waiting__gt=0)
    return list(waiting.order_by("evening", "pk"))
