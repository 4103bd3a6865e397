"""Text that can be kept and shown: JSON can spell halves of characters (``"\\ud800"``)."""

from typing import Any


def require_whole_text(value: Any) -> None:
    """Refuse what JSON was read as if a text in it, or a name of one, has half of a character.

    :raises UnicodeEncodeError: which is a ``ValueError``, if so.
    """
    match value:
        case str():
            value.encode()
        case list():
            for one in value:
                require_whole_text(one)
        case dict():
            for name, one in value.items():
                require_whole_text(name)
                require_whole_text(one)
