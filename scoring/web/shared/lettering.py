"""How wide a text is about, before anybody draws it: for pictures made on the server."""

from unicodedata import east_asian_width

# The mean width of a bold letter, in parts of its height; Chinese characters are square.
LETTER, SQUARE = 0.6, 1.0


def is_square(character: str) -> bool:
    """Whether ``character`` is as wide as high: Chinese characters, kana, Hangul."""
    return east_asian_width(character) in "WF"


def width(text: str) -> float:
    """About how wide ``text`` is, in parts of the height of its letters."""
    return sum(SQUARE if is_square(one) else LETTER for one in text)


def shortened(text: str, room: float) -> str:
    """``text``, or its beginning and an ellipsis, so that it is at most ``room`` wide (as in :func:`width`).

    >>> shortened("Margaret Whitcombe", 6)
    'Margaret…'
    """
    if width(text) <= room:
        return text
    kept = text
    while kept and width(f"{kept}…") > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
