"""``python -m mahjong_site.port HOST PORT COMMAND…``: holds the port while the command runs.

A port that another server uses is refused by name: two on one port would answer in turns. While the
command prepares the site (migrates, collects), and until the server that follows listens, whoever asks is
told to come back: 503. Nothing but the standard library, so that it is there at once.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from errno import EADDRINUSE
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from signal import SIG_IGN, SIGINT, SIGKILL, signal
from threading import Thread
from typing import NoReturn

from .paths import API

SECONDS = 5
# A server that has not come by then does not come.
LONGEST = 60
# Where Linux lists who listens.
TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
LISTENS = "0A"
SENTENCE = "The site is being brought up to date. It is back in a moment; nothing is lost."
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{SECONDS}"><title>Back in a moment</title></head>
<body><h1>Back in a moment</h1><p>{SENTENCE} A hand that you saved is kept on this phone.</p></body></html>
"""
PROBLEM = {
    "type": "about:blank", "title": HTTPStatus.SERVICE_UNAVAILABLE.phrase, "status": 503,
    "detail": SENTENCE, "errors": [],
}  # fmt: skip


class PortRefused(Exception):
    """``str()`` says why nobody can listen there, and the way out."""


class ComeBack(BaseHTTPRequestHandler):
    """Answers everything 503: a page, under ``/api/`` a problem document."""

    timeout = 10

    def _answer(self) -> None:
        api = self.path.startswith(API)
        body = (json.dumps(PROBLEM) if api else PAGE).encode()
        kind = "application/problem+json" if api else "text/html; charset=utf-8"
        self.close_connection = True
        self.send_response(503)
        for name, value in (
            ("Content-Type", kind), ("Content-Length", len(body)), ("Retry-After", SECONDS),
            ("Cache-Control", "no-store"), ("Connection", "close"),
        ):  # fmt: skip
            self.send_header(name, str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def __getattr__(self, name: str) -> Callable[[], None]:
        """The same for every method, as the standard library asks for them: ``do_GET``, ``do_POST``."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def log_message(self, *args: object) -> None:
        """Log nothing: these requests come before the site is ready."""


class Held(ThreadingHTTPServer):
    """A port that is taken until the site is ready."""

    daemon_threads = True

    def server_bind(self) -> None:
        # The server that follows shares the port for a moment, so that nobody is turned away.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        # Without looking up the machine's name, which may take seconds.
        self.socket.bind(self.server_address)

    def is_followed(self) -> bool:
        """Whether another process listens on the same port; True where the system does not list it."""
        address, port = self.socket.getsockname()[:2]
        own, followers = ip_address(address), 0
        for table in TABLES:
            if not table.exists():
                return True
            for line in table.read_text().splitlines()[1:]:
                _number, local, _remote, state, *_rest = line.split()
                where, _colon, number = local.rpartition(":")
                if state == LISTENS and int(number, 16) == port:
                    followers += _meet(own, _listed(where))
        return followers > 1


Address = IPv4Address | IPv6Address


def _listed(where: str) -> Address:
    """An address as Linux lists it: four bytes at a time, in the order of the machine."""
    words = [bytes.fromhex(where[start : start + 8]) for start in range(0, len(where), 8)]
    return ip_address(b"".join(word[::-1] if sys.byteorder == "little" else word for word in words))


def _meet(one: Address, other: Address) -> bool:
    """Whether a server at ``other`` may be the one for ``one``: another network's is not."""
    anywhere = one.is_unspecified or other.is_unspecified
    return one == other or anywhere or (one.is_loopback and other.is_loopback)


def take(host: str, port: int) -> Held:
    """:raises PortRefused: if the port is not free, also where two servers would share it."""
    try:
        address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        Held.address_family = address[0]
        with socket.socket(address[0]) as alone:
            alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            alone.bind(address[4])
        return Held((host, port), ComeBack)
    except (OSError, OverflowError) as error:
        if getattr(error, "errno", None) != EADDRINUSE:
            raise PortRefused(f"Nobody can listen on port {port} of {host}: {error}") from error
        why = (
            f"Port {port} of {host} is in use: another server answers there. Stop that one, or choose "
            f"another port: PORT={port + 1}"
        )
        raise PortRefused(why) from error


def hold(host: str, port: int, command: Sequence[str]) -> int:
    """Run ``command`` while the port is held; its exit code.

    If that is 0 the port is held on, by a process that ends when the server listens.
    """
    held, caller = take(host, port), os.getppid()
    ready, tell = os.pipe()
    holder = os.fork()
    if not holder:
        os.close(tell)
        _hold_on(held, ready, caller)
    held.server_close()
    code = 1
    try:
        code = subprocess.run(command, check=False).returncode
    finally:
        if code:
            os.kill(holder, SIGKILL)
            os.waitpid(holder, 0)
        os.close(tell)
    return code


def _hold_on(held: Held, ready: int, caller: int) -> NoReturn:
    """Answer until the command is over and the server listens, or whoever starts it is gone."""
    signal(SIGINT, SIG_IGN)
    # Whoever waits for the end of what is said does not wait for this process.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    Thread(target=held.serve_forever, daemon=True).start()
    os.read(ready, 1)
    end = time.monotonic() + LONGEST
    while time.monotonic() < end and not held.is_followed() and _lives(caller):
        time.sleep(0.02)
    # At once: what was accepted has been answered, or is asked again.
    os._exit(0)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def main(arguments: Sequence[str]) -> int:
    host, port, *command = arguments
    if not host:
        sys.stderr.write("HOST is empty: write 0.0.0.0 for every address, or leave it out.\n")
        return 1
    try:
        number = int(port)
    except ValueError:
        sys.stderr.write(f"PORT is a number, not {port!r}.\n")
        return 1
    try:
        return hold(host, number, command)
    except PortRefused as refused:
        sys.stderr.write(f"{refused}\n")
    except KeyboardInterrupt:
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
