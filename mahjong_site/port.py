"""``python -m mahjong_site.port HOST PORT COMMAND…``: holds the port while the command runs.

A port that another server uses is refused by name: two on one port would answer in turns. While the
command prepares the site (migrates, collects), whoever asks is told to come back: 503. Then the port is
free for the server. Nothing but the standard library, so that it is there at once.
"""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from errno import EADDRINUSE
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

SECONDS = 5
SENTENCE = "The site is being brought up to date. It is back in a moment; nothing is lost."
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="{SECONDS}"><title>Back in a moment</title></head>
<body><h1>Back in a moment</h1><p>{SENTENCE} A hand that you saved is kept on this phone.</p></body></html>
"""
PROBLEM = {"type": "about:blank", "title": "Unavailable", "status": 503, "detail": SENTENCE}


class PortRefused(Exception):
    """``str()`` says why nobody can listen there, and the way out."""


class ComeBack(BaseHTTPRequestHandler):
    """Answers everything 503: a page, under ``/api/`` a problem document."""

    timeout = 10

    def _answer(self) -> None:
        api = self.path.startswith("/api/")
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

    def log_message(self, *said: object) -> None:
        """Nothing: nobody learns from it."""


class Held(ThreadingHTTPServer):
    """A port that is taken until the site is ready.

    :raises PortRefused: if it is not free.
    """

    daemon_threads = True

    def __init__(self, host: str, port: int) -> None:
        try:
            self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            super().__init__((host, port), ComeBack)
        except (OSError, OverflowError) as error:
            if getattr(error, "errno", None) == EADDRINUSE:
                why = (
                    f"Port {port} of {host} is in use: another server answers there. Stop that one, or "
                    f"choose another port: PORT={port + 1}"
                )
            else:
                why = f"Nobody can listen on port {port} of {host}: {error}"
            raise PortRefused(why) from error

    def server_bind(self) -> None:
        # Without looking up the machine's name, which may take seconds.
        socket.socket.setsockopt(self.socket, socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)


def hold(host: str, port: int, command: Sequence[str]) -> int:
    """Run ``command`` while the port is held; its exit code."""
    with Held(host, port) as held:
        Thread(target=held.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            return subprocess.run(command, check=False).returncode
        finally:
            held.shutdown()


def main(arguments: Sequence[str]) -> int:
    host, port, *command = arguments
    try:
        return hold(host, int(port), command)
    except ValueError:
        sys.stderr.write(f"PORT is a number, not {port!r}.\n")
    except PortRefused as refused:
        sys.stderr.write(f"{refused}\n")
    except KeyboardInterrupt:
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
