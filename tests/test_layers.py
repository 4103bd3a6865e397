"""The layers: a module imports only what lies below it, and the evaluator only Python.

import-linter says the same in ``make lint``, with the way an import takes through other modules; this
reads the sources alone, so the two do not share their mistakes.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCORING = ROOT / "scoring"
# From the top down; the packages of one layer do not import each other.
LAYERS = (
    {"web", "api", "admin", "management", "templatetags"},
    {"demo"},
    {"operations"},
    {"services", "queries"},
    {"story"},
    {"models"},
    {"circumstances"},
    {"translation", "figures", "typed_numbers", "arrays", "variants", "site"},
    {"evaluator"},
)
# Of the subjects, what the others may use: drafts of who was signed out, cached files.
SHARED = {"account", "offline"}
# What Django asks for by its name: an app, its migrations, its files, its catalogues.
FRAME = {"__init__", "apps", "locale", "migrations", "static"}
PACKAGES = sorted(set().union(*LAYERS))
# Of templates/, what is no subject of the pages: pieces of several subjects, the desk, the API …
OTHER_TEMPLATES = {"components", "admin", "api"}
# … and what Django and allauth ask for by its name.
OTHER_TEMPLATES |= {"registration", "allauth", "mfa", "socialaccount", "usersessions"}

# Every module of a package, imported in a Python without a single package from elsewhere.
IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
package = importlib.import_module("scoring.evaluator")
for module in pkgutil.walk_packages(package.__path__, "scoring.evaluator."):
    importlib.import_module(module.name)
    print(module.name)
"""


def sources(package: str) -> list[Path]:
    return sorted((SCORING / package).rglob("*.py")) or [SCORING / f"{package}.py"]


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


def package_of(name: str) -> str | None:
    """The package of ``scoring`` that ``name`` belongs to: "services" for scoring.services.hands.record."""
    match name.split("."):
        case ["scoring", package, *_rest]:
            return package
    return None


def below(package: str) -> set[str]:
    layer = next(number for number, packages in enumerate(LAYERS) if package in packages)
    return set().union(*LAYERS[layer + 1 :])


@pytest.mark.parametrize("package", PACKAGES)
def test_a_module_imports_only_what_lies_below_it(package):
    allowed = below(package) | {package, None}
    astray = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(package)
        for name in imported(path)
        if package_of(name) not in allowed
    ]
    assert astray == []


def test_the_subjects_of_the_web_pages_do_not_import_each_other():
    subjects = subjects_of_the_web_pages() - SHARED
    astray = [
        f"{path.relative_to(ROOT)} imports {name}"
        for subject in subjects
        for path in sources(f"web/{subject}")
        for name in imported(path)
        if subject_of(name) in subjects - {subject}
    ]
    assert astray == []


def subjects_of_the_web_pages() -> set[str]:
    folders = {path.name for path in (SCORING / "web").iterdir() if path.is_dir()}
    return folders - {"shared", "__pycache__"}


def test_each_folder_of_templates_is_a_subject():
    folders = {path.name for path in (ROOT / "templates").iterdir() if path.is_dir()}
    assert folders - OTHER_TEMPLATES - subjects_of_the_web_pages() == set()


def test_a_view_renders_templates_of_its_own_subject():
    astray = [
        f"{path.relative_to(ROOT)} renders {folder}/{file}"
        for subject in subjects_of_the_web_pages()
        for path in sources(f"web/{subject}")
        for folder, file in re.findall(r"\"(\w+)/(\w+\.html)\"", path.read_text())
        if folder not in {subject, "components"}
    ]
    assert astray == []


def subject_of(name: str) -> str | None:
    """The folder of ``scoring.web`` that ``name`` belongs to: "table" for scoring.web.table.views."""
    match name.split("."):
        case ["scoring", "web", subject, *_rest]:
            return subject
    return None


def test_the_app_knows_nothing_of_the_site_that_it_is_in():
    modules = [path for path in SCORING.rglob("*.py") if "migrations" not in path.parts]
    astray = [path for path in modules if any(map(of_the_site, imported(path)))]
    assert astray == []


def of_the_site(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] == "mahjong_site"


def module_at(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_modules_import_each_other_in_a_ring():
    """Also not inside a function, nor for type checkers only: that hides a ring and leaves it there."""
    modules = {module_at(path): path for path in SCORING.rglob("*.py")}
    imports = {
        name: {
            one if one in modules else one.rpartition(".")[0]
            for one in imported(path)
            if one.startswith("scoring.")
        }
        - {name}
        for name, path in modules.items()
    }
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_every_package_has_its_layer():
    packages = {path.stem for path in SCORING.iterdir() if not path.name.startswith("__pycache__")}
    assert packages - FRAME == set(PACKAGES)


def test_imports_are_read_whichever_way_they_are_written(tmp_path):
    module = tmp_path / "scoring" / "services" / "record.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "import scoring.web.urls as urls\n"
        "from scoring import demo\n"
        "from ..queries.standings import standings\n"
        "def act():\n"
        "    from . import idempotency\n"
    )
    assert [package_of(name) for name in imported(module, tmp_path)] == [
        "web",
        "demo",
        "queries",
        "services",
    ]


def test_scoring_itself_stays_empty():
    # Whatever stood here would run, and import, before any module of any layer.
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
