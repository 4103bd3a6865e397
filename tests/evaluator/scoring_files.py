"""Which files decide what a hand scores under Club and Book, found by scoring one.

Run as a program with the project in PYTHONPATH, it prints them, each from the root of the project: the
modules that are imported for it, and the other files that they open, which are the rule books.
"""

import os
import subprocess
import sys
from pathlib import Path


def scoring_files(root: Path) -> list[Path]:
    """The files of the project in ``root``, sorted. A process of its own looks: this one has imported more."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    run = subprocess.run(
        [sys.executable, "-B", __file__],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [root / name for name in run.stdout.splitlines()]


def main() -> None:
    root = Path(os.environ["PYTHONPATH"])
    opened: set[str] = set()
    sys.addaudithook(lambda event, details: event == "open" and opened.add(str(details[0])))
    _score_a_hand()
    modules = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    books = {name for name in opened if not name.endswith((".py", ".pyc"))}
    ours = (Path(name) for name in modules | books)
    names = {str(path.relative_to(root)) for path in ours if path.is_relative_to(root / "scoring")}
    sys.stdout.write("".join(f"{name}\n" for name in sorted(names)))


def _score_a_hand() -> None:
    """By the single path and by arrays, as `exhaust` does."""
    import numpy as np

    from scoring import arrays
    from scoring.evaluator.rules import BOOK, CLUB
    from scoring.evaluator.scorecard import score
    from scoring.evaluator.tiles import Wind

    hand = np.zeros((1, 34), np.uint8)
    hand[0, [0, 1, 2, 3, 33]] = 3, 3, 3, 3, 2
    for rules in (CLUB, BOOK):
        score("111B 222B 333B 444B WhWh", "E", "S", rules=rules)
        arrays.final_scores(hand, seat_wind=Wind.EAST, prevailing_wind=Wind.SOUTH, rules=rules)


if __name__ == "__main__":
    main()
