"""The ratings across leagues from nothing, beside those that are stored."""

from collections.abc import Iterator
from itertools import islice

from django.db import transaction

from scoring.models import ClubRating, ClubTally, Player
from scoring.models.club import rates_across_leagues
from scoring.models.tallies import RatingValue
from scoring.services.ratings import GAMES_AT_ONCE, club_ratings, rebuild_club_ratings

from .differences import Difference
from .ledger import same


def club_differences() -> Iterator[Difference]:
    """Where the ratings across leagues are others than the games make them, are missing, or too many."""
    last: dict[int, tuple[float, float, int]] = {}
    known: set[int] = set()
    games = club_ratings() if rates_across_leagues() else iter(())
    while some := dict(islice(games, GAMES_AT_ONCE)):
        known |= set(some)
        yield from _game_differences(some)
        for after in some.values():
            for player, rating in after.items():
                last[player] = (*rating, last[player][2] + 1 if player in last else 1)
    stored = ClubRating.objects.order_by("game").values_list("game", flat=True).distinct()
    for game in stored:
        if game not in known:
            yield Difference("", "club_rating", "a rating", None, game=game)
    yield from _tally_differences(last)


@transaction.atomic
def repair_club_ratings() -> None:
    """Rebuild the ratings across leagues. Repair the leagues first."""
    rebuild_club_ratings()


def _game_differences(some: dict[int, dict[int, RatingValue]]) -> Iterator[Difference]:
    stored: dict[int, dict[int, RatingValue]] = {}
    for row in ClubRating.objects.filter(game__in=some):
        stored.setdefault(row.game_id, {})[row.player_id] = (row.mu, row.sigma)
    for game, after in some.items():
        there = stored.get(game, {})
        for player in {**after, **there}:
            if not _equal(there.get(player), after.get(player)):
                yield _of_player(player, "club_rating", there.get(player), after.get(player), game)


def _tally_differences(last: dict[int, tuple[float, float, int]]) -> Iterator[Difference]:
    stored = {row.player_id: (row.mu, row.sigma, row.games) for row in ClubTally.objects.all()}
    for player in {**last, **stored}:
        if not _equal(stored.get(player), last.get(player)):
            yield _of_player(player, "club_tally", stored.get(player), last.get(player))


def _equal(stored: tuple[float, ...] | None, computed: tuple[float, ...] | None) -> bool:
    if stored is None or computed is None:
        return stored is computed
    return all(map(same, stored, computed))


def _of_player(
    pk: int, name: str, stored: object, computed: object, game: int | None = None
) -> Difference:
    player = str(Player.objects.get(pk=pk))
    return Difference("", name, stored, computed, game=game, player=player)
