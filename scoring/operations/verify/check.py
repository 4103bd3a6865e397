"""The whole club, league by league."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scoring.models import League

from ..snapshot import read_snapshot
from .across_leagues import club_differences
from .differences import Difference
from .evenings import settlement_differences
from .fast_check import passes_fast_check
from .games import expected_finished, game_differences, undisputed_payments
from .ledger import Ledger, rating_differences, tally_differences
from .reading import Versions, all_versions, booked_in, games_without_cards, in_order, whole
from .replay import replay
from .seasons import season_differences
from .story import story_differences

# Scorecards are a hundred small objects each that are gone a moment later, without a cycle among them.
# Python would look for cycles after every few of them, which takes longer than reading them.
OBJECTS_BEFORE_COLLECTING = 200_000


def verify(
    advance: Callable[[int], None] = lambda hands: None,
    skip: Callable[[str], None] = lambda why: None,
) -> Iterator[Difference]:
    """Everything that is stored as something else than it works out to, as it is found.

    Of one moment of the database, and a few games at a time in memory; nobody waits for it.

    :param advance: told how many more hands have been checked, as it goes on.
    :param skip: told of each of these that nobody can check here, and why: the library of its rules is missing.
    """
    with read_snapshot(), _seldom_collecting():
        versions = all_versions()
        for league in League.objects.order_by("pk"):
            yield from _league_differences(league, versions, advance, skip)
        yield from club_differences()


def _league_differences(
    league: League,
    versions: Versions,
    advance: Callable[[int], None],
    skip: Callable[[str], None],
) -> Iterator[Difference]:
    ledger = Ledger(league)
    ledger.post(booked_in(league))
    for games in in_order(league):
        for data in games_without_cards(games, versions):
            if passes_fast_check(data):
                hands = [(hand, data.payments[hand.pk]) for hand in data.hands]
                finished = data.game.finished
            else:
                [closer] = whole([data.game], versions)
                again = replay(closer)
                yield from game_differences(closer, again)
                for hand in again.hands:
                    if hand.missing:
                        skip(hand.missing)
                hands, finished = (
                    undisputed_payments(closer, again),
                    expected_finished(closer, again),
                )
            after = ledger.add(data, hands, finished=finished)
            yield from rating_differences(data, after)
            advance(len(data.hands))
    yield from tally_differences(league, ledger)
    yield from season_differences(league)
    yield from settlement_differences(league)
    yield from story_differences(league)


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
