"""The games at which late hands wait for an organiser."""

from scoring.models import Game, LateHand
from scoring.models.game_tables import with_table


def games_with_late_hands() -> list[Game]:
    """Those games, the oldest first, each with ``late_hands_waiting``. Two queries."""
    waiting = LateHand.objects.waiting().values("game")
    return list(with_table(Game.objects.filter(pk__in=waiting)).order_by("evening", "pk"))
