"""A second peer: PyMahjongGB, which counts the fans of Chinese official rules in C++.

It has to be compiled, so it is measured only where somebody has installed it.
"""

from .hands import Typed

try:
    from MahjongGB import MahjongFanCalculator
except ImportError:
    MahjongFanCalculator = None

INSTALLED = MahjongFanCalculator is not None
SUITS = {"B": "T", "C": "W", "D": "B"}
HONORS = {"E": "F1", "S": "F2", "W": "F3", "N": "F4", "R": "J1", "G": "J2", "Wh": "J3"}

Asked = tuple[tuple[str, ...], str, int, int]


def asked(hand: Typed) -> Asked:
    """The hand as the peer wants it: thirteen tiles, the winning one, the winds by number."""
    named = [HONORS.get(tile.code) or SUITS[tile.code[1]] + tile.code[0] for tile in hand.tiles]
    return tuple(named[:-1]), named[-1], "ESWN".index(hand.seat), "ESWN".index(hand.prevailing)


def count(question: Asked) -> object:
    held, last, seat, prevailing = question
    return MahjongFanCalculator((), held, last, 0, True, False, False, False, seat, prevailing)
