"""No sentence is written past the catalogues: every template, the Python that people read, every script.

``tests/web/test_every_word_can_be_translated.py`` renders pages; this reads the sources, also of what a
page says only now and then.
"""

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from scoring.management.evaluator_words import words
from scoring.operations.dump.upgrade import DESCRIPTIONS

ROOT = Path(__file__).parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = sorted([*(ROOT / "scoring/static").rglob("*.js"), *(ROOT / "templates").rglob("*.js")])
# Where the sentences that people read are written. The evaluator's are collected by themselves, and
# those of ``scoring/site`` are said before there is a language.
PYTHON = sorted(
    path
    for folder in ("models", "services", "queries", "operations", "web", "api", "admin")
    for path in (ROOT / "scoring" / folder).rglob("*.py")
    if path != ROOT / "scoring/api/schema.py"  # it describes the API, in English
)

SPOKEN = ("aria-label", "aria-description", "title", "placeholder", "alt")
WORD = re.compile(r"[A-Za-z]{2,}")
WORDS = re.compile(r"[A-Z]?[a-z]+,?(?: [A-Za-z’']+[,:]?)+")
QUOTED = re.compile(r"""(?<!_\()(["'])((?:(?!\1).)*)\1""")
# What a template says to programs, or by a name: settings of a viewport, kinds of pages, signs.
NAMES = re.compile(
    r"width=device-width, initial-scale=1|viewport-fit=cover|\b(?:website|summary\w*|article|yes|no"
    r"|default|never|UTF-8|PIN|Swagger|Open ?API|Mah Jongg)\b|mdash|nbsp|[\w.-]+\.(?:py|html|css|js)\b"
)


class PageTexts(HTMLParser):
    """The text of a page, and what browsers read out or show of its attributes."""

    def __init__(self):
        super().__init__()
        self.texts, self.code = [], 0

    def handle_starttag(self, tag, attrs):
        self.code += tag in ("code", "script", "style")
        for name, value in attrs:
            sentence = name.startswith("data-") and " " in (value or "")
            if name in SPOKEN or sentence:
                self.texts.append(value or "")
        described = dict(attrs)
        if "description" in described.get("name", described.get("property", "")):
            self.texts.append(described["content"])

    def handle_endtag(self, tag):
        self.code -= tag in ("code", "script", "style")

    def handle_data(self, data):
        if not self.code:
            self.texts.append(data)


def in_template(source):
    """The words of a template that stand outside of ``translate`` and ``blocktranslate``."""
    html, sentences, inside = [], [], ""
    for token in Lexer(source).tokenize():
        words = token.contents.split()
        name = words[0] if token.token_type == TokenType.BLOCK else ""
        if inside:
            inside = "" if name == f"end{inside}" else inside
        elif name in ("blocktranslate", "comment"):
            inside = name
        elif token.token_type == TokenType.TEXT:
            html.append(token.contents)
        elif token.token_type != TokenType.COMMENT and name not in ("translate", "load"):
            sentences += [
                text for _quote, text in QUOTED.findall(token.contents) if WORDS.fullmatch(text)
            ]
            html.append("0")
    page = PageTexts()
    page.feed("".join(html))
    page.close()
    return sentences + [text.strip() for text in page.texts if WORD.search(NAMES.sub("", text))]


def test_no_template_has_words_outside_of_translations():
    assert found_in(TEMPLATES, lambda path: in_template(path.read_text())) == {}


def found_in(paths, look):
    """What ``look`` finds in the files of ``paths``, by file, where it finds something."""
    assert len(paths) > 50
    return {str(path.relative_to(ROOT)): found for path in paths if (found := look(path))}


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("<p>Nobody won</p>", ["Nobody won"]),
        ("<p>{% if x %}Over{% endif %}</p>", ["0Over0"]),
        ('<p title="{{ x }} wins"></p>', ["0 wins"]),
        ('<p data-no="No network."></p>', ["No network."]),
        ('{% include "a.html" with text="Nobody won" %}', ["Nobody won"]),
        ('{% include "a.html" with text=_("Nobody won") %}', []),
        ('{% translate "Nobody won" %}{% blocktranslate %}Over{% endblocktranslate %}', []),
        ("{% comment %}Nobody won{% endcomment %}{# Over #}<b class='wide card'>222B</b>", []),
    ],
)
def test_untranslated_words_of_a_template_are_found(source, words):
    assert in_template(source) == words


# ----- Python -------------------------------------------------------------------------------------

GETTEXT = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "pgettext", "pgettext_lazy"}
# Said to programmers, to the log, to the database or in the API's description, which is English.
NOT_TO_PEOPLE = {
    *("ValueError", "TypeError", "AssertionError", "RuntimeError", "ImproperlyConfigured"),
    *("debug", "info", "warning", "error", "exception", "log", "RunSQL", "execute", "dedent"),
    *("OpenApiParameter", "OpenApiExample", "OpenApiResponse", "extend_schema", "compile"),
    *("extend_schema_field", "extend_schema_serializer", "extend_schema_view"),
}
# Collected by themselves; what older exports say; and the name of a permission, which Django shows as it is.
PERMISSIONS = {
    "Can run the club: leagues, players, every table",
    "Can own the club: its settings, owners, the audit",
}
ELSEWHERE = {*words(), *DESCRIPTIONS, *PERMISSIONS}
ABOUT_THE_API = {"help_text", "description", "label"}


def in_python(source, *, api=False):
    """The sentences of a module that no function of gettext gets."""
    tree = ast.parse(source)
    sentences = [text for text in _sentences(tree, api=api) if _is_sentence(text)]
    return [text for text in sentences if text not in ELSEWHERE]


def _is_sentence(text):
    """Two words or more, with a capital, and with the end or the length of what people read."""
    words = text.strip()
    return bool(re.match(r"[A-Z“](?![A-Z])[\w’'“”%(){}-]* [\w“%({]", words)) and (
        words[-1] in ".?!:…" or len(words.split()) > 3
    )


def _sentences(node, *, api):
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in GETTEXT or name in NOT_TO_PEOPLE:
            return
    if api and isinstance(node, ast.keyword) and node.arg in ABOUT_THE_API:
        return
    if api and isinstance(node, ast.Dict):
        named = zip(node.keys, node.values, strict=True)
        shown = [value for key, value in named if getattr(key, "value", "") not in ABOUT_THE_API]
        node = ast.List(shown)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for child in ast.iter_child_nodes(node):
        # A sentence by itself is a docstring, or does nothing.
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from _sentences(child, api=api)


def test_no_module_has_a_sentence_outside_of_gettext():
    assert found_in(PYTHON, lambda path: in_python(path.read_text(), api="api" in path.parts)) == {}


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ("raise ValidationError('Say who won.')", ["Say who won."]),
        ("words = {'draw': 'Nobody won this hand'}", ["Nobody won this hand"]),
        ("_('Say who won.') % {'name': 'Ann'}", []),
        ("def f():\n    '''Say who won.'''\n    raise ValueError('There is no such hand.')", []),
        ("x = 'SELECT'; y = 'Content-Type'; z = 'Xu Ann'", []),
    ],
)
def test_untranslated_sentences_of_a_module_are_found(source, sentences):
    assert in_python(source) == sentences


# ----- scripts ------------------------------------------------------------------------------------

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', re.DOTALL)
TO_PROGRAMMERS = re.compile(r"""new Error\(["`][^"`]*["`]\)""")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)


def in_script(source):
    """The literals of a script that are words for people: two words that begin like a sentence."""
    source = COMMENT.sub("", source)
    literals = ["".join(literal) for literal in LITERAL.findall(TO_PROGRAMMERS.sub("", source))]
    return [text for text in literals if re.search(r"(?:^|[.!?] )[A-Z][a-z]+[,:]? [A-Za-z]+", text)]


def test_no_script_has_a_sentence_of_its_own():
    assert found_in(SCRIPTS, lambda path: in_script(path.read_text())) == {}


@pytest.mark.parametrize(
    ("source", "sentences"),
    [
        ('say("No network now");', ["No network now"]),
        ("say(`Hand ${number} waits`);", []),
        ("say(`The hand waits`); // Nobody reads this", ["The hand waits"]),
        ('find("[data-x] .card"); send({ "Content-Type": "x" });', []),
    ],
)
def test_untranslated_sentences_of_a_script_are_found(source, sentences):
    assert in_script(source) == sentences
