"""Names of people, leagues and the club: how they are kept, which are the same, and which look alike."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from confusable_homoglyphs.confusables import confusables_data
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from scoring.evaluator.unseen import FORBIDDEN, unseen_in

from .letters import APOSTROPHES, plain_letters
from .refusals import UNSEEN_CHARACTER

Named = TypeVar("Named", bound=Model)
# Letters and signs that show nothing: fillers of Hangul, Braille without a dot, the place of an object.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffc")
# Of those, what pasted text has between its letters without a meaning: a soft hyphen, a place to break a
# line and one not to, and the mark at the beginning of a file.
MEANINGLESS = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
MAIL = re.compile(r"\S@\S+\.\S")
# What is, or looks like, the name of somebody anonymous.
ANONYMOUS = re.compile(r"n[\W_]*n[\W_]*\d", re.IGNORECASE)
# Letters of scripts that put no space between words: Thai to Burmese, Khmer, kana and Chinese.
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# Signs of other keyboards that NFKC leaves as they are.
PLAIN_SIGNS = str.maketrans("、−", ",-")
# Of small letters and digits: what one is easily taken for, and letters with a stroke or two in one.
ALIKE = dict.fromkeys("1iı", "l") | {
    "0": "o",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ŧ": "t",
    "æ": "ae",
    "œ": "oe",
}


def clean_name(name: str, *, longest: int) -> str:
    """``name`` in the form in which it is kept: NFKC, with single spaces.

    :param longest: in characters.
    :raises ValidationError: at ``name``, for a character that cannot be seen, for a name that shows
        nothing, for a mail address, and for a name that is too long.
    """
    name = _in_one_form(name)
    if unseen := unseen_in(name):
        raise _refused(str(UNSEEN_CHARACTER) % {"code": unseen}, "invisible")
    if name and not shows_something(name):
        raise _refused(_("This name shows nothing: use letters."), "shows_nothing")
    if MAIL.search(name):
        message = _("This is a mail address, and everybody reads a name: leave it out of the name.")
        raise _refused(message, "mail_address")
    if len(name) > longest:
        message = _("A name has at most %(longest)s characters.")
        raise _refused(message % {"longest": longest}, "max_length")
    return name


def name_key(name: str) -> str:
    """What all spellings of one name share: in capitals or not, however spaced and put together.

    >>> name_key(" ZOE\u0308  Ng") == name_key("Ｚｏë Ng") == name_key("Zoë Ng")
    True
    >>> name_key("Ng，Zoë") == name_key("Ng , Zoë"), name_key("Zoe Ng") == name_key("Zoë Ng")
    (True, False)
    """
    parts = _in_one_form(name).translate(PLAIN_SIGNS).split(",")
    return ",".join(part.strip() for part in parts).casefold()


class SameNames(Generic[Named]):
    """Rows with a ``name``, to be found by what somebody typed for it."""

    def __init__(self, rows: Iterable[Named]) -> None:
        self._exact: dict[str, Named] = {}
        self._rows: dict[str, Named] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Named) -> None:
        name: str = row.name  # type: ignore[attr-defined]
        self._exact[name] = row
        self._rows.setdefault(name_key(name), row)

    def find(self, name: str) -> Named | None:
        """Who is called exactly ``name``; else the first of the same :func:`name_key`; None for nobody."""
        typed = _in_one_form(name)
        return self._exact.get(name) or self._exact.get(typed) or self._rows.get(name_key(name))

    @property
    def most_parts(self) -> int:
        """In how many parts commas divide a name at most."""
        return 1 + max((name.count(",") for name in self._rows), default=0)


def _in_one_form(name: str) -> str:
    """``name`` in NFKC, with single spaces."""
    # Joined twice: NFKC makes spaces of characters that were none.
    return " ".join(unicodedata.normalize("NFKC", " ".join(name.split())).split())


def without_invisible(text: str) -> str:
    """``text`` without the characters that nobody can see and that change nothing.

    >>> without_invisible("\ufeffZo\u200bë\u00ad Ng") == "Zoë Ng", len(without_invisible("a\u202eb"))
    (True, 3)
    """
    return text.translate(MEANINGLESS)


def legible(text: str) -> str:
    """``text`` with a sign in the place of each forbidden character: one of them can turn the words around.

    >>> legible("Flip\u202e") == "Flip\ufffd"
    True
    """
    return "".join("\ufffd" if unicodedata.category(one) in FORBIDDEN else one for one in text)


def shows_something(text: str) -> bool:
    """Whether ``text`` has a character that can be seen.

    >>> shows_something("\u200b\u3164 "), shows_something("\u200b!")
    (False, True)
    """
    return any(
        character not in BLANK and unicodedata.category(character)[0] not in "CMZ"
        for character in text
    )


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


def check_not_reserved(name: str) -> None:
    """:raises ValidationError: for a name like N. N. 7, which somebody anonymous needs."""
    plain = "".join(one if one.isascii() else _plain(one) for one in name)
    if ANONYMOUS.match(plain):
        message = _("Names like this are for people who are anonymous: choose another one.")
        raise _refused(message, "reserved")


def clean_name_of(row: Model) -> str:
    """The ``name`` of ``row`` as :func:`clean_name`; one that is stored already stays as it is.

    :raises ValidationError: as it does.
    """
    name: str = row.name  # type: ignore[attr-defined]
    # What was stored under older rules must not stand in the way of a change to another field.
    if row.pk and type(row)._base_manager.filter(pk=row.pk, name=name).exists():
        return " ".join(name.split())
    longest = row._meta.get_field("name").max_length  # type: ignore[union-attr]
    return clean_name(name, longest=longest or 0)


def look(name: str) -> str:
    """What ``name`` looks like: the same for two names that a reader takes for one.

    Of "Jansen, Zoë" the two halves change places.

    >>> look("Zoë  Jansen") == look("zoe jansen") == look("Zоe Jаnsen")
    True
    >>> look("Jansen, Zoë") == look("Zoë Jansen")
    True
    """
    last, _comma, first = name.partition(",")
    name = f"{first} {last}"
    # Put together first, so that a letter in parts is one; then taken apart, so that its accents fall away.
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name))
    return "".join(_look_of(one) for one in letters if one.isalnum() and one not in BLANK)


class Looks(Generic[Named]):
    """Rows with a ``name``, to be found by what their names look like."""

    def __init__(self, rows: Iterable[Named]) -> None:
        self._rows: dict[str, list[Named]] = {}
        for row in rows:
            self.add(row)

    def add(self, row: Named) -> None:
        self._rows.setdefault(look(row.name), []).append(row)  # type: ignore[attr-defined]

    def find(self, name: str) -> Named | None:
        """The first row whose name looks like ``name``; None if there is none."""
        alike = look(name)
        rows = self._rows.get(alike)
        return rows[0] if alike and rows else None


@lru_cache(maxsize=4096)
def _look_of(character: str) -> str:
    """What ``character`` looks like: a small letter or a digit of ASCII if there is one."""
    plain = character if character.isascii() else _plain(character)
    return "".join(ALIKE.get(one, one) for one in plain.casefold())


def _plain(character: str) -> str:
    """The letter of ASCII that looks like ``character``, of the same case if there are several."""
    alike: set[str] = {
        one["c"] for one in confusables_data.get(character, ()) if len(one["c"]) == 1
    }
    plain = [one for one in alike if one.isascii() and one.isalnum()]
    if not plain:
        return character if character.casefold() in ALIKE else min({character, *alike})
    return min(plain, key=lambda one: (one.isupper() != character.isupper(), one))


def _refused(message: str, code: str) -> ValidationError:
    return ValidationError({"name": ValidationError(message, code=code)})
