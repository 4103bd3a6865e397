"""``python -m mahjong_site.supervisor WORKER… -- SERVER…``: a server, and a worker that runs beside it.

This process becomes the server. One of its own, forked before, starts the worker, starts it again whenever it
dies, and ends it when the server is gone, however that ended.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from signal import SIG_IGN, SIGINT, signal
from typing import NoReturn

# Seconds: between two looks; before a worker that died is started again; for a worker to end by itself.
LOOK, FIRST_PAUSE, LONGEST_PAUSE, LAST_WORDS = 0.5, 1.0, 60.0, 20.0
# A worker that ran for so many seconds was well: the next pause is the first one again.
WELL = 60.0


def main(arguments: Sequence[str]) -> NoReturn:
    cut = list(arguments).index("--")
    worker, server = arguments[:cut], arguments[cut + 1 :]
    parent = os.getpid()
    if not os.fork():
        _keep_running(worker, parent)
    os.execv(server[0], list(server))


def _keep_running(worker: Sequence[str], server: int) -> NoReturn:
    """Run ``worker`` until the process ``server`` (its id) is gone."""
    # Ctrl-C reaches the server and the worker by themselves.
    signal(SIGINT, SIG_IGN)
    pause = FIRST_PAUSE
    while os.getppid() == server:
        began = time.monotonic()
        process = subprocess.Popen(worker)
        while process.poll() is None and os.getppid() == server:
            time.sleep(LOOK)
        if process.poll() is None:
            _end(process)
            break
        pause = FIRST_PAUSE if time.monotonic() - began > WELL else min(pause * 2, LONGEST_PAUSE)
        _wait(pause, server)
    os._exit(0)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(LAST_WORDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _wait(seconds: float, server: int) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and os.getppid() == server:
        time.sleep(LOOK)


if __name__ == "__main__":
    main(sys.argv[1:])
