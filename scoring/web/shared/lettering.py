"""Estimate how wide a text is, for pictures made on the server."""

from unicodedata import east_asian_width

# The mean width of a bold letter, in parts of its height; Chinese characters are square, and W nearly.
LETTER, SQUARE, WIDE, WIDE_LETTERS = 0.6, 1.0, 0.9, frozenset("MWmw@")


def is_square(character: str) -> bool:
    """Whether ``character`` is as wide as high: Chinese characters, kana, Hangul."""
    return east_asian_width(character) in "WF"


def width(text: str, letter: float = LETTER) -> float:
    """About how wide ``text`` is, in parts of the height of its letters; ``letter`` is that of one."""
    return sum(
        SQUARE if is_square(one) else WIDE if one in WIDE_LETTERS else letter for one in text
    )


def fitted(
    text: str, room: float, sizes: tuple[int, int], *, letter: float = LETTER
) -> tuple[str, int]:
    """``text`` and the height of its letters: the largest of ``sizes`` that fits in ``room``; the smallest cuts it."""
    smallest, largest = sizes
    size = min(largest, max(smallest, int(room / max(width(text, letter), 1))))
    return shortened(text, room / size, letter=letter), size


def shortened(text: str, room: float, *, letter: float = LETTER, tail: int = 0) -> str:
    """``text``, or its beginning and an ellipsis, so that it is at most ``room`` wide (as in :func:`width`).

    :param tail: how many letters of its end stay, too: what tells short names apart.

    >>> shortened("Margaret Whitcombe", 6)
    'Margaret…'
    """
    shown, end = text, text[len(text) - tail :]
    while text and width(shown, letter) > room:
        text = text[:-1]
        shown = f"{text.rstrip()}…{end}"
    return shown
