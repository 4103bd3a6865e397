"""``make bench``: how fast it is, on this machine, beside what it should be and beside a peer.

    python -m tests.bench [evaluator] [saving] [correcting] [pages] [verifying] [--hands N]

Sections can be named; without names all of them run. What needs a club runs on a throw-away one with
N hands (100,000) in a temporary SQLite file, and on the PostgreSQL of ``TEST_DATABASE_URL`` too if there
is one: ``python -m tests.support.postgres python -m tests.bench`` brings one.
"""

import os
import subprocess
import sys
from argparse import ArgumentParser

SECTIONS = ("evaluator", "saving", "correcting", "pages", "verifying")


def main() -> int:
    parser = ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    parser.add_argument("--hands", type=int, default=100_000, help="at the throw-away club")
    arguments = parser.parse_args()
    sections = arguments.sections or SECTIONS
    if unknown := set(sections) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}: choose from {', '.join(SECTIONS)}")
    say(f"Load before: {', '.join(f'{load:.1f}' for load in os.getloadavg())}.")
    failed = 0
    if "evaluator" in sections:
        from tests.bench import books, different, evaluator

        say(different.run())
        say(books.run())
        say(evaluator.run())
    at_a_club = [section for section in sections if section != "evaluator"]
    for url in filter(None, ("sqlite://", os.environ.get("TEST_DATABASE_URL"))):
        if at_a_club:
            failed |= run_at_a_club(url, at_a_club, arguments.hands)
    say(f"\nLoad after: {', '.join(f'{load:.1f}' for load in os.getloadavg())}.")
    return failed


def run_at_a_club(url: str, sections: list[str], hands: int) -> int:
    """A process of its own for each database: Django is set up for one."""
    command = [sys.executable, "-m", "tests.bench.club", *sections, "--hands", str(hands)]
    environment = os.environ | {
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
    }
    return subprocess.run(command, env=environment, check=False).returncode


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
