"""Read the story of one player, over all leagues that the reader may see."""

from collections.abc import Mapping
from functools import reduce

from scoring.models import League, Player
from scoring.models.permissions import User
from scoring.story.evenings import PlayerFigures, added_up, no_figures
from scoring.story.figures import Figure
from scoring.story.store import streaks_of, sums_of


def figures_by_league(player: Player, user: User) -> dict[int, PlayerFigures]:
    """What each league (its id) that ``user`` may see says about ``player``.

    Three queries if nothing has changed.
    """
    leagues = League.objects.visible_to(user).filter(tallies__player=player).order_by()
    by_league = sums_of(leagues, player.pk)
    return {league: by_player[player.pk] for league, by_player in by_league.items()}


def sums_over(by_league: Mapping[int, PlayerFigures]) -> PlayerFigures:
    """What the leagues say together, without the awards."""
    return reduce(added_up, by_league.values(), no_figures())


def streaks_over(player: Player, by_league: Mapping[int, PlayerFigures]) -> dict[str, Figure]:
    """The hands in a row of ``player``, by award: in the order of play, whichever league each belongs to.

    Three queries at most, and none for one league.
    """
    if len(by_league) > 1:
        return streaks_of(by_league, player.pk)
    return {id: one for figures in by_league.values() for id, one in figures["awards"].items()}
