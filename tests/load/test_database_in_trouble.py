"""The production server while its database is in trouble: it says so at once, and no hand is lost."""

import time
from contextlib import closing
from http.client import HTTPConnection

import psycopg
import pytest

from tests.load.club import Load, run
from tests.load.server import HOST

LOAD = Load(hands=72, tables=6, phones=24)
# Longer than any request may wait, on a busy machine.
SECONDS = 60


def asked(server, path):
    """Status and seconds of an answer, while everybody waits for the database."""
    began = time.monotonic()
    with closing(HTTPConnection(HOST, server.port, timeout=SECONDS)) as connection:
        connection.request("GET", path)
        status = connection.getresponse().status
    return status, time.monotonic() - began


@pytest.mark.thorough("sqlite")
@pytest.mark.sqlite
@pytest.mark.postgresql
def test_what_is_locked_for_too_long_stops_nobody_else(site):
    """One transaction that does not end, and more phones than there are threads."""
    answers = []

    def trouble(crowd, server):
        with closing(site._connection()) as stuck:
            if site.url.startswith("sqlite"):
                stuck.execute("BEGIN IMMEDIATE")
            else:
                stuck.execute("UPDATE scoring_game SET next_number = next_number")
            crowd.go_on()
            assert crowd.unavailable.wait(SECONDS)
            answers.extend(asked(server, path) for path in ("/healthz", "/leagues/") * 3)
            stuck.rollback()

    outcome = run(site, LOAD, trouble)
    assert outcome.problems == []
    assert outcome.hands == LOAD.hands
    assert [status for status, _seconds in answers] == [200] * 6
    assert max(seconds for _status, seconds in answers[::2]) < 2


@pytest.mark.postgresql
def test_connections_that_the_server_ends_lose_no_hand(site):
    """As a restart does: every connection ends in the middle of whatever it says."""

    def trouble(crowd, _server):
        crowd.go_on()
        ended = 0
        with closing(psycopg.connect(site.url.replace(site.name, "postgres"))) as aside:
            aside.autocommit = True
            while (ended < 30 or not crowd.unavailable.is_set()) and not crowd.stopped.wait(0.05):
                ended += aside.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s",
                    [site.name],
                ).fetchone()[0]

    outcome = run(site, LOAD, trouble)
    assert outcome.problems == []
    assert outcome.hands == LOAD.hands
