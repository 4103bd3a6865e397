"""What a league can choose from in its standing rules, and what each choice is called."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import npgettext

COUNTS: Mapping[str, Promise] = {
    "points": _("all points added up"),
    "average_hand": _("points per hand"),
    "average_game": _("points per game"),
    "places": _("points, and more for the place in each game"),
    "table_points": _("table points for the place in each game"),
}
HEADINGS: Mapping[str, Promise] = {
    "points": _("Total"),
    "average_hand": _("Per hand"),
    "average_game": _("Per game"),
    "places": _("Total"),
    "table_points": _("Table points"),
}
BY_PLACE = frozenset({"places", "table_points"})
OF: Mapping[str, Promise] = {"games": _("games"), "hands": _("hands"), "evenings": _("evenings")}
RESULTS: Mapping[str, Promise] = {
    "games": _("games"),
    "evenings": _("evenings"),
    "weeks": _("weeks"),
}
PERIODS: Mapping[str, Promise] = {
    "evening": _("of each evening"),
    "week": _("of each week"),
    "season": _("of the season"),
}
PER: Mapping[str, Promise] = {
    "game": _("for each game"),
    "evening": _("for each evening"),
    "season": _("once, for the season"),
}
TIE_BREAKS: Mapping[str, Promise] = {
    "points": _("more points"),
    "wins": _("more hands won"),
    "best_hand": _("the higher best hand"),
    "fewest_discards": _("fewer winning discards"),
    "most_games": _("more games"),
    "fewest_games": _("fewer games"),
    "first_places": _("more games ended in first place"),
    "best_game": _("the higher best game"),
}
# What the sums of a player tell, which are kept; all else needs the result of each game.
OF_SUMS = frozenset(
    {"points", "wins", "best_hand", "fewest_discards", "most_games", "fewest_games"}
)


def units(of: str, count: int) -> str:
    """``of`` as it is called beside ``count``: game or games."""
    names = {
        "games": npgettext("counted", "game", "games", count),
        "hands": npgettext("counted", "hand", "hands", count),
        "evenings": npgettext("counted", "evening", "evenings", count),
        "weeks": npgettext("counted", "week", "weeks", count),
    }
    return names[of]
