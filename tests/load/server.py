"""The production server as ``make serve`` starts it, on a free port of this machine."""

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.support.sites import ROOT, Site

HOST = "127.0.0.1"
SECONDS_TO_START = 60
SECONDS_TO_STOP = 15
# As a club's server has it, whatever a developer or the tests have set.
UNSET = ("CONN_MAX_AGE", "DJANGO_ALLOW_ASYNC_UNSAFE", "MAKEFLAGS", "MAKELEVEL")
SET = {"DEBUG": "0", "ALLOWED_HOSTS": HOST, "CSRF_TRUSTED_ORIGINS": ""}


class Server:
    """The server of ``site``, with all its processes in a group of their own.

    :ivar port: stays the same, however often the server is started.
    :ivar log: everything that its processes say.
    """

    def __init__(self, site: Site, settings: Mapping[str, str] | None = None) -> None:
        """:param settings: what the environment says besides, or instead."""
        self.port = free_port()
        self.log = site.folder / "server.log"
        self._command = serving_command(self.port)
        environment = site.environment | SET | (settings or {})
        self._environment = {name: environment[name] for name in environment if name not in UNSET}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT, env=self._environment, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    def wait_until_ready(self) -> None:
        """:raises RuntimeError: with the log, if it does not answer in time."""
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline:
            with suppress(OSError, HTTPException):
                connection = HTTPConnection(HOST, self.port, timeout=5)
                connection.request("GET", "/healthz")
                if connection.getresponse().status == 200:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"The server did not start: {self.log.read_text()}")

    def kill_a_worker(self) -> None:
        """End the first of the processes that answer, as a machine without memory would."""
        matches = re.findall(r"Spawning worker-1 with PID: (\d+)", self.log.read_text())
        os.kill(int(matches[-1]), signal.SIGKILL)

    def wait_for_output(self, words: str, times: int) -> None:
        """:raises RuntimeError: with the log, if it does not say ``words`` so often in time."""
        deadline = time.monotonic() + SECONDS_TO_START
        while self.log.read_text().count(words) < times:
            if time.monotonic() > deadline:
                raise RuntimeError(f"The server does not say {words}: {self.log.read_text()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """End all its processes at once, in the middle of whatever they do."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """End it as an operator would; kill what is left after a while."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.kill(self._process.pid, signal.SIGTERM)
            self._process.wait(timeout=SECONDS_TO_STOP)
        self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)
        self._process.wait()


def serving_command(port: int) -> list[str]:
    """What ``make serve`` ends with, once it has migrated and collected."""
    asked = ["make", "--dry-run", "serve", f"HOST={HOST}", f"PORT={port}"]
    environment = {name: value for name, value in os.environ.items() if name not in UNSET}
    output = subprocess.run(
        [*asked, f"BIN={Path(sys.executable).parent}"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (last,) = [line for line in output.stdout.splitlines() if line.startswith("exec ")]
    return shlex.split(last.removeprefix("exec "))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]
