"""A file of cases as data."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_noop

from scoring.evaluator.problems import refuse


@lru_cache(maxsize=4)
def read_data(path: Path) -> Any:
    """What the JSON file at ``path`` says.

    :raises HandError: if it cannot be read.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        template = gettext_noop("“{file}” cannot be read: {why}")
        raise refuse("file", "unreadable", template, file=path.name, why=error) from None
