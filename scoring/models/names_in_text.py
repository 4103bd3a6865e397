"""Names of people found in sentences, however somebody spells them there."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from .letters import APOSTROPHES, plain_letters

# Letters of scripts that put no space between words: Thai to Burmese, Khmer, kana and Chinese.
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name that stands in ``string`` from ``start`` on, as ``text``; ``key`` is how :class:`NamesInText` knows it."""

    key: str
    text: str
    string: str
    start: int


class NamesInText:
    """Finds any of ``names`` in a sentence, in capitals or not, and the longest one first.

    It does not matter with which accents, apostrophes and hyphens somebody types a name. Where words have spaces
    between them, it is only found as a whole word: no *Rose* in *Roses*. A name of one character of another script
    (王) has to stand alone, too, because such a character is in many words.

    >>> [found.text for found in NamesInText(["王小明", "Rose", "Siân O’Dea"]).find("rose說王小明 Roses SIAN ODEA")]
    ['rose', '王小明', 'SIAN ODEA']
    """

    def __init__(self, names: Iterable[str]) -> None:
        letter = rf"[^\W{UNSPACED}]"
        spaced: list[str] = []
        unspaced: list[str] = []
        alone: list[str] = []
        for name in sorted({plain_name(name) for name in names} - {""}, key=len, reverse=True):
            word = "[ -]+".join(map(re.escape, name.split()))
            word += "" if _is_unspaced(name[-1]) else f"(?!{letter})"
            if not _is_unspaced(name[0]):
                spaced.append(word)
            else:
                (unspaced if len(name) > 1 else alone).append(word)
        # What stands before a name is looked at once for all of a kind.
        kinds = ((f"(?<!{letter})", spaced, ""), ("", unspaced, ""), (r"(?<!\w)", alone, r"(?!\w)"))
        parts = [f"{before}(?:{'|'.join(words)}){after}" for before, words, after in kinds if words]
        self._pattern = re.compile("|".join(parts) or "(?!)")

    def find(self, text: str) -> Iterator[FoundName]:
        """The names in ``text``, in order."""
        plain, places = _plain_with_places(text)
        for match in self._pattern.finditer(plain):
            start, end = places[match.start()], places[match.end() - 1] + 1
            while end < len(text) and unicodedata.combining(text[end]):
                end += 1  # the accent of the last letter
            yield FoundName(plain_name(match[0]), text[start:end], text, start)

    def replace(self, text: str, instead: Callable[[FoundName], str]) -> str:
        """``text`` with ``instead(found)`` for each of the names in it."""
        parts, end = [], 0
        for found in self.find(text):
            parts += [text[end : found.start], instead(found)]
            end = found.start + len(found.text)
        return "".join([*parts, text[end:]])


def names_with(others: Iterable[str], keys: Iterable[str]) -> set[str]:
    """Those of ``others`` in which one of ``keys`` stands, names as :func:`plain_name` has them."""
    plain = {other: plain_name(other) for other in others}
    keys = set(keys)
    return {other for other, name in plain.items() if any(key in name for key in keys)}


def plain_name(name: str) -> str:
    """``name`` without what people leave out or type in another way: accents, capitals, apostrophes, hyphens.

    >>> plain_name("Siân  Fernández-O’Brien") == plain_name("SIAN FERNANDEZ OBRIEN")
    True
    """
    return " ".join(_plain_with_places(name)[0].replace("-", " ").split())


def _plain_with_places(text: str) -> tuple[str, list[int]]:
    """``text`` in plain letters, and where in ``text`` each of its characters comes from.

    An apostrophe is left out between letters alone: *Zoë's* is no other name than *Zoë*.
    """
    plain: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character in APOSTROPHES and _joins(text, place):
            continue
        if unicodedata.category(character) == "Cf":
            continue  # nobody sees it, such as a soft hyphen
        letters = character if character in APOSTROPHES else _plain_letter(character)
        plain += letters
        places += [place] * len(letters)
    return "".join(plain), places


def _joins(text: str, place: int) -> bool:
    """Whether the apostrophe at ``place`` is inside of a name, and begins no ending such as ’s."""
    after = text[place + 1 : place + 3]
    ends = len(after) < 2 or not after[1].isalnum()
    return place > 0 and text[place - 1].isalnum() and after[:1].isalnum() and not ends


@lru_cache(maxsize=4096)
def _plain_letter(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) == "Pd":
        return "-"
    return plain_letters(character).replace("ı", "i")


def _is_unspaced(character: str) -> bool:
    return re.match(f"[{UNSPACED}]", character) is not None
