"""The thirty tests that take most of the processor, with their fixtures and all their processes.

    python -m pytest -n 2 -p tests.support.slowest

Seconds of the processor stay the same, about, however busy the machine is; those of the clock do
not. What a PostgreSQL server does for a test is not counted.
"""

import os
import resource
import time
from collections import Counter
from pathlib import Path

import pytest

SHOWN = 30
TICKS = os.sysconf("SC_CLK_TCK")
BEFORE, USED = pytest.StashKey[float](), pytest.StashKey[float]()

seconds: Counter[str] = Counter()


def processor_seconds() -> float:
    """What this process and all below it have used so far, those that have ended included."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime + _below(os.getpid()) / TICKS


def _below(pid: int) -> int:
    """Clock ticks of the processes below ``pid`` that run."""
    ticks = 0
    for child in _children(pid):
        try:
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        ticks += sum(map(int, fields[11:15])) + _below(child)
    return ticks


def _children(pid: int) -> list[int]:
    try:
        lists = [task.read_text() for task in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for text in lists for child in text.split()]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    item.stash[BEFORE], item.stash[USED] = processor_seconds(), 0.0
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    # A browser that is closed after the last test takes along what it has used.
    item.stash[USED] = max(item.stash[USED], processor_seconds() - item.stash[BEFORE])
    if call.when == "teardown":
        report.processor_seconds = item.stash[USED]
    return report


def pytest_runtest_logreport(report):
    if hasattr(report, "processor_seconds"):
        seconds[report.nodeid] += report.processor_seconds


def pytest_terminal_summary(terminalreporter):
    if not seconds:
        return
    modules: Counter[str] = Counter()
    for name, used in seconds.items():
        modules[name.partition("::")[0]] += used
    terminalreporter.section(f"{seconds.total():.0f} seconds of the processor")
    for found in (modules, seconds):
        for name, used in found.most_common(SHOWN):
            terminalreporter.write_line(f"{used:7.1f} {name}")
        terminalreporter.write_line("")
