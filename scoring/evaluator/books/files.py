"""The files of the books that come with the site."""

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data"


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
    """The file of a shipped book, as data.

    :raises KeyError: if there is none of this slug.
    """
    return tomllib.loads(text_of(slug))
