"""What decides what a hand scores under Club and Book, found by scoring one.

That are the modules that are imported for it, and the two rule books. Of the modules, some do nothing but read
a book, and say what is wrong with one: in their place stands what they read, the two books. So whatever
they refuse besides, hands score the same as long as these two are read the same.

Run as a program with the project in PYTHONPATH, it prints that as JSON.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import NamedTuple

READING = tuple(
    f"scoring/evaluator/{name}"
    for name in (
        "books/checks.py", "books/fields.py", "books/files.py", "books/lines.py", "books/loader.py",
        "books/overlays.py", "books/parts.py", "books/refusals.py", "books/registry.py", "books/texts.py",
        "books/toml.py", "books/toml_mistakes.py", "books/data/club.toml", "books/data/book.toml", "unseen.py",
    )
)  # fmt: skip


class Scoring(NamedTuple):
    """The files that are run, and the books that are read, as one text."""

    files: list[Path]
    books: str


def scoring(root: Path) -> Scoring:
    """What scores hands in the project in ``root``. A process of its own looks: this one has imported more."""
    environment = {**os.environ, "PYTHONPATH": str(root)}
    run = subprocess.run(
        [sys.executable, "-B", __file__],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(run.stdout)
    return Scoring([root / name for name in found["files"]], found["books"])


def main() -> None:
    root = Path(os.environ["PYTHONPATH"])
    books = _score_a_hand()
    modules = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    ours = (Path(name) for name in modules)
    names = {str(path.relative_to(root)) for path in ours if path.is_relative_to(root / "scoring")}
    found = {"files": sorted(names.difference(READING)), "books": books}
    sys.stdout.write(json.dumps(found))


def _score_a_hand() -> str:
    """By the single path and by arrays, as `exhaust` does; the books by which it scored, as one text."""
    import numpy as np

    from scoring import arrays
    from scoring.evaluator.books.loader import load
    from scoring.evaluator.rules import BOOK, CLUB
    from scoring.evaluator.scorecard import score
    from scoring.evaluator.tiles import Wind

    hand = np.zeros((1, 34), np.uint8)
    hand[0, [0, 1, 2, 3, 33]] = 3, 3, 3, 3, 2
    for rules in (CLUB, BOOK):
        score("111B 222B 333B 444B WhWh", "E", "S", rules=rules)
        arrays.final_scores(hand, seat_wind=Wind.EAST, prevailing_wind=Wind.SOUTH, rules=rules)
    return "\n".join(as_text(load(rules.slug)) for rules in (CLUB, BOOK))


def as_text(value: object) -> str:
    """``value`` with all that it is made of, the same in every process."""
    if is_dataclass(value):
        parts = (f"{one.name}={as_text(getattr(value, one.name))}" for one in fields(value))
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(as_text, value)))}}}"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{as_text(key)}: {as_text(one)}' for key, one in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_text, value))}]"
    return repr(value)


if __name__ == "__main__":
    main()
