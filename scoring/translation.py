"""The evaluator's English in the reader's language.

The evaluator knows no language but English; its sentences remember the template that they were made
of (:class:`scoring.evaluator.text.Text`), and its rules, tiles and winds have names. All of them are
in the catalogues: ``manage.py makemessages`` collects them.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.functional import Promise, lazy
from django.utils.translation import get_language, gettext, gettext_noop, override

from .evaluator.notation import parse_tiles
from .evaluator.rules import BY_ID, LIMIT_RULES
from .evaluator.sets import set_of
from .evaluator.spelling import normalise
from .evaluator.text import Text
from .evaluator.tiles import TILES

# Parameters that are words of ours; all others are figures, codes, or what somebody typed.
NAMES = frozenset(["book", "kind", "name", "number", "tile", "why"])
LISTS = frozenset(["forms", "hands", "tiles"])
REPORTS = ("point_report", "double_report")
BOOK_REPORTS = (*REPORTS, "faan_report", "limit_report")
CALLING = "Calling for "  # how the line of a loser begins who lacks one tile
LIMITS = {rule.id: rule.name for rule in LIMIT_RULES}
# What would make another code, or an English name, of the code of a wind or a dragon before it.
REST = "h|ast|outh|est|orth|ed|reen|ite"
# What the code of a wind behind it would be left of: a figure, or a word whose plural it would make ("2 of Bamboos").
NOT_BEFORE = "(?<![0-9])(?<!bamboo)(?<!character)(?<!dot)(?<!wind)(?<!dragon)"
# Chows, by the letter of their suit. Stored cards have the codes of the tiles.
RUNS = {
    "B": gettext_noop("{ranks} of Bamboo"),
    "C": gettext_noop("{ranks} of Characters"),
    "D": gettext_noop("{ranks} of Dots"),
}

# A sentence, perhaps one that is translated only when it is shown.
if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    LazyText = _StrOrPromise
else:
    LazyText = str | Promise


def translate(sentence: str) -> str:
    """A sentence or a name of the evaluator, in the reader's language.

    >>> translate(Text.of("{number} {tile}: a wall has four.", number="Five", tile="2 of Bamboo"))
    'Five 2 of Bamboo: a wall has four.'
    """
    template = getattr(sentence, "template", None)
    if template is None:
        return gettext(sentence) if sentence else ""
    assert isinstance(sentence, Text)
    words = {name: _parameter(name, value) for name, value in sentence.params.items()}
    return gettext(template).format(**words)


# For what is said when a module is loaded, before anybody reads it.
translate_lazy = lazy(translate, str)


def _parameter(name: str, value: object) -> object:
    if isinstance(value, Text) or (name in NAMES and isinstance(value, str)):
        return translate(value)
    if name in LISTS and isinstance(value, str):
        return listed(map(translate, value.split(", ")))
    return value


def typed_tiles(text: str) -> str:
    """``text`` with codes for the names of tiles, as scorecards print them in any language of the site.

    The language of the reader does not matter: a hand may come from a phone long after it was typed. The evaluator
    reads the English names itself.

    >>> typed_tiles("Bamboe 2, groene draak*, 555D")
    '2B, G*, 555D'
    """
    codes, named = _names_of_tiles()
    read = normalise(text)
    return named.sub(lambda name: codes[name[0].casefold()], read) if named.search(read) else text


@lru_cache
def _names_of_tiles() -> tuple[dict[str, str], re.Pattern[str]]:
    """The code of each tile by its names in the languages other than English, and what finds these names."""
    codes: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            codes |= {translate(tile.name).casefold(): tile.code for tile in TILES}
    for tile in TILES:
        del codes[tile.name.casefold()]
    longest_first = sorted(codes, key=len, reverse=True)
    ascii_alone = re.I | re.A  # "ı" is no "i"
    return codes, re.compile("|".join(map(_whole_word, longest_first)), ascii_alone)


def _whole_word(name: str) -> str:
    """A pattern for ``name``: nothing beside it may join its code, nor be left of a longer word, and be read as tiles."""
    alone = r"(?<![a-z0-9]){}(?![a-z0-9])" if name.isascii() else rf"{NOT_BEFORE}{{}}(?!{REST})"
    return alone.format(re.escape(name))


def label_of(line: Mapping[str, Any]) -> str:
    """What a line of a scorecard is about: the set, or the rule.

    Cards are stored as the evaluator made them; the rule's id and the tiles say it in any language.
    A rule that there no longer is keeps the words of its time.
    """
    if line.get("tiles"):
        return translate(_set_label(line["tiles"]))
    rule = BY_ID.get(line["rule"])
    return translate(rule.name if rule else line["label"])


def _set_label(codes: list[str]) -> Text:
    tiles = parse_tiles(codes)
    tile_set = set_of(tiles)
    assert tile_set is not None
    named: str = tiles[0].name
    if tile_set.kind == "chow":
        ranks = "-".join(code[0] for code in codes)
        named = Text.of(RUNS[codes[0][1]], ranks=ranks)
    return Text.of("{kind}: {tiles}", kind=tile_set.kind.capitalize(), tiles=named)


def label_in_book(line: Mapping[str, Any]) -> str:
    """What a line of a rule book's card is about.

    The words are those of the book; the books that ship are in the catalogues.
    """
    label: str = line["label"]
    if label.startswith(CALLING):
        return gettext("Calling for %(name)s") % {"name": translate(label.removeprefix(CALLING))}
    return translate(label)


def is_of_a_book(card: Mapping[str, Any]) -> bool:
    """Whether a rule book made this card, whose lines have words of their own."""
    return "faan_report" in card


def card_in_words(card: Mapping[str, Any]) -> Mapping[str, Any]:
    """A scorecard in the shape of the API, with labels and the reason as pages say them."""
    of_a_book = is_of_a_book(card)
    label = label_in_book if of_a_book else label_of
    reports = {
        report: [{**line, "label": label(line)} for line in card[report]]
        for report in (BOOK_REPORTS if of_a_book else REPORTS)
    }
    why = card["why"]
    return {**card, **reports, "why": why and translate(why)}


def colon() -> str:
    """Between a name and what is said of it.

    >>> colon()
    ': '
    """
    return "：" if _is_chinese() else ": "


def comma() -> str:
    """Between two parts of a line.

    >>> comma()
    ', '
    """
    return "，" if _is_chinese() else ", "


def list_comma() -> str:
    """Between two of a list, such as names; Chinese has a sign of its own for that.

    >>> list_comma()
    ', '
    """
    return "、" if _is_chinese() else ", "


def listed(parts: Iterable[object]) -> str:
    """``parts`` as a list in the reader's language.

    >>> listed(["Ann", "Bob"])
    'Ann, Bob'
    """
    return list_comma().join(map(str, parts))


# For refusals that are kept ready, and seldom said.
listed_lazy = lazy(listed, str)


def _is_chinese() -> bool:
    return (get_language() or "").startswith("zh")


def bonus_name(code: str) -> str:
    """Of ``F2``: Flower 2."""
    name = gettext("Flower %(number)s") if code[0] == "F" else gettext("Season %(number)s")
    return name % {"number": code[1:]}


bonus_name_lazy = lazy(bonus_name, str)


def bonus_names(codes: str | Iterable[str]) -> str:
    """Bonus tiles as a list; ``codes`` may be a text with blanks."""
    return listed(map(bonus_name, codes.split() if isinstance(codes, str) else codes))


def limit_name(rule: str) -> str:
    """A limit hand in the reader's language; the id of one we have no words for stays as it is."""
    return translate(LIMITS.get(rule, rule))


def limit_names(card: Mapping[str, Any]) -> str:
    """The limit hands of a scorecard, as its own rules call them."""
    lines = card.get("limit_report")
    names = [limit_name(rule) for rule in card["limits"]]
    return listed([label_in_book(line) for line in lines] if lines else names)


def claimed_limit(hand: Any) -> str:
    """What the rules of ``hand`` call the limit hand that the table says it was."""
    names = hand.ruleset_version.table_rules.limit_names
    return translate(names.get(hand.claimed_limit, hand.claimed_limit))


def named_limits(hand: Any) -> str:
    """The limit hands of ``hand``, claimed or on its scorecard; empty if there is none."""
    if hand.claimed_limit:
        return claimed_limit(hand)
    return limit_names(hand.card) if hand.card else ""
