"""What the words of expressions mean, in groups, for those who write rule books.

The pages show these, and the catalogues collect them from here: what one has, the other has.
"""

from typing import NamedTuple

from .expressions import CALLS
from .vocabulary import HAND_FACTS, NAMED, SET_WORDS, SHAPES, TILE_WORDS


class Meanings(NamedTuple):
    """Words with their meanings, by what they are about; those of ``short`` stand for an expression."""

    questions: dict[str, str]
    short: dict[str, str]
    hand: dict[str, str]
    sets: dict[str, str]
    tiles: dict[str, str]


def meanings() -> Meanings:
    """Every word that an expression may have.

    >>> meanings().tiles["own_wind"], meanings().short["chows"]
    ('the wind of the player’s seat', 'count(chow)')
    """
    sets = {name: word.meaning for name, word in SET_WORDS.items() if name not in TILE_WORDS}
    tiles = {name: word.meaning for name, word in TILE_WORDS.items()}
    in_words = (CALLS, {**HAND_FACTS, **SHAPES}, sets, tiles)
    questions, hand, sets, tiles = map(_printed, in_words)
    return Meanings(questions, NAMED, hand, sets, tiles)


def _printed(known: dict[str, str]) -> dict[str, str]:
    """With the apostrophe of print, as every sentence on a page has it."""
    return {word: meaning.replace("'", "’") for word, meaning in known.items()}
