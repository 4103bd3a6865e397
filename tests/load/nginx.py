"""nginx as a cache before a site: a folder and a port of its own, nothing of the machine's."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .server import HOST, free_port

SECONDS_TO_START = 30
# Debian keeps it where only root looks for programs.
FOLDERS = (os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin")
# Keeps for ten minutes whatever no header forbids; a request says in X-Cache which cache it asks, so
# that one server is as many empty ones as are wanted.
CONFIGURATION = """
{user}
daemon off;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    proxy_cache_path {folder}/kept keys_zone=kept:1m;
    server {{
        listen {host}:{port};
        location / {{
            proxy_pass http://{host}:{behind};
            proxy_set_header Host $http_host;
            proxy_set_header X-Cache "";
            proxy_cache kept;
            proxy_cache_key $http_x_cache$request_uri;
            proxy_cache_valid any 10m;
            add_header X-Cache $upstream_cache_status always;
        }}
    }}
}}
"""


def program() -> str | None:
    """Where nginx is; None on a machine without it."""
    return shutil.which("nginx", path=os.pathsep.join(FOLDERS))


@contextmanager
def cache_before(behind: int, folder: Path) -> Iterator[int]:
    """The port of an nginx that caches the server on port ``behind`` and keeps its files in ``folder``.

    :raises RuntimeError: with what it says, if it does not start.
    """
    nginx = program()
    assert nginx is not None
    port = free_port()
    configuration = CONFIGURATION.format(
        # Root's nginx would work as nobody, who cannot look into this folder.
        user=f"user {getpass.getuser()};" if os.getuid() == 0 else "",
        folder=folder, host=HOST, port=port, behind=behind,
    )  # fmt: skip
    (folder / "nginx.conf").write_text(configuration)
    log = folder / "nginx.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [nginx, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"],
            stdout=errors, stderr=errors,
        )  # fmt: skip
    try:
        _wait_until_ready(process, port, log)
        yield port
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as asked:
            if asked.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"nginx did not start: {log.read_text()}")
