"""Commands of a site, each in a process of its own that need not import Django first.

Such a process is forked from one that has imported what every command needs. It reads its own
settings from its own environment, as ``manage.py`` in a shell does.
"""

import os
import runpy
import sys
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from subprocess import CompletedProcess

_forked = get_context("forkserver")
_forked.set_forkserver_preload(["tests.support.preloaded"])


def run_script(
    script: Path,
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    say: str,
    timeout: int,
) -> CompletedProcess[str]:
    """Run ``script`` to its end; ``say`` is its standard input.

    :raises TimeoutError: if it takes longer than ``timeout`` seconds.
    """
    with tempfile.TemporaryDirectory(prefix="process-") as name:
        streams = [Path(name) / stream for stream in ("in", "out", "err")]
        streams[0].write_text(say)
        process = start_script(script, arguments, cwd=cwd, env=env, streams=streams)
        process.join(timeout)
        if process.is_alive():
            process.kill()
            process.join()
            raise TimeoutError([str(script), *arguments])
        _in, out, err = (stream.read_text() for stream in streams)
        return CompletedProcess([str(script), *arguments], process.exitcode or 0, out, err)


def start_script(
    script: Path,
    arguments: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    streams: Sequence[Path],
) -> ForkServerProcess:
    """Start ``script``; ``streams`` are files: what it reads, and where it writes output and errors."""
    command = [str(script), *arguments]
    process = _forked.Process(target=_run, args=(command, cwd, dict(env), list(streams)))
    process.start()
    return process


def _run(command: list[str], cwd: Path, env: dict[str, str], streams: list[Path]) -> None:
    for number, (stream, flags) in enumerate(
        zip(streams, (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT), strict=True)
    ):
        os.dup2(os.open(stream, flags, 0o600), number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False, buffering=1)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = command
    sys.path[0:0] = [str(Path(command[0]).parent)]
    runpy.run_path(command[0], run_name="__main__")
