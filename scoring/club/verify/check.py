"""The whole club, league by league."""

from collections.abc import Callable, Iterator

from scoring.club.moment import one_moment
from scoring.models import League, RuleSetVersion

from .differences import Difference
from .games import finished_as, game_differences, live_payments
from .ledger import Ledger, rating_differences, tally_differences
from .reading import all_versions, booked_in, games_of
from .replay import replay


def verify(advance: Callable[[int], None] = lambda hands: None) -> Iterator[Difference]:
    """Everything that is stored as something else than it works out to, as it is found.

    Of one moment of the database, and a few games at a time in memory; nobody waits for it.

    :param advance: told how many more hands have been checked, as it goes on.
    """
    with one_moment():
        versions = all_versions()
        for league in League.objects.order_by("pk"):
            yield from _league_differences(league, versions, advance)


def _league_differences(
    league: League, versions: dict[int, RuleSetVersion], advance: Callable[[int], None]
) -> Iterator[Difference]:
    ledger = Ledger()
    ledger.book(booked_in(league))
    for played in games_of(league, versions):
        again = replay(played)
        yield from game_differences(played, again)
        finished = finished_as(played, again)
        after = ledger.add(played, live_payments(played, again), finished=finished)
        yield from rating_differences(played, after)
        advance(len(played.hands))
    yield from tally_differences(league, ledger)
