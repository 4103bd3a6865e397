"""Two commands at once: both are told whole, and either that fails fails both."""

import subprocess
import sys

import pytest

# Each says that it began, and ends once the other has begun, too.
MEETS = """
import sys, time
from pathlib import Path
own, other, code = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
own.touch()
until = time.monotonic() + 60
while not other.exists() and time.monotonic() < until:
    time.sleep(0.01)
print(own.name, "met", other.name, other.exists())
sys.exit(code)
"""


@pytest.fixture
def both(tmp_path):
    """The exit code and the lines of output, of two commands that end with these codes."""

    def both(first, second):
        a, b = str(tmp_path / "SQLite"), str(tmp_path / "PostgreSQL")
        python = [sys.executable, "-c", MEETS]
        done = subprocess.run(
            [sys.executable, "-m", "tests.support.side_by_side",
             *python, a, b, str(first), "---", *python, b, a, str(second)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout.splitlines()

    return both


def test_both_run_at_once_and_are_told_one_after_the_other(both):
    code, lines = both(0, 0)
    assert code == 0
    assert lines[0] == "SQLite met PostgreSQL True"
    assert lines[-1] == "PostgreSQL met SQLite True"


@pytest.mark.parametrize(("first", "second", "code"), [(1, 0, 1), (0, 3, 3), (2, 3, 2)])
def test_a_command_that_fails_fails_both(both, first, second, code):
    assert both(first, second)[0] == code
