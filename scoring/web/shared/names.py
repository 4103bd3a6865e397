"""Names for narrow places: as short as the others at the table allow."""

from collections.abc import Sequence


def short_names(names: Sequence[str]) -> list[str]:
    """The first names; of those that are alike, with as much of the last name as tells them apart.

    No two are the same as long as no two of ``names`` are.

    >>> short_names(["Margaret Whitcombe", "José Luis Fernández", "Margaret Wells", "Ann"])
    ['Margaret Wh.', 'José', 'Margaret We.', 'Ann']
    >>> short_names(["Player 1", "Player 12"])
    ['Player 1', 'Player 12']
    """
    return [_short(name, [other for other in names if other != name]) for name in names]


def _short(name: str, others: Sequence[str]) -> str:
    first, *rest = name.split() or [name]
    alike = [other for other in others if _words(other)[0] == first.casefold()]
    if not alike or not rest:
        return first
    last = rest[-1]
    for length in range(1, len(last)) if last[0].isalpha() else ():
        if not any(_words(other)[-1].startswith(last[:length].casefold()) for other in alike):
            return f"{first} {last[:length]}."
    return name


def _words(name: str) -> list[str]:
    return name.casefold().split() or [""]
