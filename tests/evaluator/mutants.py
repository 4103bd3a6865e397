"""How many small mistakes in the evaluator the tests would notice: ``make mutants``, half a day.

    python -m tests.evaluator.mutants [--every 10] [scoring.evaluator.why.*] …

mutmut makes the mistakes, one to a mutant. Each is tried here in a copy of the project and a process
of its own: mutmut's own runner forks one that has imported the evaluator and filled its caches, so the
registry, the tables of sets and whatever is remembered would be broken too late to be noticed. And its
``apply`` takes the first method of a name, whichever the class.
"""

import ast
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory

from rich.progress import track

MUTMUT = str(Path(sys.executable).with_name("mutmut"))
CODE = Path("scoring/evaluator")
COPIED = ("scoring", "tests", "docs", "pyproject.toml")
# Hypothesis tries the same examples each time, however slow the machine is.
ALONE = (
    "--noconftest -p no:cacheprovider -p _hypothesis_pytestplugin --hypothesis-profile=ci "
    "-o DJANGO_SETTINGS_MODULE= -o addopts=--import-mode=importlib -o filterwarnings="
)
# Most mistakes are noticed in a second; the tests that take long come last, or not at all.
LONG = ("test_why", "test_against_reference", "test_properties")
LONGEST = 120  # seconds of the processor, also on a busy machine; the tests take about 30
LIMITED = ("sh", "-c", f'ulimit -t {LONGEST}; exec "$@"', "-")
Fate = tuple[str, str]


def main(patterns: list[str], every: int = 1) -> int:
    """Try each mutant whose name fits one of ``patterns``, or one in ``every`` of them."""
    mutants = [name for name in _made() if not patterns or _any(name, patterns)][::every]
    workers = os.cpu_count() or 1
    with TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        places: Queue[Path] = Queue()
        for number in range(workers):
            places.put(_copied(Path(folder, str(number))))
        if _fate(Path(folder, "0")) != "not noticed":
            sys.stdout.write("The tests fail with nothing broken: make test says more.\n")
            return 1
        tried = pool.map(partial(_tried, places), mutants)
        fates = dict(track(_written(tried), "Trying mistakes", total=len(mutants)))
    counted = Counter(fates.values())
    noticed = counted["noticed"] + counted["never ends"]
    share = noticed / len(fates) if fates else 1
    sys.stdout.write(f"{noticed} of {len(fates)} noticed: {share:.1%}. {dict(counted)}\n")
    return 0


def _made() -> list[str]:
    """The names of all mutants. mutmut insists on trying one itself."""
    one = "scoring.evaluator.payments.x_settle__mutmut_1"
    subprocess.run([MUTMUT, "run", one], check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.run(
        [MUTMUT, "results", "--all", "true"], check=True, capture_output=True, text=True
    )
    return [line.strip().split(": ")[0] for line in listed.stdout.splitlines() if ": " in line]


def _any(name: str, patterns: list[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def _copied(place: Path) -> Path:
    place.mkdir()
    for name in COPIED:
        copy = shutil.copytree if Path(name).is_dir() else shutil.copy
        copy(name, place / name)
    return place


def _written(fates: Iterator[Fate]) -> Iterator[Fate]:
    """Each that is not noticed is told at once."""
    for name, fate in fates:
        if fate != "noticed":
            sys.stdout.write(f"{name}: {fate}\n")
            sys.stdout.flush()
        yield name, fate


def _tried(places: "Queue[Path]", mutant: str) -> Fate:
    place = places.get()
    try:
        _break(place, mutant)
        return mutant, _fate(place)
    finally:
        # Python tells what it compiled by second and size: two mistakes can have both.
        shutil.rmtree(place / CODE)
        shutil.copytree(CODE, place / CODE, ignore=shutil.ignore_patterns("__pycache__"))
        places.put(place)


def _break(place: Path, mutant: str) -> None:
    """Put a mutant, say ``….hand.xǁHandǁ_hold__mutmut_19``, in the place of its function."""
    module, _, mangled = mutant.rpartition(".")
    file = Path(*module.split(".")).with_suffix(".py")
    written = mangled.rpartition("__mutmut_")[0]
    owner, name = written.split("ǁ")[1:] if "ǁ" in written else ("", written.removeprefix("x_"))
    mutants, text = Path("mutants", file).read_text(), (place / file).read_text()
    broken, lines = mutants.splitlines()[_where(mutants, mangled)], text.splitlines()
    broken[0] = broken[0].replace(mangled, name)
    lines[_where(text, name, owner)] = broken
    (place / file).write_text("\n".join([*lines, ""]))


def _where(text: str, name: str, owner: str | None = None) -> slice:
    """The lines of a function without its decorators: of the class ``owner``, of none, or of any."""
    for scope in ast.walk(ast.parse(text)):
        if owner in (None, getattr(scope, "name", "")):
            for node in ast.iter_child_nodes(scope):
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    return slice(node.lineno - 1, node.end_lineno)
    raise LookupError(name)


def _fate(place: Path) -> str:
    tests = sorted(map(str, Path("tests/evaluator").rglob("test_*.py")), key=_how_long)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", *ALONE.split(), *tests]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run = subprocess.run(
        [*LIMITED, *command], cwd=place, env=environment, capture_output=True, check=False
    )
    if run.returncode < 0:  # ended by the limit
        return "never ends"
    return "noticed" if run.returncode else "not noticed"


def _how_long(test: str) -> int:
    name = Path(test).stem
    return LONG.index(name) + 1 if name in LONG else 0


if __name__ == "__main__":
    parser = ArgumentParser(description="Try small mistakes in the evaluator.")
    parser.add_argument("patterns", nargs="*", help="names of mutants, with *; without: all")
    parser.add_argument("--every", type=int, default=1, help="try one in so many")
    sys.exit(main(**vars(parser.parse_args())))
