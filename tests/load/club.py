"""``make load``: a club's busiest evening on the production server, and what is stored after it.

    python -m tests.load.club [--hands 2000] [--tables 20] [--phones 16] [--kill 30] [--postgres]

Phones log hands through the API on a throw-away database; each sends again, with the same key, until it
is answered. With ``--kill`` all processes of the server are killed so many times meanwhile, and started
again at once. It ends with figures and exit code 0, or 1 and what was lost, doubled or left half.
"""

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from json import loads
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory

from tests.support.postgres import NoPostgres, throwaway_server
from tests.support.sites import Site, new_site

from .phones import MOST_PASSES, Crowd, Failed, Figures, Table
from .proof import broken
from .server import Server

# Whatever happens, it is over then.
MOST_SECONDS = 900


Trouble = Callable[[Crowd, Server], None]


@dataclass(frozen=True)
class Load:
    """How much is asked of the site: ``kills`` is how often its server dies meanwhile."""

    hands: int = 2000
    tables: int = 20
    phones: int = 16
    kills: int = 0


@dataclass(frozen=True)
class Outcome:
    """What came of it: ``problems`` are sentences, none if all is as it should be."""

    figures: Figures
    hands: int
    kills: int
    seconds: float
    problems: list[str]

    def __str__(self) -> str:
        answered = quantiles(self.figures.seconds, n=100)
        p50, p95, p99 = (1000 * answered[percent - 1] for percent in (50, 95, 99))
        return "\n".join(
            [
                f"{self.hands} hands in {self.seconds:.1f} s: {self.hands / self.seconds:.0f} a second",
                f"an answer: p50 {p50:.0f} ms, p95 {p95:.0f} ms, p99 {p99:.0f} ms",
                f"server killed: {self.kills} times",
                f"sent again without an answer: {self.figures.unanswered} times; the hand was "
                f"stored already: {self.figures.stored_already} times",
                f"sent again after the answer: {self.figures.sent_twice} times",
                *(self.problems or ["all stored, in order, once; verify: 0 differences"]),
            ]
        )


def run(site: Site, load: Load, trouble: Trouble | None = None) -> Outcome:
    """Put ``load`` on the production server of ``site``, whose database is migrated.

    :param trouble: what happens to the database once a third of the hands is logged. The phones
        pause until it calls :meth:`Crowd.go_on`; from then on they may be told to come back in a
        moment.
    :raises Failed: if a phone is answered wrongly or not at all.
    """
    league, tables = _sit_down(site, load)
    with serving(site) as server:
        began = time.monotonic()
        third = load.hands // 3
        crowd = Crowd(tables, load.phones, server.port, pause_at=third if trouble else None)
        try:
            kills = _kill_meanwhile(crowd, server, load)
            if trouble:
                _wait_for(third, crowd)
                trouble(crowd, server)
        finally:
            crowd.go_on()
            crowd.stopped.wait(MOST_SECONDS)
            crowd.stopped.set()
        figures = crowd.finish()
        seconds = time.monotonic() - began
    problems = list(broken(site, league, tables, server.log))
    if kills < load.kills:
        problems.append(f"The server was killed {kills} times only.")
    return Outcome(figures, crowd.logged, kills, seconds, problems)


def _sit_down(site: Site, load: Load) -> tuple[int, list[Table]]:
    hands = load.hands // load.tables
    call = f"from tests.load.tables import sit_down; sit_down({load.tables})"
    measured = loads(site.must("shell", "--verbosity", "0", "-c", call))
    return measured["league"], [Table(**table, hands=hands) for table in measured["tables"]]


@contextmanager
def serving(site: Site, settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """The production server of ``site`` while it is needed; ``settings`` are those of its environment."""
    server = Server(site, settings)
    server.start()
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.stop()


def _kill_meanwhile(crowd: Crowd, server: Server, load: Load) -> int:
    """Kill the server whenever so many hands are logged, spread over all of them."""
    rng = Random(load.kills)
    kills = 0
    for number in sorted(rng.sample(range(1, load.hands - load.phones), load.kills)):
        _wait_for(number, crowd)
        # Somewhere in the middle of whatever is being written.
        if crowd.stopped.wait(rng.uniform(0, 0.03)):
            break
        server.kill()
        server.start()
        kills += 1
    return kills


def _wait_for(hands: int, crowd: Crowd) -> None:
    while crowd.logged < hands and not crowd.stopped.wait(0.005):
        pass


def main() -> int:
    arguments = _arguments()
    load = Load(arguments.hands, arguments.tables, arguments.phones, arguments.kill)
    try:
        with (
            throwaway_server() if arguments.postgres else nullcontext() as url,
            TemporaryDirectory(prefix="load-") as folder,
        ):
            os.environ.pop("TEST_DATABASE_URL", None)
            if url:
                os.environ["TEST_DATABASE_URL"] = url
            with new_site(Path(folder)) as site:
                site.must("migrate", "--verbosity", "0")
                _say(f"{'PostgreSQL' if url else 'SQLite'}: {load}")
                outcome = run(site, load)
    except (Failed, NoPostgres) as failure:
        _say(str(failure))
        return 1
    _say(str(outcome))
    return int(bool(outcome.problems))


def _arguments() -> Namespace:
    usual = Load()
    parser = ArgumentParser(prog="python -m tests.load.club")
    parser.add_argument("--hands", type=int, default=usual.hands, help="in all (%(default)s)")
    parser.add_argument("--tables", type=int, default=usual.tables, help="(%(default)s)")
    parser.add_argument("--phones", type=int, default=usual.phones, help="at once (%(default)s)")
    parser.add_argument("--kill", type=int, default=0, metavar="N", help="the server, N times")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own")
    arguments = parser.parse_args()
    if arguments.hands % arguments.tables or arguments.hands // arguments.tables < MOST_PASSES:
        parser.error(f"--hands: as many at each table, {MOST_PASSES} or more")
    if not 0 <= arguments.kill < arguments.hands - arguments.phones:
        parser.error("--kill: fewer times than there are hands")
    return arguments


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
