"""Starting the site: its port, the addresses that phones open, what is asked and said meanwhile."""

import json
import logging
import os
import pty
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from django.core.management import call_command

import manage
from mahjong_site import addresses, request_log
from mahjong_site.port import take
from scoring.site.databases import asks_the_database
from tests.factories import make_player

ROOT = Path(__file__).parent.parent
WAITS = ["sh", "-c", "echo preparing; read line; exit $line"]


@pytest.fixture
def port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def holding(port, *command):
    return [sys.executable, "-m", "mahjong_site.port", "127.0.0.1", str(port), *command]


@contextmanager
def held(port, code=3):
    """A port that is held by a command, which ends with ``code`` when the block does: 0 goes on."""
    with subprocess.Popen(
        holding(port, *WAITS), cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == "preparing\n"
        yield process
        process.communicate(f"{code}\n", timeout=30)


def wait_for(condition):
    """:raises AssertionError: if it does not come in a while."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def listeners(port):
    """How many sockets listen on ``port``, as the kernel counts them."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(
        line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A" for line in lines
    )


def answer(port, method, path):
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    response = connection.getresponse()
    return response, response.read().decode()


class TestThePort:
    @pytest.mark.parametrize(
        ("method", "path", "kind"),
        [
            ("GET", "/", "text/html"),
            ("POST", "/api/v1/games/1/hands/", "application/problem+json"),
            ("HEAD", "/healthz", "text/html"),
        ],
    )
    def test_the_port_answers_while_the_site_is_prepared(self, port, method, path, kind):
        with held(port):
            response, text = answer(port, method, path)
        assert (response.status, response.headers["Retry-After"]) == (503, "5")
        assert response.headers["Content-Type"].startswith(kind)
        assert ("brought up to date" in text) is (method != "HEAD")
        if kind == "application/problem+json":
            problem = json.loads(text)
            assert (problem["title"], problem["errors"]) == ("Service Unavailable", [])

    def test_the_port_is_free_after_a_command_that_fails(self, port):
        with held(port) as process:
            pass
        assert process.returncode == 3
        with socket.create_server(("127.0.0.1", port)):
            pass

    @pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists who listens")
    def test_the_port_is_held_until_the_server_listens(self, port):
        """This process stands in for make, which starts the server next."""
        with held(port, code=0) as process:
            pass
        assert process.returncode == 0
        assert answer(port, "GET", "/")[0].status == 503
        with socket.socket() as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            server.bind(("127.0.0.1", port))
            server.listen()
            wait_for(lambda: listeners(port) == 1)

    @pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="only Linux lists who listens")
    @pytest.mark.parametrize(("other", "follows"), [("127.0.0.9", False), ("127.0.0.1", True)])
    def test_the_port_is_followed_by_a_server_at_its_address_alone(
        self, port, monkeypatch, other, follows
    ):
        """Of networks there is one here, of loopback addresses many: they stand in for networks."""
        monkeypatch.setattr(IPv4Address, "is_loopback", False)
        with take("127.0.0.1", port) as held, socket.socket() as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            server.bind((other, port))
            server.listen()
            assert held.is_followed() is follows

    @pytest.mark.parametrize("shared", [False, True], ids=["alone", "as production servers do"])
    def test_a_port_in_use_is_refused_by_name(self, port, shared):
        with socket.socket() as taken:
            if shared:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            taken.bind(("127.0.0.1", port))
            taken.listen()
            done = subprocess.run(
                holding(port, "echo", "never"),
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
            )
        assert (done.returncode, done.stdout) == (1, "")
        assert f"Port {port} of 127.0.0.1 is in use" in done.stderr

    @pytest.mark.parametrize("nonsense", ["eighty", "99999"])
    def test_a_port_that_is_none_is_refused(self, nonsense):
        done = subprocess.run(
            holding(nonsense, "echo"), cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert nonsense in done.stderr
        assert "Traceback" not in done.stderr


class TestAddresses:
    def test_addresses_of_the_site_are_of_this_machine_alone(self):
        assert "start it again with HOST=0.0.0.0" in addresses.announcement("127.0.0.1", 8000)
        assert addresses.names_of("127.0.0.1") == ["localhost", "127.0.0.1", "[::1]"]

    def test_addresses_of_the_site_are_printed_for_phones(self, monkeypatch):
        monkeypatch.setattr(addresses, "own_addresses", lambda: ["192.168.1.20"])
        announcement = addresses.announcement("0.0.0.0", 8000)
        assert "Phones in the same network: http://192.168.1.20:8000/" in announcement
        assert "Without https" in announcement
        assert addresses.qr_code("http://192.168.1.20:8000/") in announcement
        assert "192.168.1.20" in addresses.names_of("0.0.0.0")

    def test_addresses_of_the_site_are_those_of_the_proxy_where_it_has_https(self, monkeypatch):
        monkeypatch.setattr(addresses, "own_addresses", lambda: ["192.168.1.20"])
        origins = ["https://club.example", "http://192.168.1.20:8000"]
        announcement = addresses.announcement("0.0.0.0", 8000, origins)
        assert "by the proxy before it: https://club.example" in announcement
        assert "CSRF_TRUSTED_ORIGINS= make run" in announcement
        assert "Phones in the same network" not in announcement

    def test_addresses_of_the_site_follow_the_env_file(self, tmp_path):
        path = tmp_path / "club.env"
        path.write_text("CSRF_TRUSTED_ORIGINS=https://club.example\n")
        done = subprocess.run(
            [sys.executable, "-m", "mahjong_site.addresses", "127.0.0.1", "8100", "/bin/true"],
            cwd=ROOT, env={"PATH": os.environ["PATH"], "ENV_FILE": str(path)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert "https://club.example" in done.stdout

    def test_addresses_of_the_site_are_handed_to_the_server(self):
        shown = "import os; print(os.environ['TRIED_ON'])"
        done = subprocess.run(
            [sys.executable, "-m", "mahjong_site.addresses", "127.0.0.1", "8100",
             sys.executable, "-c", shown],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.splitlines()[0] == "Serving on http://127.0.0.1:8100/ (Ctrl-C stops)"
        assert done.stdout.splitlines()[-1] == "localhost,127.0.0.1,[::1]"

    def test_addresses_of_the_site_are_local_without_a_network(self, monkeypatch):
        monkeypatch.setattr(addresses, "own_addresses", list)
        assert "in no network" in addresses.announcement("0.0.0.0", 8000)


class TestAWrongHost:
    def test_a_wrong_host_has_a_page_that_names_the_setting(self, client):
        response = client.get("/", headers={"host": "club.example:8000"})
        page = response.content.decode()
        assert response.status_code == 400
        assert "ALLOWED_HOSTS=…,club.example<" in page

    def test_a_wrong_host_is_a_problem_to_a_program(self, client):
        response = client.get("/api/v1/leagues/", headers={"host": "[fe80::1]:8000"})
        assert response.status_code == 400
        assert "[fe80::1]" in response.json()["detail"]
        assert "ALLOWED_HOSTS" in response.json()["detail"]

    @pytest.mark.parametrize("host", ["<script>", "club example", "x" * 300])
    def test_a_host_that_can_be_none_is_not_repeated(self, client, host):
        page = client.get("/", headers={"host": host}).content.decode()
        assert host not in page
        assert "ALLOWED_HOSTS=…,club.example<" in page


@pytest.mark.django_db
@pytest.mark.parametrize(("proxies", "lines"), [(0, 1), (1, 0)])
def test_a_proxy_that_is_not_counted_is_told_to_the_log_once(
    client, settings, caplog, proxies, lines
):
    request_log._warn_of_proxy.cache_clear()
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    for _request in range(2):
        client.get("/sign-in/", headers={"x-forwarded-for": "203.0.113.9"})
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert len([record for record in warnings if "NUM_PROXIES is 0" in record.message]) == lines


def test_ctrl_c_ends_a_command_without_a_traceback(monkeypatch, capsys):
    def interrupted(_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("django.core.management.execute_from_command_line", interrupted)
    monkeypatch.setattr("sys.argv", ["manage.py", "version"])
    with pytest.raises(SystemExit) as end:
        manage.main()
    assert (end.value.code, capsys.readouterr().err) == (130, "\n")


class TestTheTimeZone:
    """Asked for at the first run, of whoever sits before a terminal."""

    def asked(self, path, *lines, **environment):
        terminal, inside = pty.openpty()
        os.write(terminal, "".join(f"{line}\n" for line in lines).encode())
        done = subprocess.run(
            [sys.executable, "manage.py", "time_zone"],
            cwd=ROOT, stdin=inside, capture_output=True, text=True, check=True, timeout=50,
            env={"PATH": os.environ["PATH"], "ENV_FILE": str(path), "SECRET_KEY": "x"} | environment,
        )  # fmt: skip
        os.close(terminal)
        os.close(inside)
        return done.stdout

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "club.env"
        path.write_text("SITE_NAME=Winds")
        return path

    def test_the_time_zone_is_kept_in_the_env_file(self, path):
        answer = self.asked(path, "Amsterdam", "Europe/Amsterdam")
        assert "No clock runs by “Amsterdam”" in answer
        assert path.read_text() == "SITE_NAME=Winds\nTIME_ZONE=Europe/Amsterdam\n"
        assert self.asked(path) == ""

    def test_the_time_zone_is_not_asked_for_where_it_is_set_or_kept_nowhere_or_nobody_is_there(
        self, path
    ):
        assert self.asked(path, TIME_ZONE="Europe/Paris") == ""
        assert self.asked(path, "Europe/Paris", ENV_FILE="") == ""
        done = subprocess.run(
            [sys.executable, "manage.py", "time_zone"],
            cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True,
            env={"PATH": os.environ["PATH"], "ENV_FILE": str(path), "SECRET_KEY": "x"},
        )  # fmt: skip
        assert done.stdout == ""


@pytest.mark.django_db
def test_the_demo_of_the_docs_goes_beside_what_there_is(capsys):
    make_player("Somebody")
    line = re.search(r"`demo (.*?)`", (ROOT / "docs" / "commands.md").read_text())[1]
    small = re.sub("--hands [0-9]+", "--hands 8", re.sub("--players [0-9]+", "--players 8", line))
    call_command("demo", *small.split(), "--verbosity", "0")
    assert "Hands: 8" in capsys.readouterr().out


def test_a_start_names_its_database_once():
    makefile = (ROOT / "Makefile").read_text()
    (serve,) = re.findall(r"^serve:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    prepare = re.search(r"^PREPARE = (.*\n.*)", makefile, re.MULTILINE)[1]
    beside = re.search(r"^BESIDE = (.*)", makefile, re.MULTILINE)[1]
    commands = re.findall(r"\$\(MANAGE\) ([^&']*)", prepare + beside + serve)
    naming = [command for command in commands if asks_the_database(command.split())]
    assert [command.split()[0] for command in naming] == ["migrate"]
