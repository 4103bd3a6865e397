"""Hong Kong's book beside npm's hk-mahjong 3.2.0, on random hands; HANDS=50000 tries more.

The package comes from NODE_PATH if it is there, and else by npm from its registry, as
hk_mahjong/package-lock.json says. Where it cannot be had, the comparison is skipped.
"""

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.loader import from_data
from scoring.operations.cases import CaseReport, shaped
from scoring.operations.cases.shaped import Source, source_of
from tests.support.skips import cannot_run

FOLDER = Path(__file__).parent / "hk_mahjong"
SECONDS = 120
MANY = max(5000, int(os.environ.get("HANDS", "0")))
PACKAGE = "hk-mahjong (npm)"
VERSION = "3.2.0"

# What published lists decide otherwise than the package: the patterns, and when it gives them.
NINE_GATES = " and ".join(
    f"tiles(rank == {rank}) >= {3 if rank in (1, 9) else 1}" for rank in range(1, 10)
)
DIFFERENCES = {
    "a concealed kong ends the concealed hand": ("concealed_hand", "claimed_nothing"),
    "a concealed kong is a concealed pung": (
        "four_concealed_pungs",
        "drawn and triplets == 4 and kongs == 0 and open_sets == 0",
    ),
    "nine gates are concealed, and called": (
        "nine_gates",
        f"suits == 1 and honors == 0 and {NINE_GATES}",
    ),
}

HONORS = ("E", "S", "W", "N", "R", "G", "Wh")
TILES = (*(f"{rank}{suit}" for suit in "BCD" for rank in range(1, 10)), *HONORS)
SUIT = tuple(f"{rank}B" for rank in range(1, 10))
ENDS = tuple(code for code in TILES if code[0] in "19")
POOLS = (TILES, TILES, TILES, SUIT, SUIT + HONORS, HONORS, ENDS, ENDS + HONORS, HONORS + SUIT[3:6])
BONUS = tuple(f"{letter}{number}" for letter in "FY" for number in (1, 2, 3, 4))
ORPHANS = (*ENDS, *HONORS)
GATES = (*("1B",) * 3, *SUIT[1:8], *("9B",) * 3)

Case = dict[str, Any]


@pytest.fixture(scope="module")
def hk_mahjong(tmp_path_factory):
    """Asks the package: cases to what it expects of each."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None:
        cannot_run("Node runs hk-mahjong. On Debian: apt install nodejs npm")
    environment = dict(os.environ)
    if not _has_package(node, environment):
        folder = tmp_path_factory.mktemp("hk_mahjong")
        for name in ("package.json", "package-lock.json"):
            shutil.copy(FOLDER / name, folder)
        if npm is None or not _installed(npm, folder):
            cannot_run(
                "hk-mahjong is not here. npm install hk-mahjong@3.2.0, and name its folder in NODE_PATH"
            )
        environment["NODE_PATH"] = str(folder / "node_modules")

    def ask(cases: list[Case]) -> list[Case]:
        done = subprocess.run(
            [node, str(FOLDER / "best_reading.cjs")],
            input=json.dumps(cases), env=environment,
            capture_output=True, text=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def _has_package(node: str, environment: dict[str, str]) -> bool:
    script = "process.stdout.write(require('hk-mahjong/package.json').version)"
    done = subprocess.run(
        [node, "-e", script], env=environment, cwd="/",
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    return done.stdout == VERSION


def _installed(npm: str, folder: Path) -> bool:
    done = subprocess.run(
        [npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"],
        cwd=folder, capture_output=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    return done.returncode == 0


# --- random hands -------------------------------------------------------------------------------------


def random_case(number: int) -> Case:
    """A hand that wins, but for one in thirty; the same each time."""
    rng = Random(number)
    melds, tiles = _drawn_tiles(rng)
    if rng.random() < 1 / 30:
        there = {*tiles, *(code for meld in melds for code in meld["tiles"])}
        tiles[rng.randrange(len(tiles))] = rng.choice([one for one in TILES if one not in there])
    seat, last = rng.choice("ESWN"), rng.choice(tiles)
    alone = [*tiles, *(code for meld in melds for code in meld["tiles"])].count(last) == 1
    return {
        "id": str(number),
        "ruleset": "hk",
        "tiles": tiles,
        "melds": melds,
        "bonus": rng.sample(BONUS, rng.choice([0, 0, 1, 2, 4, 6])),
        "winning_tile": last,
        "won_by": rng.choice(list(_ways_to_win(melds, seat, alone=alone))),
        "seat": seat,
        "prevailing": rng.choice("ESWN"),
        "flags": [],
    }


def _drawn_tiles(rng: Random) -> tuple[list[Case], list[str]]:
    kind = rng.random()
    if kind < 0.02:
        return [], [*ORPHANS, rng.choice(ORPHANS)]
    if kind < 0.04:
        return [], [*GATES, rng.choice(SUIT)]
    while True:
        sets = _sets(rng)
        codes = [code for one in sets for code in one]
        if max(codes.count(code) for code in codes) <= 4:
            break
    melds, tiles = [], list(sets.pop())
    claims = rng.choice([0, 0, 0.5, 1])
    for one in sets:
        kong, claimed = len(one) == 4, rng.random() < claims
        if kong or claimed:
            name = "kong" if kong else "pung" if len(set(one)) == 1 else "chow"
            melds.append({"kind": name, "tiles": list(one), "concealed": kong and not claimed})
        else:
            tiles += one
    return melds, tiles


def _sets(rng: Random) -> list[tuple[str, ...]]:
    """Four sets, then a pair."""
    pool, weights = (
        rng.choice(POOLS),
        rng.choice([(5, 3, 1), (0, 5, 1), (1, 0, 0), (1, 1, 5), (0, 0, 1)]),
    )
    starts = [
        code for code in pool if code[0] in "1234567" and f"{int(code[0]) + 2}{code[1]}" in pool
    ]
    sets: list[tuple[str, ...]] = []
    for kind in rng.choices(("chow", "pung", "kong"), weights, k=4):
        if kind == "chow" and starts:
            start = rng.choice(starts)
            sets.append(tuple(f"{int(start[0]) + step}{start[1]}" for step in range(3)))
        else:
            sets.append((rng.choice(pool),) * (4 if kind == "kong" else 3))
    return [*sets, (rng.choice(pool),) * 2]


def _ways_to_win(melds: list[Case], seat: str, *, alone: bool) -> Iterator[str]:
    kongs = sum(meld["kind"] == "kong" for meld in melds)
    yield from ("self_drawn", "discard") * 4
    yield from ("last_tile", "last_discard")
    if alone:
        yield "robbing_kong"
    if kongs:
        yield from ("replacement",) * 3
    if kongs >= 2:
        yield "kong_on_kong"
    if not melds:
        yield "heaven" if seat == "E" else "earth_discard"


# --- the comparison -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cases(hk_mahjong) -> list[Case]:
    asked = [random_case(number) for number in range(MANY)]
    answers = hk_mahjong(asked)
    return [{**case, "expect": answer} for case, answer in zip(asked, answers, strict=True)]


def compared(cases: list[Case], book: Book) -> CaseReport:
    source = replace(source_of(PACKAGE, "hk"), book=book)
    report = CaseReport()
    for case in cases:
        shaped.compare(report, Path("random"), case, source)
    return report


def as_the_package(*names: str) -> Book:
    """The package's values, and of the differences of these names what it says."""
    overlay = tomllib.loads((Path(shaped.__file__).parent / "hk_mahjong.toml").read_text())
    for pattern, when in (DIFFERENCES[name] for name in names):
        entry = next((one for one in overlay["pattern"] if one["id"] == pattern), None)
        if entry is None:
            overlay["pattern"].append(entry := {"id": pattern})
        entry["when"] = when
    return from_data(overlay)


def test_a_hand_by_the_book_is_worth_what_its_best_reading_is(cases):
    report = compared(cases, as_the_package(*DIFFERENCES))
    assert report.differ == []
    assert report.agree == len(cases)


@pytest.mark.thorough
@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_difference_changes_a_hand(cases, name):
    assert compared(cases, as_the_package(*(set(DIFFERENCES) - {name}))).differ


def test_hands_have_every_pattern(cases):
    source: Source = source_of(PACKAGE, "hk")
    found = {one["id"] for case in cases for one in case["expect"]["patterns"] or ()}
    rest = {"man", "seven_bonus_tiles", "eight_bonus_tiles"}
    names = {source.ids.get(pattern.id, pattern.id) for pattern in source.book.patterns}
    assert found == names - rest
    assert any(not case["expect"]["winning"] for case in cases)
