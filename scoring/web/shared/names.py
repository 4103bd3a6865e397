"""Names for narrow places: as short as the others at the table allow."""

from collections.abc import Sequence

# What may stand behind the first word of a name, and is no part of it.
SIGNS = ",:;，：；、"


def short_names(names: Sequence[str]) -> list[str]:
    """The first names; of those that are alike, with as much of the last name as tells them apart.

    No two are the same as long as no two of ``names`` are.

    >>> short_names(["Margaret Whitcombe", "José Luis Fernández", "Margaret Wells", "Ann"])
    ['Margaret Wh.', 'José', 'Margaret We.', 'Ann']
    >>> short_names(["Player 1", "Player 12"])
    ['Player 1', 'Player 12']
    >>> short_names(["O'Brien, Pat", "Ann: the second", "Ann,", "Ann"])
    ["O'Brien", 'Ann s.', 'Ann,', 'Ann']
    """
    return [_short(name, [other for other in names if other != name]) for name in names]


def _short(name: str, others: Sequence[str]) -> str:
    first, *rest = name.split() or [name]
    alike = [other for other in others if _words(other)[0] == _words(name)[0]]
    first = first.rstrip(SIGNS) or first
    if not alike:
        return first
    if not rest:
        return name
    last = rest[-1]
    for length in range(1, len(last)) if last[0].isalpha() else ():
        if not any(_words(other)[-1].startswith(last[:length].casefold()) for other in alike):
            return f"{first} {last[:length]}."
    return name


def _words(name: str) -> list[str]:
    return [word.rstrip(SIGNS) or word for word in name.casefold().split()] or [""]
