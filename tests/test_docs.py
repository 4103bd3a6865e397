"""The docs stay true: links lead somewhere, and the files and functions that they name are there."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from scoring.models import Payment
from tests.factories import BOOK_HAND, make_game, make_member

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"")
# In backticks: a path of this repository, without a place to fill in and without what is made later.
PATH = re.compile(r"`((?:scoring|mahjong_site|templates|tests|docs)/[\w./-]+)`")
# A row of a walk: | step | `file` | `function`, `another` | what it does |
STEP = re.compile(r"^\| \d+ \| `([^`]+)` \| (`[^|]+) \|", re.MULTILINE)
LARGEST = 150 * 1024  # bytes of a picture


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("document", PAGES, ids=name_of)
def test_links_and_paths_of_a_document_exist(document):
    text = document.read_text()
    links = ["".join(found) for found in LINK.findall(text)]
    missing = [link for link in links if not (document.parent / link).exists()]
    missing += [path for path in PATH.findall(text) if not (ROOT / path).exists()]
    assert missing == []


def test_every_page_of_docs_is_in_the_index():
    linked = {
        (ROOT / "docs" / "".join(found)).resolve()
        for found in LINK.findall((ROOT / "docs" / "index.md").read_text())
    }
    pages = {page for page in PAGES if page.is_relative_to(ROOT / "docs")}
    assert pages - linked == {ROOT / "docs" / "index.md"}


def steps_of_the_walks() -> list[tuple[str, str]]:
    return STEP.findall((ROOT / "docs" / "architecture.md").read_text())


def test_the_walks_name_functions_that_exist():
    steps = steps_of_the_walks()
    missing = [
        f"{file}: {name}"
        for file, names in steps
        for name in re.findall(r"`(\w+)`", names)
        if not re.search(rf"^ *(?:def|class) {name}\b", (ROOT / file).read_text(), re.MULTILINE)
    ]
    assert (len(steps) > 15, missing) == (True, [])


@pytest.mark.django_db
def test_a_hand_walks_through_ten_modules_and_never_back_up(client):
    game = make_game()
    client.force_login(make_member(player=game.players[0]))
    entry = {"number": 1, "winner": game.players[1].pk, "discarder": game.players[0].pk}
    client.get(f"/games/{game.pk}/")  # imports what the first request of a process imports
    with modules_entered() as entered:
        client.post(f"/games/{game.pk}/hands/", {**entry, "key": "k", "tiles": BOOK_HAND})
    assert Payment.objects.count() == 4
    walk = [file for file, _names in steps_of_the_walks()][:10]
    assert walk[-1] == "scoring/evaluator/table.py"
    assert set(walk) - entered == set()
    layers = ["web", "services", "models", "evaluator"]
    depths = [layers.index(file.split("/")[1]) for file in walk]
    assert depths == sorted(depths)


@contextmanager
def modules_entered() -> Iterator[set[str]]:
    """The files, from the root, of which a function is called."""
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(f"{ROOT}/scoring/"):
            entered.add(frame.f_code.co_filename.removeprefix(f"{ROOT}/"))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield entered
    finally:
        sys.setprofile(before)


def test_make_targets_that_the_docs_name_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE)
    }
    assert named - targets == set()


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "pictures").iterdir())
    assert [picture.name for picture in pictures if picture.stat().st_size > LARGEST] == []
    assert len(pictures) == 2
