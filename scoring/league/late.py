"""The games at which late hands wait for an organiser."""

from scoring.models import Game


def games_with_late_hands() -> list[Game]:
    """Those games, the oldest first, each with ``late_hands_waiting``. Two queries."""
    waiting = Game.objects.played().with_table().filter(late_hands_waiting__gt=0)
    return list(waiting.order_by("evening", "pk"))
