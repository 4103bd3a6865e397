"""Reading JSON from a form without being hurt by it."""

import json
from typing import Any


class BoundedDecoder(json.JSONDecoder):
    """What is nested too deep, or has a number that is too long, is no JSON either."""

    def decode(self, s: str, *args: Any) -> Any:
        """:raises json.JSONDecodeError: for all that cannot be read."""
        try:
            return super().decode(s, *args)
        except (RecursionError, ValueError) as error:
            raise json.JSONDecodeError("Cannot be read", s, 0) from error
