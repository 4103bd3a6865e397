"""The docs stay true: links lead somewhere, and the files and functions that they name are there."""

import re
from pathlib import Path

import pytest

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


def test_the_walk_of_a_hand_names_functions_that_exist():
    steps = STEP.findall((ROOT / "docs" / "architecture.md").read_text())
    missing = [
        f"{file}: {name}"
        for file, names in steps
        for name in re.findall(r"`(\w+)`", names)
        if not re.search(rf"^ *(?:def|class) {name}\b", (ROOT / file).read_text(), re.MULTILINE)
    ]
    assert (len(steps) > 20, missing) == (True, [])


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
