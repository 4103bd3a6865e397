"""Names of people, leagues and the club: how they are kept, which are the same, and which look alike."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Generic, TypeVar

from confusable_homoglyphs.confusables import confusables_data
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.utils.translation import gettext as _

from scoring.evaluator.unseen import FORBIDDEN, unseen_in

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
