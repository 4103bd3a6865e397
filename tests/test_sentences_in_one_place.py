"""A sentence with which the site refuses is written once: two modules that refuse alike share it.

What several modules refuse stands in ``scoring/models/refusals.py``, what only the API does in
``scoring/api/fields.py``.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
# How a sentence is wrapped to be translated.
WRAPPED_BY = {"_", "gettext", "gettext_lazy"}
# A shorter one is a label rather than a sentence.
LABEL = 35
# Sentences that several modules write, and that refuse nothing: what is shown on pages, and of commands.
NO_REFUSAL = {
    "As it should appear in the league table.",
    "Evenings before this day stay as they are.",
    "It tells whether a hand that is sent again is the same one.",
    "and any one of these tiles once more",
    "the discarder pays the whole score, the others half",
}
# What templates say, too: a page says beforehand, or a script says alone, what the site would answer.
IN_TEMPLATES = {
    "Make another mail address the main one first.",
    "Each row says what a player has won from the player of the column.",
    "Players appear here after their first hand.",
    "Say who discarded the winning tile, or that the winner drew it.",
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


def test_every_refusal_is_written_in_one_module():
    where: dict[str, set[str]] = defaultdict(set)
    for path in modules():
        for sentence in wrapped_sentences(path.read_text()):
            where[sentence].add(str(path.relative_to(ROOT)))
    several = {sentence: sorted(files) for sentence, files in where.items() if len(files) > 1}
    assert {one: files for one, files in several.items() if one not in NO_REFUSAL} == {}
    assert set(several) == NO_REFUSAL


def test_templates_do_not_write_what_python_says():
    """What Python works out in words is shown as it is: a template would have to follow each change of it."""
    in_python = {sentence for path in modules() for sentence in wrapped_sentences(path.read_text())}
    templates = (ROOT / "templates").rglob("*.*")
    written = {sentence for path in templates for sentence in TRANSLATED.findall(path.read_text())}
    assert written & in_python == IN_TEMPLATES
