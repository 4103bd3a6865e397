"""No name in the code has one of ``WORDS``: the glossary, or the thing itself, has a better one for each.

``said`` and ``told`` say how a value came, not what it is: call it by the thing that it is.
The name of a test is a sentence with a subject: it is read in a list, without its class. It stands in one
module only, so that ``-k`` picks that one.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = {"said", "told", "unsaid", "untold", "tray", "reckon", "glance", "corridor"}
WORDS |= {"mend", "mends", "mended", "mending", "mendable"}
# Names that programs and phones have kept, each with why it stays.
KEPT = {
    "scoring/api/hands/history_serializers.py": {"said"},  # a field of the API
    "scoring/static/scoring/queue/upgrade.js": {"said"},  # what phones stored at the first release
    "tests/scripts/queue.test.mjs": {"said"},  # the same
}
# Classes whose name Django gives: that of a command is the name of its file.
SHARED = {"Command"}
# The model of a row and the evaluator's value, which say the same idea in two layers.
TWICE = {"Hand", "RuleSet", "Wind"}
# A name that begins so leans on its class, or on the test before it.
LEANING = re.compile(
    r"test_(and|or|but|nor|so|yet|too(?!_many)|also|either|because"
    r"|it|its|they|them|their|he|she|we|this|that|these|those"
    r"|is|are|was|were|has|have|had)_"
)
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
STRING_OR_COMMENT = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""", re.S
)


def files(*endings: str) -> list[str]:
    paths = (
        path.relative_to(ROOT)
        for folder in ("scoring", "mahjong_site", "tests")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in endings
    )
    return [str(path) for path in paths if "migrations" not in path.parts]


def names_in_python(text: str) -> Iterator[str]:
    """What is bound: variables, parameters, attributes, functions that are no tests, classes."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.arg(arg=name) | ast.ClassDef(name=name):
                yield name
            case ast.FunctionDef(name=name) if not name.startswith("test_"):
                yield name


def names_in_scripts(text: str) -> Iterator[str]:
    yield from re.findall(r"[A-Za-z_$][\w$]*", STRING_OR_COMMENT.sub(" ", text))


def wrong(names_in: Callable[[str], Iterator[str]], *endings: str) -> dict[str, set[str]]:
    """The forbidden names by file."""
    by_file = {
        file: forbidden(names_in((ROOT / file).read_text())) - KEPT.get(file, set())
        for file in files(*endings)
    }
    return {file: names for file, names in by_file.items() if names}


def forbidden(names: Iterator[str]) -> set[str]:
    return {name for name in names if WORDS & {part.lower() for part in PARTS.findall(name)}}


def classes(text: str) -> Iterator[str]:
    """Those of a module itself: a class inside another has its name before it."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name not in SHARED:
            yield node.name


def names_of_tests(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def leaning(names: Iterator[str]) -> set[str]:
    return {name for name in names if LEANING.match(name)}


def test_python_has_no_name_that_only_this_project_would_use():
    assert wrong(names_in_python, ".py") == {}


def test_scripts_have_no_name_that_only_this_project_would_use():
    assert wrong(names_in_scripts, ".js", ".mjs") == {}


def test_a_part_of_a_name_counts():
    names = names_in_python("said_of = 1\ndef by(whatIsSaid): wait_until_told = said()\n")
    assert forbidden(names) == {"said_of", "whatIsSaid", "wait_until_told"}
    assert forbidden(names_in_scripts("const said = `said`; // said")) == {"said"}


def test_no_two_classes_have_one_name():
    where: dict[str, list[str]] = {}
    for file in files(".py"):
        if not file.startswith("tests/"):
            for name in classes((ROOT / file).read_text()):
                where.setdefault(name, []).append(file)
    assert {name for name, files in where.items() if len(files) > 1} == TWICE


def test_names_of_tests_have_a_subject_of_their_own():
    by_file = {
        file: leaning(names_of_tests((ROOT / file).read_text()))
        for file in files(".py")
        if file.startswith("tests/")
    }
    assert {file: names for file, names in by_file.items() if names} == {}


def modules_by_test() -> dict[str, set[str]]:
    """The modules that have a test of each name."""
    where: dict[str, set[str]] = {}
    for file in files(".py"):
        if file.startswith("tests/"):
            for name in names_of_tests((ROOT / file).read_text()):
                where.setdefault(name, set()).add(file)
    return where


def test_no_two_modules_have_a_test_of_one_name():
    several = {name: modules for name, modules in modules_by_test().items() if len(modules) > 1}
    assert several == {}


def test_a_name_of_a_test_that_begins_with_a_pronoun_is_refused():
    text = "class TestUndo:\n def test_it_is_late(): ...\n def test_items_count(): ...\n"
    assert leaning(names_of_tests(text)) == {"test_it_is_late"}
