"""Phones that log hands through the API, and send again until they are answered."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from queue import Empty, Queue
from random import Random
from threading import Event
from typing import Any

from .server import HOST

# Winds matter in some of them, and one is a limit hand.
HANDS = (
    "222B 345B 55B 222D GGG",
    "SSS* 345B 55B 222D GGG",
    "EEE 345C 99C 123D WhWhWh",
    "123B 456C 789D 234B WW",
    "NNN 2222C* 33C 567D 888B",
    "EEE SSS WWW NNN 55B",
)
CLAIMED = 120
# The deal has passed sixteen times when a game is over: so often, at most, nobody else wins.
MOST_PASSES = 12
# One hand in so many is sent once more although it was answered.
SENT_TWICE = 10
# A server that was killed is back after a second or two.
SECONDS_FOR_AN_ANSWER = 90
SECONDS_BETWEEN = 0.05


class Failed(Exception):
    """The site answered something else than it should, or nothing for too long."""


@dataclass(frozen=True)
class Logged:
    """A hand that the site has said it holds; ``answer`` is what it said."""

    key: str
    sent: dict[str, Any]
    answer: dict[str, Any]


@dataclass
class Table:
    """One game and the four who log it, whoever of them is nearest to the phone.

    :ivar hands: how many it is to have.
    :ivar logged: the hands that were acknowledged, in their order.
    """

    game: int
    players: list[int]
    tokens: list[str]
    hands: int
    logged: list[Logged] = field(default_factory=list)

    @property
    def next_number(self) -> int:
        return len(self.logged) + 1

    @property
    def done(self) -> bool:
        return len(self.logged) == self.hands

    def entry(self) -> dict[str, Any]:
        """The next hand: always the same one at the same place of the same table."""
        number = self.next_number
        rng = Random(f"{self.game} {number}")
        if number % 6 == 5:
            return {"number": number, "outcome": "draw"}
        passes = number % max(8, self.hands // MOST_PASSES + 1) == 0
        dealer = self._dealer()
        winner = (dealer + rng.randint(1, 3)) % 4 if passes else dealer
        sent = {"number": number, "outcome": "win", "winner": self.players[winner]}
        if rng.random() < 0.1:
            sent["claimed_final"] = CLAIMED
        else:
            sent["tiles"] = rng.choice(HANDS)
        if rng.random() < 0.3:
            return {**sent, "self_drawn": True}
        return {**sent, "discarder": self.players[(winner + rng.randint(1, 3)) % 4]}

    def _dealer(self) -> int:
        if not self.logged:
            return 0
        return self.players.index(self.logged[-1].answer["state"]["dealer"])


@dataclass
class Figures:
    """What the phones have seen.

    :ivar seconds: how long each answer took, of those that came.
    :ivar unanswered: how often nothing came back, so that a phone sent again.
    :ivar unavailable: how often the answer was to come back in a moment.
    :ivar stored_already: how often the first answer was that the hand was there: what was lost was
        only the answer before.
    """

    seconds: list[float] = field(default_factory=list)
    unanswered: int = 0
    stored_already: int = 0
    sent_twice: int = 0
    unavailable: int = 0

    def __iadd__(self, other: "Figures") -> "Figures":
        self.seconds += other.seconds
        self.unanswered += other.unanswered
        self.stored_already += other.stored_already
        self.sent_twice += other.sent_twice
        self.unavailable += other.unavailable
        return self


class Crowd:
    """``phones`` at work on ``tables``, each with whichever table has a hand to log.

    :ivar stopped: set when all hands are logged or something failed.
    :ivar unavailable: set when a phone was told to come back in a moment.
    :param pause_at: phones begin no further hand when so many are logged, until :meth:`go_on`.
    """

    def __init__(
        self, tables: list[Table], phones: int, port: int, pause_at: int | None = None
    ) -> None:
        self.tables = tables
        self.stopped = Event()
        self.unavailable = Event()
        self._pause_at = pause_at
        self._going_on = Event()
        self._port = port
        self._waiting: Queue[Table] = Queue()
        for table in tables:
            self._waiting.put(table)
        self._pool = ThreadPoolExecutor(phones)
        self._work = [self._pool.submit(self._run) for _phone in range(phones)]

    @property
    def logged(self) -> int:
        return sum(len(table.logged) for table in self.tables)

    def go_on(self) -> None:
        """End the pause."""
        self._going_on.set()

    def finish(self) -> Figures:
        """What all phones have seen, when they are done.

        :raises Failed: if one of them was answered wrongly.
        """
        self._pool.shutdown()
        figures = Figures()
        for work in self._work:
            figures += work.result()
        return figures

    def _run(self) -> Figures:
        phone = Phone(self._port, self.unavailable)
        try:
            for table in self._turns():
                phone.log(table)
        except BaseException:
            self.stopped.set()
            raise
        return phone.figures

    @property
    def _paused(self) -> bool:
        return self._pause_at is not None and self.logged >= self._pause_at

    def _turns(self) -> Iterator[Table]:
        while not self.stopped.is_set():
            if self._paused and not self._going_on.wait(timeout=0.1):
                continue
            try:
                table = self._waiting.get(timeout=0.1)
            except Empty:
                continue  # the last tables are in other hands
            yield table
            if not table.done:
                self._waiting.put(table)
            elif all(table.done for table in self.tables):
                self.stopped.set()


class Phone:
    """One connection to the site, made anew whenever it breaks."""

    def __init__(self, port: int, unavailable: Event) -> None:
        self.figures = Figures()
        self._unavailable = unavailable
        self._connection = HTTPConnection(HOST, port, timeout=SECONDS_FOR_AN_ANSWER)

    def log(self, table: Table) -> None:
        """Log the next hand of ``table``.

        :raises Failed: if it is not stored, or stored as something else.
        """
        entry = table.entry()
        scorer = table.next_number % 4
        key = f"table {table.game} hand {table.next_number}"
        status, answer = self._send_until_answered(table, scorer, key, entry)
        if status not in (200, 201):
            raise Failed(f"{key}: {status} {answer}")
        self.figures.stored_already += status == 200
        table.logged.append(Logged(key, entry, answer))
        if len(table.logged) % SENT_TWICE == 0:
            self.figures.sent_twice += 1
            again = self._send_until_answered(table, scorer, key, entry)
            if again != (200, answer):
                raise Failed(f"{key}, sent twice: {again} instead of {answer}")

    def _send_until_answered(
        self, table: Table, scorer: int, key: str, entry: dict[str, Any]
    ) -> tuple[int, Any]:
        headers = {
            "Authorization": f"Token {table.tokens[scorer]}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        address, body = f"/api/v1/games/{table.game}/hands/", json.dumps(entry)
        deadline = time.monotonic() + SECONDS_FOR_AN_ANSWER
        while time.monotonic() < deadline:
            began = time.perf_counter()
            try:
                self._connection.request("POST", address, body, headers)
                with closing(self._connection.getresponse()) as response:
                    answer = json.loads(response.read())
            except (OSError, HTTPException):
                self._connection.close()
                self.figures.unanswered += 1
                time.sleep(SECONDS_BETWEEN)
                continue
            if response.status == 503:
                self.figures.unavailable += 1
                self._unavailable.set()
                time.sleep(SECONDS_BETWEEN)
                continue
            self.figures.seconds.append(time.perf_counter() - began)
            return response.status, answer
        raise Failed(f"{key}: no answer for {SECONDS_FOR_AN_ANSWER} seconds")
