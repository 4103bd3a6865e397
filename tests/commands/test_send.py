"""``manage.py send``, in processes of its own that die at any moment, with a mail server of the tests."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.support.effort import tries
from tests.support.mail_server import mail_server
from tests.support.processes import start_script
from tests.support.sites import ROOT

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql]

KILLS, MAILS = tries(3, 30), 90

CLUB = """
from tests.factories import *
from scoring.services.confirmations import dispute_hand
four = [make_member(f"p{n}", player=make_player(f"P{n}")) for n in range(4)]
for user in [*four, make_organiser("olga")]:
    user.email = f"{user.username}@example.org"
    user.save()
hand = make_hand(make_game(players=[one.player for one in four]), winner=0, by=four[0])
dispute_hand(hand, by=four[1])
"""
INVITATIONS = f"""
from django.contrib.auth import get_user_model
from scoring.services.invitations import invite
from scoring.services.notices import notify_invited
admin = get_user_model().objects.create_superuser("admin")
code = invite(once=False, by=admin)[1]
notify_invited(
    (f"new{{number}}@example.org", f"/join/{{code}}/", {{}}) for number in range({MAILS})
)
"""


@pytest.fixture
def server(monkeypatch):
    with mail_server() as server:
        monkeypatch.setenv("EMAIL_URL", server.url)
        yield server


def worker(site, *options):
    streams = [site.folder / name for name in ("in", "out", "err")]
    streams[0].touch()
    return start_script(
        ROOT / "manage.py", ["send", *options],
        cwd=site.folder, env=site.environment, streams=streams,
    )  # fmt: skip


def end(process, number=signal.SIGTERM):
    os.kill(process.pid, number)
    process.join(60)
    assert not process.is_alive()


def test_a_dispute_reaches_the_others_and_an_organiser(empty_site, server):
    process = worker(empty_site)
    try:
        empty_site.must("shell", "--verbosity", "0", "-c", CLUB)
        began = time.monotonic()
        assert server.wait_for(4, 30)
        assert time.monotonic() - began < 30
    finally:
        end(process)
    assert process.exitcode == 0
    assert sorted(mail["To"] for mail in server.mails) == [
        f"{name}@example.org" for name in ("olga", "p0", "p2", "p3")
    ]


def test_what_is_due_is_sent_once(empty_site, server):
    empty_site.must("shell", "--verbosity", "0", "-c", CLUB)
    done = empty_site.manage("send", "--once")
    assert "4" in done.stdout
    assert done.stderr.startswith("Database: ")
    assert len(server.mails) == 4
    assert "0" in empty_site.must("send", "--once")


@pytest.mark.thorough("sqlite")
@pytest.mark.slow
def test_killing_the_worker_loses_no_notice(empty_site, server):
    """Of two workers, one is killed again and again; what it had taken is due again at once."""
    empty_site.must("shell", "--verbosity", "0", "-c", INVITATIONS)
    chance = random.Random(7)
    for number in range(KILLS):
        process = worker(empty_site)
        server.wait_for(min(2 * number + 1, MAILS), 60)
        time.sleep(chance.uniform(0, 0.03))
        end(process, signal.SIGKILL)
        lease_ends(empty_site)
    pair = [worker(empty_site), worker(empty_site)]
    try:
        until = time.monotonic() + 60
        while unsent(empty_site) and time.monotonic() < until:
            time.sleep(0.2)
    finally:
        for process in pair:
            end(process)
    keys = {key for (key,) in empty_site.ask("SELECT key FROM scoring_delivery")}
    assert len(keys) == MAILS
    assert {one.strip("<>").partition("@")[0] for one in server.ids} == keys
    assert not unsent(empty_site)
    # Only what was being sent when a worker was killed came twice.
    assert len(server.mails) - MAILS <= KILLS


def lease_ends(site):
    site.ask(
        "UPDATE scoring_delivery SET next_try_at = '2000-01-01 00:00:00' WHERE state = 'waiting'"
    )


def unsent(site):
    return site.ask(
        "SELECT pk FROM (SELECT id AS pk FROM scoring_delivery WHERE state <> 'sent') x"
    )


class TestBesideAServer:
    def test_a_worker_is_started_again_and_ends_with_the_server(self, tmp_path):
        notes = tmp_path / "workers"
        command = f"echo $$ >> {notes}; exec sleep 600"
        server = subprocess.Popen(
            [sys.executable, "-m", "mahjong_site.supervisor", "sh", "-c", command, "--", "/bin/sleep", "600"],
            cwd=ROOT,
        )  # fmt: skip
        try:
            (first,) = workers(notes, 1)
            os.kill(first, signal.SIGKILL)
            _first, second = workers(notes, 2)
        finally:
            server.kill()
            server.wait()
        wait_for(lambda: not lives(second))


def workers(notes, number):
    wait_for(lambda: notes.exists() and len(notes.read_text().split()) >= number)
    return [int(word) for word in notes.read_text().split()]


def lives(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(condition):
    """:raises AssertionError: if it does not come in a while."""
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)
