"""The peer: `mahjong`, the pure-Python calculator that riichi sites use, on the same hands.

It scores another kind of Mah Jongg, so the figures say how much work such a library makes of a hand,
not that one is better. It is given its own arrays, we are given text.
"""

from mahjong.constants import EAST, NORTH, SOUTH, WEST
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.shanten import Shanten

from .hands import Typed

WIND = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}

Asked = tuple[list[int], int, HandConfig]


def asked(hand: Typed) -> Asked:
    """The hand as the peer wants it: its numbers of tiles, the winning tile drawn, the winds."""
    held: list[int] = []
    for tile in hand.tiles:
        held.append(4 * _kind(tile.index) + sum(_kind(tile.index) == one // 4 for one in held))
    # A hand needs a "yaku" there: a concealed ready hand has one.
    config = HandConfig(
        is_riichi=True, player_wind=WIND[hand.seat], round_wind=WIND[hand.prevailing]
    )
    return held, held[-1], config


def estimate(question: Asked) -> None:
    held, last, config = question
    answer = HandCalculator.estimate_hand_value(held, last, config=config)
    assert answer.error is None, answer.error


def counted(hand: Typed) -> list[int]:
    """The hand as the peer wants it to tell how far from winning it is: how many of each kind."""
    held = [0] * 34
    for tile in hand.tiles:
        held[_kind(tile.index)] += 1
    return held


def shanten(held: list[int]) -> int:
    """Tiles missing until it waits, by their count of sets: one less than exchanges until it wins."""
    return Shanten.calculate_shanten(held)


def _kind(index: int) -> int:
    """Their order of the 34 kinds: characters, dots, bamboo, winds, White, Green, Red."""
    if index < 27:
        return index + 18 if index < 9 else index - 9
    return index if index < 31 else 31 + {31: 2, 32: 1, 33: 0}[index]
