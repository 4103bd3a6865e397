"""Reading JSON from a form without being hurt by it."""

import json
from typing import Any

from scoring.models.whole_text import require_whole_text


class BoundedDecoder(json.JSONDecoder):
    """What is nested too deep, or has a number that is too long or half of a character, is no JSON either."""

    def decode(self, s: str, *args: Any) -> Any:
        """:raises json.JSONDecodeError: for all that cannot be read."""
        try:
            value = super().decode(s, *args)
            require_whole_text(value)
            return value
        except (RecursionError, ValueError) as error:
            raise json.JSONDecodeError("Cannot be read", s, 0) from error
