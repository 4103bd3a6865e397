"""What the hands that count say about one player, over all leagues that the reader may see."""

from functools import reduce

from scoring.models import League, Player
from scoring.models.permissions import User
from scoring.story.evenings import PlayerFigures, merged, no_figures
from scoring.story.store import sums_of


def figures_about(player: Player, user: User) -> PlayerFigures:
    """What the leagues that ``user`` may see say about ``player``, the earlier ones first.

    Three queries if nothing has changed.
    """
    leagues = League.objects.visible_to(user).filter(tallies__player=player).order_by()
    by_league = sums_of(leagues, player.pk)
    found = [by_player[player.pk] for by_player in by_league.values()]
    return reduce(merged, found, no_figures())
