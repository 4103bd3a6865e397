"""The docs stay true: links lead somewhere, and the files and functions that they name are there."""

import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from django.apps import apps
from django.db.models import QuerySet
from django.test import Client

from scoring.models import Payment
from tests.factories import BOOK_HAND, make_game, make_member
from tests.support.english import english_sentences

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"")
# In backticks: a path of this repository, without a place to fill in and without what is made later.
PATH = re.compile(r"`((?:scoring|mahjong_site|templates|tests|docs)/[\w./-]+)`")
# What stands behind a path in the same sentence, up to the next path; and `name` in `path`.
AFTER_PATH = re.compile(PATH.pattern + r"((?:[^`.;()]|\.(?!\s)|`[^`/]+`)*)")
NAME_IN_PATH = re.compile(r"`([A-Za-z_]\w+)` (?:in|of) " + PATH.pattern)
NAME = re.compile(r"`([A-Za-z_]\w+)`(?! (?:in|of) $)")
# A row of a walk: | step | `file` | `function`, `another` | what it does |
STEP = re.compile(r"^\| \d+ \| `([^`]+)` \| (`[^|]+) \|", re.MULTILINE)
# The layers that a hand walks through, from above.
LAYERS = ("web", "services", "models", "evaluator")
# Modules outside the evaluator that a hand may walk through.
LONGEST_WALK = 10
AS_LISTED: dict[str, set[str]] = {"not listed": set(), "not called": set()}
LARGEST = 150 * 1024  # bytes of a picture


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("document", PAGES, ids=name_of)
def test_links_and_paths_of_a_document_exist(document):
    text = document.read_text()
    links = ["".join(matches) for matches in LINK.findall(text)]
    missing = [link for link in links if not (document.parent / link).exists()]
    missing += [path for path in PATH.findall(text) if not (ROOT / path).exists()]
    assert missing == []


# Django's own, which here only make what this project needs besides.
OF_DJANGO = {"makemessages", "compilemessages"}


def test_every_command_has_a_row():
    rows = re.findall(r"^\| (.*?) \|", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    commands = {path.stem for path in (ROOT / "scoring/management/commands").glob("[a-z]*.py")}
    assert commands - OF_DJANGO - listed == set()


def names_of_recipes(text: str) -> list[tuple[str, str]]:
    """Each path of the recipes with a name in backticks that stands behind it, or ``name`` in ``path``."""
    steps = re.sub(r"\n(?=\n|\d+\. )", " ; ", text.partition("## Recipes")[2])
    line = re.sub(r"\s+", " ", steps)
    behind = [
        (path, name) for path, rest in AFTER_PATH.findall(line) for name in NAME.findall(rest)
    ]
    return behind + [(path, name) for name, path in NAME_IN_PATH.findall(line)]


def text_at(path: Path) -> str:
    """What a file says, or all modules of a folder."""
    return "".join(file.read_text() for file in ([path] if path.is_file() else path.rglob("*.py")))


def test_names_of_a_recipe_occur_in_the_file_beside_them():
    names = names_of_recipes((ROOT / "CONTRIBUTING.md").read_text())
    missing = [
        f"{path}: {name}"
        for path, name in names
        if not re.search(rf"\b{name}\b", text_at(ROOT / path))
    ]
    assert (len(names) > 40, missing) == (True, [])


def test_a_recipe_with_a_wrong_name_is_found():
    text = "## Recipes\n1. `scoring/a.py`: a field\nof `One`, `_two` in `scoring/b.py`. `three`\n"
    assert names_of_recipes(text) == [("scoring/a.py", "One"), ("scoring/b.py", "_two")]


def test_every_folder_of_operations_is_in_its_row():
    text = (ROOT / "docs" / "architecture.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith("| `scoring/operations/`"))
    folders = {path.parent.name for path in (ROOT / "scoring/operations").glob("*/__init__.py")}
    assert folders - set(re.findall(r"`(\w+)`", row)) == set()


def test_the_drawing_has_every_layer_that_lint_checks():
    text = (ROOT / "docs" / "architecture.md").read_text()
    drawing = text.partition("```text")[2].partition("```")[0]
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(
        rule["layers"] for rule in lint["contracts"] if rule.get("containers") == ["scoring"]
    )
    packages = set(" | ".join(layers).split(" | "))
    assert packages - set(re.findall(r"\w+", drawing)) == set()


def test_the_version_is_the_newest_one_of_the_changelog():
    versions = re.findall(r"^## (\d[\d.]*), ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == versions[0]


def test_each_release_of_the_changelog_has_one_heading_of_a_kind():
    releases = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    for release in releases:
        headings = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert sorted(set(headings)) == sorted(headings), release.partition("\n")[0]


def test_every_page_of_docs_is_in_the_index():
    linked = {
        (ROOT / "docs" / "".join(matches)).resolve()
        for matches in LINK.findall((ROOT / "docs" / "index.md").read_text())
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
def test_the_walk_of_a_hand_names_every_module_outside_the_evaluator(client):
    calls = calls_until_a_hand_is_stored(client)
    entered = {called for _caller, called in calls if layer_of(called) != "evaluator"}
    listed = set(walk_of_a_hand("Outside the evaluator"))
    assert {"not listed": entered - listed, "not called": listed - entered} == AS_LISTED
    assert len(listed) <= LONGEST_WALK


@pytest.mark.django_db
def test_the_walk_of_a_hand_names_what_calls_into_the_evaluator(client):
    calls = calls_until_a_hand_is_stored(client)
    asked = {
        called
        for caller, called in calls
        if layer_of(called) == "evaluator" and layer_of(caller) != "evaluator"
    }
    listed = set(walk_of_a_hand("Into the evaluator"))
    assert {"not listed": asked - listed, "not called": listed - asked} == AS_LISTED


@pytest.mark.django_db
def test_no_call_on_the_walk_of_a_hand_goes_up_a_layer(client):
    calls = calls_until_a_hand_is_stored(client)
    assert {layer_of(called) for _caller, called in calls} == set(LAYERS)
    up = [
        f"{caller} calls {called}"
        for caller, called in calls
        if LAYERS.index(layer_of(caller)) > LAYERS.index(layer_of(called))
    ]
    assert up == []


def walk_of_a_hand(table: str) -> list[str]:
    """The files that the table of the walk lists whose heading begins with ``table``."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    walk = text.partition("## The walk of one hand")[2].partition("\n## ")[0]
    rows = walk.partition(f"| {table}")[2].partition("\n\n")[0]
    return re.findall(r"`(scoring/[\w/]+\.py)` \|", rows)


def layer_of(file: str) -> str:
    return file.split("/")[1]


def calls_until_a_hand_is_stored(client: Client) -> set[tuple[str, str]]:
    """Who calls whom in scoring/, from the POST of a hand until its four payments are stored.

    Each pair is the file of a function and of the nearest function of scoring/ above it, or of the
    same file if there is none.
    """
    game = make_game()
    client.force_login(make_member(player=game.players[0]))
    entry = {"winner": game.players[1].pk, "discarder": game.players[0].pk, "tiles": BOOK_HAND}
    address = f"/games/{game.pk}/hands/"
    client.get(f"/games/{game.pk}/")  # imports what the first request of a process imports
    client.post(address, {**entry, "number": 1, "key": "first"})
    with calls_of_scoring() as calls:
        client.post(address, {**entry, "number": 2, "key": "second"})
    assert Payment.objects.count() == 8
    return calls


@contextmanager
def calls_of_scoring() -> Iterator[set[tuple[str, str]]]:
    """The calls between functions of scoring/, from the view until payments are stored; each is a pair of files."""
    calls: set[tuple[str, str]] = set()
    begun = stored = False

    def note(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal begun, stored
        if event == "return" and frame.f_code is QuerySet.bulk_create.__code__:
            stored = stored or frame.f_locals["self"].model is Payment
        called = file_in_scoring(frame)
        # Before its view, a request of any page goes through the middleware.
        begun = begun or (called or "").startswith("scoring/web/")
        if event != "call" or not begun or stored or called is None:
            return
        above = frame.f_back
        while above is not None and file_in_scoring(above) is None:
            above = above.f_back
        calls.add((called if above is None else file_in_scoring(above) or called, called))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)


def file_in_scoring(frame: FrameType) -> str | None:
    """The file of ``frame`` from the root, if it is in scoring/."""
    file = frame.f_code.co_filename
    return file.removeprefix(f"{ROOT}/") if file.startswith(f"{ROOT}/scoring/") else None


def test_make_targets_that_the_docs_name_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:`|^    )make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE)
    }
    assert named - targets == set()


def test_pictures_are_small():
    pictures = list((ROOT / "docs" / "pictures").glob("*.webp"))
    assert [picture.name for picture in pictures if picture.stat().st_size > LARGEST] == []
    assert len(pictures) == 2


def test_the_site_still_says_what_its_pictures_show():
    shown = (ROOT / "docs" / "pictures" / "sentences.txt").read_text("utf-8").splitlines()
    old = set(shown) - english_sentences()
    assert old == set(), "The words have changed: take the pictures anew, make pictures."
    assert "Save" in shown


def test_every_table_is_named_among_the_data():
    text = (ROOT / "docs/architecture.md").read_text().partition("## The data")[2]
    rows = "".join(line for line in text.splitlines() if line.startswith("| `"))
    models = {model.__name__ for model in apps.get_app_config("scoring").get_models()}
    assert models - set(re.findall(r"`(\w+)`", rows)) == set()
