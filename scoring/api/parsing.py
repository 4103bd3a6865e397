"""Reading request bodies without being hurt by them."""

import codecs
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser, get_encoding  # type: ignore[attr-defined]
from rest_framework.utils import json

from scoring.models.whole_text import require_whole_text

UNREADABLE = gettext_noop("The body cannot be read: send JSON in UTF-8, without NaN or Infinity.")


class ShallowJSONParser(JSONParser):
    """JSON of a sane depth, in whole characters, that says everything once: of two figures of one name one would be lost.

    What is wrong with it is said in the reader's language, not in the words of Python.
    """

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            encoding = get_encoding(parser_context or {})
        except ParseError as error:
            raise ParseError(_(UNREADABLE)) from error
        try:
            text = codecs.getreader(encoding)(stream).read()
            value = json.loads(text, object_pairs_hook=_each_once)
            require_whole_text(value)
            return value
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deep.")) from error
        except UnicodeEncodeError as error:
            raise ParseError(_("The JSON spells half of a character.")) from error
        except ValueError as error:
            # Of a number that is too long Python says how a programmer would let it in.
            if "set_int_max_str_digits" in str(error):
                raise ParseError(_("A number in the JSON has too many digits.")) from error
            raise ParseError(_(UNREADABLE)) from error


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON.

    :raises ParseError: if it says something twice.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            message = _("The JSON says “%(name)s” twice: send it once.")
            shown = name[:40].encode(errors="replace").decode()
            raise ParseError(message % {"name": shown})
        found[name] = value
    return found
