"""The catalogues of translations: whole, compiled, and with exactly the sentences of the sources."""

import re
from collections import defaultdict
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from scoring.evaluator.books.loader import FOLDER
from scoring.management.catalogues import compiled, sources
from scoring.management.evaluator_words import templates
from tests.support import sentences

ROOT = Path(__file__).parent.parent
PLURAL = re.compile(r"ngettext\(u?'((?:[^'\\]|\\.)*)', *u?'((?:[^'\\]|\\.)*)'")
NEGATIONS = {"no", "not", "nobody", "none", "never", "nothing", "other"}
STRAIGHT = re.compile(r"[A-Za-z]'[a-z]|s' ")
PERCENT = re.compile(r"%\((\w+)\)s|%s")


@pytest.fixture(params=sources(), ids=lambda path: path.parent.parent.name)
def source(request):
    return request.param


@pytest.fixture
def messages(source):
    with source.open("rb") as file:
        return [message for message in read_po(file, source.parent.parent.name) if message.id]


def fields(sentence):
    """What is filled in: ``%(name)s`` and ``{name}``, each as often as it stands there."""
    braces = [name for _text, name, _spec, _conversion in Formatter().parse(sentence) if name]
    return sorted([*PERCENT.findall(sentence), *braces])


def forms(text):
    return text if isinstance(text, list | tuple) else [text]


def test_every_language_has_a_catalogue():
    languages = {to_locale(code) for code, _name in settings.LANGUAGES} - {"en"}
    assert {path.parent.parent.name for path in sources()} == languages


def test_every_message_is_translated(messages):
    assert len(messages) > 1000
    assert [message.id for message in messages if message.fuzzy] == []
    assert [message.id for message in messages if not all(forms(message.string))] == []


def test_translations_keep_their_placeholders(messages):
    # Of one hand the words may do without the number, as in English.
    wrong = [
        (message.id, text)
        for message in messages
        for text in forms(message.string)
        if fields(text) not in [fields(original) for original in forms(message.id)]
    ]
    assert wrong == []
    # The last form is for many: it says how many.
    assert [
        message.id
        for message in messages
        if fields(forms(message.string)[-1]) != fields(forms(message.id)[-1])
    ] == []


def test_translations_begin_and_end_like_their_messages(messages):
    """Spaces that join sentences, and line ends."""
    for message in messages:
        for text in forms(message.string):
            english = forms(message.id)[0]
            assert text[0].isspace() == english[0].isspace(), english
            assert text[-1].isspace() == english[-1].isspace(), english


def test_no_leftover_stops_the_next_collection(source):
    """msgmerge refuses a plural's former words where those of its singular are gone."""
    assert not [line for line in source.read_text().splitlines() if line.startswith("#|")]


def translations(machine_object):
    """What a compiled catalogue says, without its header: that has the time of a collection."""
    catalogue = read_mo(BytesIO(machine_object))
    return {
        (message.context, *forms(message.id)): message.string for message in catalogue if message.id
    }


def test_every_catalogue_is_compiled(source):
    stored = translations(source.with_suffix(".mo").read_bytes())
    assert stored == translations(compiled(source)), "Run manage.py compilemessages."


@pytest.fixture
def known(messages):
    return {key for message in messages for key in sentences.messages(message.context, message.id)}


@pytest.fixture(scope="module")
def wrapped():
    return sentences.all_messages()


def test_a_catalogue_has_every_wrapped_sentence(known, wrapped):
    assert wrapped - known == set(), "Run manage.py makemessages, and translate what is new."


# Names of columns, which migrations hold: another apostrophe would be another migration.
OF_COLUMNS = {(None, "dealer's seat"), (None, "winner's wind")}


def test_sentences_have_the_apostrophe_of_print(wrapped):
    """It’s ’ on every page, as the quotation marks are “ and ”."""
    straight = {key for key in wrapped if any(STRAIGHT.search(text or "") for text in key)}
    assert straight - OF_COLUMNS == set()


def test_books_have_the_apostrophe_of_print():
    """Their names, sentences and sources are shown as they are, in English."""
    straight = [
        f"{path.name}: {line}"
        for path in sorted(FOLDER.glob("*.toml"))
        for line in path.read_text().splitlines()
        if STRAIGHT.search(line)
    ]
    assert straight == []


def test_no_sentence_is_wrapped_within_another_string():
    """Neither gettext nor Babel looks into an f-string: no catalogue would ever have what is there."""
    modules = [path for app in ("scoring", "mahjong_site") for path in (ROOT / app).rglob("*.py")]
    hidden = [str(path) for path in modules if sentences.hidden_in_strings(path.read_text())]
    assert hidden == []


def test_a_sentence_within_another_string_is_seen():
    source = "from django.utils.translation import gettext as {0}\nx = f'{{{0}(\"Won\")}}!'\n"
    assert sentences.hidden_in_strings(source.format("_")) == ["_"]
    assert sentences.hidden_in_strings(source.format("told")) == ["told"]
    assert sentences.hidden_in_strings("x = f'{won}!'") == []


def test_a_catalogue_has_no_sentence_that_is_gone(known, wrapped):
    assert known - wrapped == set(), "Run manage.py makemessages."


@pytest.mark.parametrize(
    ("source", "collected"),
    [
        ('<p>\n {% translate "Nobody won" %}\n  </p>', {(None, "Nobody won")}),
        ('{% translate "Nobody won" context "draw" as x %}', {("draw", "Nobody won")}),
        ('{% include "a.html" with x=_("Nobody won") %}', {(None, "Nobody won")}),
        (
            "{% blocktranslate trimmed with name=x %}\n  {{ name }}\n won\n{% endblocktranslate %}",
            {(None, "%(name)s won")},
        ),
        (
            "{% blocktranslate count n=x %}One{% plural %}{{ n }} more{% endblocktranslate %}",
            {(None, "One"), (None, "One", "%(n)s more")},
        ),
        ("<p>Nobody won</p>", set()),
    ],
)
def test_wrapped_sentences_of_a_template_are_found(source, collected):
    assert sentences.of_template(source) == collected


@pytest.mark.parametrize(
    ("names", "call", "collected"),
    [
        ("gettext_lazy", "gettext_lazy('Nobody ' 'won')", {(None, "Nobody won")}),
        ("gettext as _", "_('Nobody won')", {(None, "Nobody won")}),
        ("gettext_noop as later", "later('Nobody won')", {(None, "Nobody won")}),
        ("pgettext_lazy", "pgettext_lazy('draw', 'Nobody won')", {("draw", "Nobody won")}),
        (
            "ngettext_lazy as some",
            "some('One', '{n} more', x)",
            {(None, "One"), (None, "One", "{n} more")},
        ),
        ("gettext", "gettext(words)", set()),
    ],
)
def test_wrapped_sentences_of_a_module_are_found(names, call, collected):
    source = f"from django.utils.translation import {names}\nx = {call}\n"
    assert sentences.of_module(source) == collected


def test_one_singular_has_one_plural():
    """A catalogue knows a sentence by its singular: another plural of the same would be lost."""
    plurals = defaultdict(set)
    for path in (ROOT / "templates").rglob("*.html"):
        for one, many in PLURAL.findall(templatize(path.read_text())):
            plurals[one].add(many)
    assert len(plurals) > 10
    assert {one: many for one, many in plurals.items() if len(many) > 1} == {}


def test_a_plural_says_how_many_and_nothing_else():
    """Chinese has one form for both: where the two mean different things, it says one of them always."""
    pairs = {
        pair
        for path in (ROOT / "templates").rglob("*.html")
        for pair in PLURAL.findall(templatize(path.read_text()))
    }
    assert [pair for pair in pairs if not say_the_same(*map(str.split, pair))] == []


def say_the_same(one, many):
    """Whether two forms differ by a number only: it is named, or most words are the same."""
    negated = [NEGATIONS.intersection(map(str.lower, words)) for words in (one, many)]
    if negated[0] != negated[1]:
        return False
    counted = set(PERCENT.findall(" ".join(many))) - set(PERCENT.findall(" ".join(one)))
    return bool(counted) or SequenceMatcher(None, one, many).ratio() >= 0.5


def test_templates_are_read_from_the_source():
    """In whatever way they are written: at once, chosen before, handed to ``refuse``."""
    collected = templates()
    assert "{number} {tile}: a wall has four." in collected
    assert "{size} tiles take {kongs} kongs." in collected
    assert "A wind is E, S, W or N (East, South, West, North)." in collected
