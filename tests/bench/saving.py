"""How long it takes to save a hand: scored, stored, paid, counted and committed."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from statistics import median

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.demo.accounts import ORGANISER
from scoring.demo.deal import play_hand
from scoring.demo.seat import Strategy
from scoring.models import Game, League, Player
from scoring.models.game_tables import with_table
from scoring.services.games import open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand

from .report import Line, printed
from .timing import MILLI, times

HANDS = 400
AT_A_TABLE = 14

Call = tuple[Game, HandEntry, User]


def run() -> str:
    rng = Random(7)
    send = _Sender()
    lines = [
        _line("record_hand, committed", _record, rng),
        _line("POST games/{id}/hands/, as a phone sends it", send, rng),
    ]
    return printed(f"Saving a hand ({HANDS} hands, one after the other)", lines)


def _record(call: Call) -> None:
    game, entry, by = call
    record_hand(game, entry, by=by)


def _line(what: str, save: Callable[[Call], None], rng: Random) -> Line:
    queries = [_queries(save, call) for call in _calls(AT_A_TABLE, rng)]
    taken = times(save, _calls(HANDS, rng))
    return Line(
        what,
        taken.median(MILLI),
        "ms",
        taken.p95(MILLI),
        target=60,
        target_is_p95=True,
        note=f"{taken.median_cpu(MILLI):.0f} ms of work, {median(queries):.0f} queries",
    )


def _queries(save: Callable[[Call], None], call: Call) -> int:
    with CaptureQueriesContext(connection) as captured:
        save(call)
    return len(captured)


def _calls(hands: int, rng: Random) -> Iterator[Call]:
    """Hands as they are played, table after table; whoever logs one has just been looked up."""
    left = hands
    while left:
        players = rng.sample(list(Player.objects.order_by("pk")), 4)
        organiser = User.objects.get(username=ORGANISER)
        game = open_game(League.objects.get(), players, by=organiser, anyway=True)
        tempers = [Strategy.of(rng) for _place in range(4)]
        for _hand in range(min(left, AT_A_TABLE)):
            left -= 1
            game = with_table(Game.objects).get(pk=game.pk)
            yield game, _entry(game, tempers, rng), User.objects.get(username=ORGANISER)


def _entry(game: Game, tempers: list[Strategy], rng: Random) -> HandEntry:
    ending = play_hand(game.state, tempers, rng)
    players = [player.pk for player in game.players]
    if ending.winner is None:
        return HandEntry(number=game.next_number, outcome="draw")
    return HandEntry(
        number=game.next_number,
        outcome="win",
        winner=players[ending.winner],
        discarder=None if ending.discarder is None else players[ending.discarder],
        tiles=ending.tiles,
        melds=ending.melds,
        win=ending.win,
    )


class _Sender:
    """Sends hands to the API as a signed-in phone does, each with a key of its own."""

    def __init__(self) -> None:
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(User.objects.get(username=ORGANISER))
        self.keys = count(1)

    def __call__(self, call: Call) -> None:
        game, entry, _by = call
        values = entry.as_json
        del values["asks_discarder"]
        body = {name: value for name, value in values.items() if value not in (None, "", [])}
        answer = self.client.post(
            f"/api/v1/games/{game.pk}/hands/",
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": f"bench-{next(self.keys)}"},
        )
        assert answer.status_code == 201, answer.content
