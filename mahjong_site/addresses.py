"""``python -m mahjong_site.addresses HOST PORT COMMAND…``: where ``make run`` can be found.

By this machine, and by phones in the same network. The server, ``COMMAND``, is handed the names in
``TRIED_ON``: asking for the machine's own name may take seconds, so only this process does.
"""

import os
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from pathlib import Path

from scoring.site.addresses import ANY, address, https_origins
from scoring.site.env_file import read_env_file

LOOPBACK = ("localhost", "127.0.0.1", "::1")
# Of a block that is never in use: asking the way there sends nothing.
ELSEWHERE = ("192.0.2.1", 9)


def names_of(host: str) -> list[str]:
    """What a browser may call a server on ``host``, as ``ALLOWED_HOSTS`` has it."""
    names = [*LOOPBACK, *phone_addresses(host)]
    if host not in (*ANY, *names):
        names.append(host)
    if host in ANY:
        name = socket.gethostname().lower()
        names += [name, f"{name}.local"]
    return [f"[{name}]" if ":" in name else name for name in names]


def phone_addresses(host: str) -> list[str]:
    """The addresses at which others in the network find a server on ``host``, the likeliest first."""
    if host in ANY:
        return own_addresses()
    return [] if host in LOOPBACK or host.startswith("127.") else [host]


@cache
def own_addresses() -> list[str]:
    """This machine's addresses in its networks; none without a network."""
    addresses: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect(ELSEWHERE)
        addresses.append(asked.getsockname()[0])
    with suppress(OSError):
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        addresses += [str(address[4][0]) for address in known]
    return [one for one in dict.fromkeys(addresses) if not ip_address(one).is_loopback]


def announcement(host: str, port: int, origins: Sequence[str] = ()) -> str:
    """What ``make run`` says of its addresses, with a QR code for the first that phones can open.

    :param origins: those of CSRF_TRUSTED_ORIGINS.
    """
    lines = [f"Serving on {address(host, port)} (Ctrl-C stops)"]
    if named := https_origins(origins):
        lines.append(
            f"Browsers find it by the proxy before it: {' '.join(named)}\n"
            "CSRF_TRUSTED_ORIGINS says so, and whoever comes without https is sent there. To try the site "
            "without the proxy: CSRF_TRUSTED_ORIGINS= make run"
        )
        return "\n".join(lines)
    phones = phone_addresses(host)
    if not phones and host in ANY:
        lines.append("This machine is in no network: no phone can find it.")
    elif not phones:
        lines.append("For phones in the same network: start it again with HOST=0.0.0.0")
    else:
        lines.append(
            f"Phones in the same network: {' '.join(address(one, port) for one in phones)}"
        )
        lines.append(qr_code(address(phones[0], port)))
        lines.append(
            "Without https a phone does all but two things: open a table without a network, and stand "
            "on the home screen as an app. README, “How to deploy it”, has the way to https."
        )
    return "\n".join(lines)


def qr_code(text: str) -> str:
    """``text`` for the camera of a phone, drawn with half blocks."""
    from io import StringIO

    import segno

    drawn = StringIO()
    segno.make(text, error="m").terminal(drawn, compact=True)
    return drawn.getvalue().rstrip("\n")


def main(host: str, port: str, *command: str) -> None:
    """Say where the site is, and become the server."""
    read_env_file(Path(__file__).resolve().parent.parent)
    origins = os.environ.get("CSRF_TRUSTED_ORIGINS", "").split(",")
    sys.stdout.write(announcement(host, int(port), [one.strip() for one in origins]) + "\n")
    sys.stdout.flush()
    os.environ["TRIED_ON"] = ",".join(names_of(host))
    os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
