"""A mail server for tests: it takes mails on a port of this machine, or makes trouble."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class MailServer(socketserver.ThreadingTCPServer):
    """What came stands in ``mails``.

    :ivar refused: the answers to recipients it does not take, by address.
    :ivar hangs: whether it answers nothing at all until it is released.
    """

    allow_reuse_address, daemon_threads = True, True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.mails: list[EmailMessage] = []
        self.refused: dict[str, str] = {}
        self.hangs = False
        self.released, self.came = threading.Event(), threading.Condition()

    @property
    def url(self) -> str:
        """As ``EMAIL_URL`` names it."""
        return f"smtp://127.0.0.1:{self.server_address[1]}/?_default_from_email=club@example.org"

    @property
    def ids(self) -> list[str]:
        """The Message-IDs of what came, in its order."""
        return [str(mail["Message-ID"]) for mail in self.mails]

    def wait_for(self, number: int, seconds: float = 60) -> bool:
        """Whether so many mails have come within that time."""
        with self.came:
            return self.came.wait_for(lambda: len(self.mails) >= number, seconds)


class Session(socketserver.StreamRequestHandler):
    """One connection."""

    server: MailServer

    def handle(self) -> None:
        if self.server.hangs:
            self.server.released.wait(60)
            return
        self._say("220 test")
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "DATA":
                self._say("354 go on")
                self._take()
            elif verb == "RCPT":
                address = line.partition("<")[2].partition(">")[0]
                self._say(self.server.refused.get(address, "250 fine"))
            elif verb == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        with self.server.came:
            mail = message_from_bytes(b"".join(lines), policy=policy.default)
            self.server.mails.append(mail)  # type: ignore[arg-type]
            self.server.came.notify_all()
        self._say("250 taken")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """One that runs for as long as the block."""
    with MailServer() as server:
        # It looks so often, in seconds, whether it is to end.
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        try:
            yield server
        finally:
            server.released.set()
            server.shutdown()
