"""How long it takes to correct a hand: what follows is dealt, scored, paid, counted and rated again."""

from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.demo.accounts import ORGANISER
from scoring.models import Game, Hand, League, Player
from scoring.models.game_tables import with_table
from scoring.services.games import finish_game, open_game
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand

from .report import Line, printed
from .timing import MILLI, Taken, times

EVENING = 200
TABLES = 14
TIMES = 20
TARGET = 300

# Winds matter in them, so that a moved deal is another score.
HANDS = (
    "SSS 345B 55B 222D GGG",
    "EEE 345C 99C 123D WhWhWh",
    "123B 456C 789D 234B WW",
    "NNN 222C 33C 567D 888B",
)

Call = tuple[Hand, HandEntry]


def run() -> str:
    rng = Random(11)
    long = _long_game(EVENING, rng)
    evening = [_finished_game(rng) for _table in range(TABLES)]
    lines = [
        _line(f"three hands back in a game of {EVENING}", lambda: _back(long, 3)),
        _line(
            "the first hand of it: all that follow change", lambda: _back(long, EVENING), times=3
        ),
        _line(
            f"three hands back in the first of {TABLES} finished games, ratings too",
            lambda: _back(evening[0], 3),
        ),
    ]
    return printed(f"Correcting a hand in an evening of {EVENING}", lines)


def _line(what: str, call: Callable[[], Call], *, times: int = TIMES) -> Line:
    versions, queries = _counted(call())
    taken = _taken(call() for _time in range(times))
    return Line(
        what,
        taken.median(MILLI),
        "ms",
        taken.p95(MILLI),
        target=TARGET if times == TIMES else None,
        target_is_p95=True,
        note=f"{taken.median_cpu(MILLI):.0f} ms of work, {queries} queries, {versions} new versions",
    )


def _taken(calls: Iterator[Call]) -> Taken:
    return times(_correct, calls)


def _counted(call: Call) -> tuple[int, int]:
    with CaptureQueriesContext(connection) as captured:
        versions = _correct(call)
    return versions, len(captured)


def _correct(call: Call) -> int:
    hand, entry = call
    by = User.objects.get(username=ORGANISER)
    return len(correct_hand(hand, entry, by=by, reason="Measured").changes)


def _back(game: Game, hands: int) -> Call:
    """The hand so many back, and an entry that gives it to somebody else: the deal moves with it."""
    number = Game.objects.get(pk=game.pk).next_number - hands
    hand = game.hands.current().get(number=number)
    place, dealer = game.place_of(hand.winner_id), game.place_of(hand.dealer_id)
    # From the dealer to another and back: whether the deal passes on is what changes.
    winner = (dealer + 1) % 4 if place == dealer else dealer
    return hand, _win(game, number, winner, HANDS[number % len(HANDS)])


def _win(game: Game, number: int, place: int, tiles: str) -> HandEntry:
    return HandEntry(number=number, outcome="win", winner=game.players[place].pk, tiles=tiles)


def _table(rng: Random) -> Game:
    players = rng.sample(list(Player.objects.order_by("pk")), 4)
    by = User.objects.get(username=ORGANISER)
    return open_game(League.objects.get(), players, by=by, anyway=True)


def _long_game(hands: int, rng: Random) -> Game:
    """A game in which the dealers win nearly always: it lasts a whole evening and stays open."""
    game, by = _table(rng), User.objects.get(username=ORGANISER)
    tiles = cycle(HANDS)
    for number in range(1, hands + 1):
        game = with_table(Game.objects).get(pk=game.pk)
        place = (game.dealer_place + (number % 25 == 0)) % 4
        record_hand(game, _win(game, number, place, next(tiles)), by=by)
    return game


def _finished_game(rng: Random) -> Game:
    game, by = _table(rng), User.objects.get(username=ORGANISER)
    for number in range(1, EVENING // TABLES + 1):
        game = with_table(Game.objects).get(pk=game.pk)
        place = (game.dealer_place + rng.choice((0, 2))) % 4
        record_hand(game, _win(game, number, place, rng.choice(HANDS)), by=by)
    return finish_game(game, by=by)
