"""``docs/every-winning-hand.md``: what `exhaust` found, written by itself and read back by the tests."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tests.evaluator.exhaust_classes import Distribution
from tests.evaluator.scoring_files import scoring

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "every-winning-hand.md"
RULES = ("Club", "Book")
BEGUN = """# Every winning hand

Written by `make exhaust`, which scores every winning hand in three ways and compares them: by the function that every
saved hand goes through (`scoring.evaluator.scorecard.score`), by `scoring.arrays`, and by the tests' reference, which shares
no code with them. [How it is done](../tests/evaluator/exhaust.py) is said where it is done.

There are exactly {plain:,} winning hands of 14 tiles without a kong, 13 thirteen orphans, and {kongs:,} hands with one to
four kongs. A hand is what a player holds, in whatever order and whatever way it can be read; the same tiles under other
winds are the same hand. The numbers are products: of all parts of bamboo, characters, dots and honors that together are five sets with one pair. 13,259 of the hands
without a kong are of one suit.

## What was compared

Each hand under Club and under Book, concealed and won by a discard. By the single path: points, doubles, total, final score
and limit hands, under every wind position that can matter: all winds that a hand does not hold are the same to it. By
`arrays`: the final score under all 16 positions. The reference says what the single path says. It is slow, so it scores one
hand of each class of hands that differ only by the names of suits, winds and dragons, and its answer holds for all of
the class; where the table says "each", it scored every hand itself. All that was compared was equal.

| Kongs | Hands | Compared | Scores by the single path | By arrays | By the reference |
|--:|--:|--:|--:|--:|--:|
"""
CODE = """
### For which code this holds

The evaluator that was compared has the digest `{digest}`. It is SHA-256 over what scores a hand under Club and Book: the modules that
are imported for it (`scoring/arrays.py` and of `scoring/evaluator/` what scoring uses), and these two rule books as they are read.
Any change of these files gives another digest, even that of a comment, and so does any change of what is read from `club.toml` and
`book.toml`. No change of another rule book does, nor of the modules that only read books and say what is wrong with one: none of them
runs while a hand is scored. `make exhaust OPTIONS=--code` lists the files and says whether they have changed since; so do the tests, as
a warning. The tables below hold for the code beside this page: the tests see to that.
"""
ELSE = """
How a hand was won changes its final score in one case: Nine Gates that is not concealed is no limit hand, and then 12 of its 27
hands score less. Self-drawn or discarded is all the same. This is not scored for every hand: the tests try each way for these 27,
for thirteen orphans and for every 997th hand without a kong (`tests/evaluator/test_exhaust.py`). In each run of the suite
they also score a fourth of these hands (`make thorough`: all of them) and some with kongs in all three ways again, and work
the tables below out anew.

## How many hands have which final score

Each hand is counted once, however often a wall would deal it. Two things can be: the winner's own wind prevails (4 of the
16 positions), or another one does (12). In each of the 4, and in each of the 12, the numbers are the same. The tables come
from the arrays, which score one hand of each class; where all hands were compared, what was counted then is the same.
"""
TABLE = """
### {title}

| Final score | Club, own wind prevails | Club, another | Book, own wind prevails | Book, another |
|--:|--:|--:|--:|--:|
"""
TITLES = {
    0: "Without a kong",
    1: "With one kong",
    2: "With two kongs",
    3: "With three kongs",
    4: "With four kongs",
}


class ComparedHands(NamedTuple):
    """How many of the hands with so many kongs were compared, and how many scores that took."""

    kongs: int
    compared: int
    hands: int
    single: int
    by_arrays: int
    by_reference: int
    one_by_one: bool  # whether the reference scored each hand


def write_page(rows: list[ComparedHands], tables: dict[int, Distribution], evaluator: str) -> None:
    """Write the page; ``evaluator`` is the digest of the code that was compared."""
    PAGE.write_text("".join(_page(rows, tables, evaluator)))


def _page(
    rows: list[ComparedHands], tables: dict[int, Distribution], evaluator: str
) -> Iterator[str]:
    yield BEGUN.format(plain=rows[0].hands - 13, kongs=sum(row.hands for row in rows[1:]))
    for row in rows:
        figures = [row.hands, row.compared, row.single, row.by_arrays, row.by_reference]
        cells = " | ".join(f"{figure:,}" for figure in figures)
        yield f"| {row.kongs} | {cells}{', each' if row.one_by_one else ''} |\n"
    yield CODE.format(digest=evaluator)
    yield ELSE
    for kongs, table in tables.items():
        yield TABLE.format(title=TITLES[kongs])
        columns = [table[rules, prevails] for rules in RULES for prevails in (True, False)]
        for final in sorted(set().union(*columns)):
            yield f"| {final} | {' | '.join(f'{column[final]:,}' for column in columns)} |\n"
        yield f"| all | {' | '.join(f'{column.total():,}' for column in columns)} |\n"


def digest_of_scoring(besides: Iterable[Path] = ()) -> str:
    """16 digits that are others as soon as something else scores a hand under Club and Book.

    :param besides: files that are to count, too.
    """
    found = scoring(ROOT)
    contents = b"".join(file.read_bytes() for file in (*found.files, *besides))
    return sha256(contents + found.books.encode()).hexdigest()[:16]


def state_of_page() -> tuple[bool, str]:
    """Whether the page holds for the code here, and a sentence about that."""
    here = digest_of_scoring()
    compared = re.search(r"has the digest `([0-9a-f]{16})`", PAGE.read_text())
    if compared is None:
        return False, f"{PAGE.name} does not say which evaluator was compared; that here is {here}."
    if compared[1] != here:
        sentence = (
            f"The evaluator has changed since {PAGE.name}: it was {compared[1]}, it is {here}."
        )
        return False, sentence
    return True, f"{PAGE.name} holds for the evaluator here, {here}."


def read_page() -> dict[int, Distribution]:
    """The tables of the page, by the number of kongs."""
    text = PAGE.read_text()
    tables = {}
    for kongs, title in TITLES.items():
        _before, _title, after = text.partition(f"### {title}\n")
        lines = re.findall(r"^\| (\d+) \| (.+) \|$", after.partition("###")[0], re.M)
        if lines:
            tables[kongs] = _table(lines)
    return tables


def _table(lines: list[tuple[str, str]]) -> Distribution:
    keys = [(rules, prevails) for rules in RULES for prevails in (True, False)]
    columns: Distribution = {key: Counter() for key in keys}
    for final, figures in lines:
        for key, figure in zip(keys, figures.replace(",", "").split(" | "), strict=True):
            if int(figure):
                columns[key][int(final)] = int(figure)
    return columns
