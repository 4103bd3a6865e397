"""The files of the books that come with the site."""

import pickle
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data"


@cache
def shipped() -> tuple[str, ...]:
    """The slugs of the books that come with the site."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def text_of(slug: str) -> str:
    """The file of a shipped book.

    :raises KeyError: if there is none of this slug.
    """
    if slug not in shipped():
        raise KeyError(slug)
    return (FOLDER / f"{slug}.toml").read_text(encoding="utf-8")


def as_data(slug: str) -> dict[str, Any]:
    """The file of a shipped book, as data of its own for each who asks.

    :raises KeyError: if there is none of this slug.
    """
    data: dict[str, Any] = pickle.loads(_pickled(slug))
    return data


@cache
def _pickled(slug: str) -> bytes:
    """A copy is made of this in a twentieth of the time that reading the file takes."""
    return pickle.dumps(tomllib.loads(text_of(slug)))
