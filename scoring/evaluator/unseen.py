"""Characters that nobody can see."""

import unicodedata

# Control and format characters, halves of characters, private ones, and those that nobody has defined.
FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def unseen_in(text: str) -> str:
    """The code of the first character of ``text`` that nobody can see; empty if there is none.

    >>> unseen_in("a\\u202eb"), unseen_in("ab")
    ('U+202E', '')
    """
    if text.isascii() and text.isprintable():
        return ""
    unseen = (one for one in text if unicodedata.category(one) in FORBIDDEN)
    return next((f"U+{ord(one):04X}" for one in unseen), "")
