"""A sentence with which the site refuses is written once: two modules that refuse alike share it.

What several modules refuse stands in ``scoring/models/refusals.py``, what only the API does in
``scoring/api/fields.py``.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evaluator.scoring_files import READING, scoring

ROOT = Path(__file__).parents[1]
# How a sentence is wrapped to be translated.
WRAPPED_BY = {"_", "gettext", "gettext_lazy"}
# Folders whose modules say something by the texts of the evaluator, which are wrapped nowhere.
UNWRAPPED = ("evaluator", "variants")
# What is filled in, by whatever name.
FILLED_IN = re.compile(r"%\(\w+\)s|\{\w+\}")
# A shorter one is a label rather than a sentence.
LABEL = 35
# Sentences that several modules write, and that refuse nothing: what is shown on pages, and of commands.
NO_REFUSAL = {
    "As it should appear in the league table.",
    "… in the … round. ….",
    "Evenings before this day stay as they are.",
    "It tells whether a hand that is sent again is the same one.",
    "and any one of these tiles once more",
    "the discarder pays the whole score, the others half",
}
# Modules that decide scores say these, too; no line of them may change for the sake of words
# (``docs/every-winning-hand.md``).
WRITTEN_BY_SCORING = {
    "Give tiles as a text or as a list of codes.",
    "A hand is at most … characters.",
    "A declared set is a pung, a kong or a chow: three or four alike, or three in a row.",
    "Give the declared sets as a list of at most four.",
    "“concealed” of a declared set is true or false.",
    "… tiles: a … hand with these declared sets has ….",
    "The value of a line is a whole number.",
    "“…” is not known here: choose from ….",
    "“…” is not known: choose from ….",
    "A book has at most … characters.",
}
# What templates say, too: a page says beforehand, or a script says alone, what the site would answer.
IN_TEMPLATES = {
    "Make another mail address the main one first.",
    "Each row says what a player has won from the player of the column.",
    "Players appear here after their first hand.",
    "This season is closed: an organiser can open it again.",
}
TRANSLATED = re.compile(r'{%\s*translate\s+"([^"]+)"')


def modules() -> Iterator[Path]:
    return (path for path in (ROOT / "scoring").rglob("*.py") if "migrations" not in path.parts)


def wrapped_sentences(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(sentence)), *_]) if (
                name in WRAPPED_BY and len(sentence) > LABEL
            ):
                yield sentence


def unwrapped_sentences(text: str) -> Iterator[str]:
    """Each sentence of a module but for what documents it."""
    tree = ast.parse(text)
    documents = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(sentence)) if (
                node not in documents and len(sentence) > LABEL and sentence.endswith(".")
            ):
                yield sentence


def sentences(path: Path) -> Iterator[str]:
    """What the module ``path`` says, with … for what is filled in."""
    unwrapped = path.relative_to(ROOT / "scoring").parts[0] in UNWRAPPED
    read = unwrapped_sentences if unwrapped else wrapped_sentences
    return (FILLED_IN.sub("…", sentence) for sentence in read(path.read_text()))


@pytest.fixture(scope="module")
def written() -> dict[str, set[str]]:
    """Each sentence, and the modules that say it."""
    where: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        for sentence in sentences(path):
            where[sentence].add(str(path.relative_to(ROOT)))
    return where


def test_every_refusal_is_written_in_one_module(written):
    several = {sentence: sorted(files) for sentence, files in written.items() if len(files) > 1}
    known = NO_REFUSAL | WRITTEN_BY_SCORING
    assert {one: files for one, files in several.items() if one not in known} == {}
    assert set(several) == known


def test_only_modules_that_decide_scores_say_a_refusal_of_the_evaluator_again(written):
    deciding = {str(path.relative_to(ROOT)) for path in scoring(ROOT).files} | set(READING)
    for sentence in WRITTEN_BY_SCORING:
        assert written[sentence] & deciding, sentence


def test_a_sentence_of_the_evaluator_is_seen_however_it_is_given():
    sentence = "{book} has no limit hand of that name."
    source = f'"""Documented, and no refusal of a hand."""\nrefuse("a", "b", "{sentence}")\nX = "{sentence}"\n'
    assert list(unwrapped_sentences(source)) == [sentence, sentence]


def test_templates_do_not_write_what_python_says():
    """What Python works out in words is shown as it is: a template would have to follow each change of it."""
    in_python = {sentence for path in modules() for sentence in wrapped_sentences(path.read_text())}
    templates = (ROOT / "templates").rglob("*.*")
    written = {sentence for path in templates for sentence in TRANSLATED.findall(path.read_text())}
    assert written & in_python == IN_TEMPLATES
