"""Reading request bodies without being hurt by them."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from scoring.models.whole_text import require_whole_text


class ShallowJSONParser(JSONParser):
    """JSON of a sane depth, in whole characters: REST framework takes what is neither for a bug.

    What is wrong with it is said in the reader's language, not in the words of Python.
    """

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            value = super().parse(stream, media_type, parser_context)
            require_whole_text(value)
            return value
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deep.")) from error
        except UnicodeEncodeError as error:
            raise ParseError(_("The JSON spells half of a character.")) from error
        except ParseError as error:
            # Of a number that is too long Python says how a programmer would let it in.
            if "set_int_max_str_digits" in str(error):
                raise ParseError(_("A number in the JSON has too many digits.")) from error
            message = _("The body cannot be read: send JSON in UTF-8, without NaN or Infinity.")
            raise ParseError(message) from error
