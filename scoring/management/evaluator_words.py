"""Everything that the evaluator and the variants say, for the catalogues: templates of sentences, and names.

They import no gettext, so their templates are read from its source: what is given to ``Text``,
``Text.of`` and ``refuse``.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from scoring import evaluator, variants
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.meanings import meanings
from scoring.evaluator.books.vocabulary import BESIDE
from scoring.evaluator.notation import NUMBERS
from scoring.evaluator.rules import BY_ID, OPTIONS
from scoring.evaluator.tiles import TILES, WINDS
from scoring.services.rulesets import DESCRIPTIONS

FOLDERS = (Path(evaluator.__file__).parent, Path(variants.__file__).parent)
# Which argument of a call is the template.
PLACES = {"Text": 0, "of": 0, "refuse": 2}
# Where templates are passed on, not made.
PASSED_ON = ("text.py", "problems.py")
KINDS = (
    "Pung",
    "Kong",
    "Chow",
    "Pair",
    "Single",
    "Knitted",
    "Knitted pair",
    "four",
    "three",
    "sequence",
    "pair",
)
HANDS = ("winning", "waiting")


def words() -> list[str]:
    """Every template and every name, once, in alphabetical order."""
    return sorted({*templates(), *_names()})


def templates() -> set[str]:
    """The templates of all sentences.

    :raises ValueError: for a sentence whose template cannot be read from the source.
    """
    paths = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]
    return {
        template for path in paths if path.name not in PASSED_ON for template in _templates_of(path)
    }


def _templates_of(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text())
    assigned = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and list(_constants(node.value))
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (given := _template(node)) is not None:
            templates = list(
                _constants(assigned.get(given.id) if isinstance(given, ast.Name) else given)
            )
            if not templates:
                raise ValueError(f"{path.name}, line {node.lineno}: no template to be read.")
            yield from templates


def _template(call: ast.Call) -> ast.expr | None:
    """The argument that is a template, if ``call`` makes a sentence."""
    named = call.func
    # A method that is named "refuse" takes sentences that are made already.
    method = isinstance(named, ast.Attribute) and named.attr == "of"
    name = "of" if method else getattr(named, "id", "")
    place = PLACES.get(name)
    return call.args[place] if place is not None and len(call.args) > place else None


def _constants(node: ast.expr | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)


def _words_of_books() -> Iterator[str]:
    """What the books that ship call their forms and patterns, and what they say of them."""
    for book in map(load, shipped()):
        yield from (book.name, book.explanation)
        for form in book.forms:
            yield from (form.name, form.explanation)
        for pattern in book.patterns:
            yield from (pattern.name, pattern.explanation)


def _names() -> Iterator[str]:
    yield from filter(None, _words_of_books())
    for entry in (*BY_ID.values(), *OPTIONS):
        yield from (entry.name, entry.explanation)
    for option in OPTIONS:
        yield from (
            choice.replace("_", " ") for choice in option.choices if isinstance(choice, str)
        )
    yield from (tile.name for tile in TILES)
    yield from (wind.label for wind in WINDS)
    known = meanings()
    for words_of in (known.questions, known.hand, known.sets, known.tiles):
        yield from words_of.values()
    yield from BESIDE.values()
    yield from (*NUMBERS.values(), *KINDS, *HANDS, *DESCRIPTIONS.values())
