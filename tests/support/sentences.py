"""What the catalogues have to have, read from the sources without the programs of gettext.

A message is its context, its words, and those of its plural if it has one. A plural's singular is a
message as well: a catalogue has both in one entry.
"""

import ast
from io import BytesIO
from pathlib import Path

from babel.messages.extract import DEFAULT_KEYWORDS, extract
from django.utils.translation.template import templatize

from scoring.management.evaluator_words import words

ROOT = Path(__file__).parents[2]
FUNCTIONS = {
    **DEFAULT_KEYWORDS,
    **{f"{name}_lazy": where for name, where in DEFAULT_KEYWORDS.items() if name != "_"},
    "gettext_noop": None,
}


def all_messages():
    """Every message that templates, modules and the evaluator have."""
    templates = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    modules = [path for app in ("scoring", "mahjong_site") for path in (ROOT / app).rglob("*.py")]
    return {
        *(message for path in templates for message in of_template(path.read_text())),
        *(message for path in modules for message in of_module(path.read_text())),
        *((None, word) for word in words()),
    }


def of_template(source):
    # It is Python between crossed-out words, whose indentation says nothing.
    lines = templatize(source).splitlines()
    return _messages("\n".join(line.strip() for line in lines), FUNCTIONS)


def of_module(source):
    """Those of a module that imports the functions of gettext under whatever name."""
    return _messages(source, _functions(ast.parse(source)))


def hidden_in_strings(source):
    """The functions of gettext that a module calls within an f-string, where no tool reads them."""
    tree = ast.parse(source)
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    calls = [one for text in strings for one in ast.walk(text) if isinstance(one, ast.Call)]
    names = [getattr(call.func, "id", getattr(call.func, "attr", "")) for call in calls]
    return [name for name in names if name in _functions(tree)]


def _functions(tree):
    """Those of gettext, by the names under which the module of ``tree`` imports them."""
    imported = {
        name.asname: FUNCTIONS[name.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
        if name.asname and name.name in FUNCTIONS
    }
    return {**FUNCTIONS, **imported}


def _messages(source, functions):
    extracted = extract("python", BytesIO(source.encode()), keywords=functions)
    return {
        message
        for _line, text, _comments, context in extracted
        for message in messages(context, text)
    }


def messages(context, text):
    """The message, and for a plural that of its singular, too."""
    one, *many = [text] if isinstance(text, str) else text
    return {(context, one), (context, one, *many)}
