"""The floors of the house: a module imports only what lies below it, the evaluator only Python.

import-linter says the same in ``make lint``, with the way an import takes through other modules; this
reads the sources alone, so the two do not share their mistakes.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCORING = ROOT / "scoring"
# From the top down; the parts of one floor do not know each other.
FLOORS = (
    {"web", "api", "admin", "management", "templatetags"},
    {"club"},
    {"play"},
    {"league"},
    {"models"},
    {"words", "figures", "arrays"},
    {"evaluator"},
)
# What Django asks for by its name: an app, its migrations, its files, its catalogues.
FRAME = {"__init__", "apps", "locale", "migrations", "static"}
PARTS = sorted(set().union(*FLOORS))

# Every module of a package, imported in a Python without a single package from elsewhere.
IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module("scoring.evaluator")
for module in pkgutil.walk_packages(package.__path__, "scoring.evaluator."):
    importlib.import_module(module.name)
    print(module.name)
"""


def sources(part: str) -> list[Path]:
    return sorted((SCORING / part).rglob("*.py")) or [SCORING / f"{part}.py"]


def imported(path: Path, root: Path = ROOT) -> Iterator[str]:
    """The full names of what the module at ``path`` imports, wherever in it."""
    name = path.relative_to(root).with_suffix("").parts
    package = ".".join(name[:-1])
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def part_of(name: str) -> str | None:
    """The part of the house that ``name`` belongs to: "play" for scoring.play.record."""
    match name.split("."):
        case ["scoring", part, *_rest]:
            return part
    return None


def below(part: str) -> set[str]:
    floor = next(number for number, parts in enumerate(FLOORS) if part in parts)
    return set().union(*FLOORS[floor + 1 :])


@pytest.mark.parametrize("part", PARTS)
def test_a_module_imports_only_what_lies_below_it(part):
    allowed = below(part) | {part, None}
    astray = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(part)
        for name in imported(path)
        if part_of(name) not in allowed
    ]
    assert astray == []


def test_every_part_has_its_floor():
    found = {path.stem for path in SCORING.iterdir() if not path.name.startswith("__pycache__")}
    assert found - FRAME == set(PARTS)


def test_imports_are_read_whichever_way_they_are_written(tmp_path):
    module = tmp_path / "scoring" / "play" / "record.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "import scoring.web.urls as urls\n"
        "from scoring import club\n"
        "from ..league.standings import standings\n"
        "def act():\n"
        "    from . import once\n"
    )
    assert [part_of(name) for name in imported(module, tmp_path)] == [
        "web",
        "club",
        "league",
        "play",
    ]


def test_scoring_itself_stays_empty():
    # Whatever stood here would run, and import, before any module of any floor.
    assert (SCORING / "__init__.py").read_text() == ""


def test_the_evaluator_runs_on_python_alone():
    python = [
        sys.executable,
        "-I",
        "-S",
    ]  # -S: no site-packages, so neither Django nor anything else
    run = subprocess.run(
        [*python, "-c", IMPORT_ALL, str(ROOT)], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert "scoring.evaluator.scorecard" in run.stdout.split()
