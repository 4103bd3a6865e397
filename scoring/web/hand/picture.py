"""A winning hand as a picture for sharing: its tiles set by set, and the final score.

Messengers show PNG, so the drawing is made there. It has no words: no font has to be on the server,
and everybody can read it. The words stand beside it, in the page's ``og:title``.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from resvg_py import svg_to_bytes

from scoring.evaluator.notation import parse_tiles
from scoring.models import Hand

WIDTH, HEIGHT = 1200, 630
MARGIN = 70
TILE_WIDTH, TILE_HEIGHT = 60, 84
BETWEEN = 22  # sets, in the units of a tile
LARGEST = 2.1  # times a tile
FELT, SHADE, GOLD = "#15694a", "#0f4f38", "#f4d58d"

SPRITE = Path(__file__).parents[2] / "static" / "scoring" / "tiles.svg"
# The sprite takes its colours from the page and says here what they are without one.
COLOUR = re.compile(r"var\(--[a-z-]+, ([^)]*)\)")
FIGURE = re.compile(r'<path id="i-(\d)"[^>]* d="([^"]+)"')
NOUGHT = "M3.5.9A2.7 4.65 0 1 1 3.5 10.2 2.7 4.65 0 1 1 3.5.9"
FIGURE_WIDTH, FIGURE_HEIGHT, FIGURE_SIZE = 9, 11, 10
BAND = 164  # below the tiles, for the score

Sets = tuple[tuple[str, ...], ...]


def sets_to_show(hand: Hand) -> Sets | None:
    """The codes of the hand's tiles, set by set; None for a hand that has none to show."""
    if not hand.is_win or not hand.card or not hand.tiles:
        return None
    if sets := hand.card["sets"]:
        return tuple(tuple(one_set["tiles"]) for one_set in sets)
    codes = [tile.code for tile in sorted(parse_tiles(hand.tiles))]
    return tuple(codes[:7]), tuple(codes[7:])


@lru_cache(maxsize=64)
def draw(sets: Sets, final: int) -> bytes:
    """A PNG of 1200 × 630: ``sets`` of codes in two rows, ``final`` below them."""
    middle = (len(sets) + 1) // 2
    rows = [row for row in (sets[:middle], sets[middle:]) if row]
    size = min(LARGEST, (WIDTH - 2 * MARGIN) / max(map(_length, rows)))
    step = (TILE_HEIGHT + BETWEEN) * size
    top = (HEIGHT - BAND - len(rows) * step + BETWEEN * size) / 2
    parts = [_row(row, top + i * step, size) for i, row in enumerate(rows)]
    return svg_to_bytes(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f"{_drawings()}"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{FELT}"/>'
        f'<rect y="{HEIGHT - BAND}" width="{WIDTH}" height="{BAND}" fill="{SHADE}"/>'
        f"{''.join(parts)}{_figures(final, HEIGHT - BAND / 2)}</svg>",
        skip_system_fonts=True,
    )


def _row(sets: Sequence[Sequence[str]], top: float, size: float) -> str:
    left = (WIDTH - _length(sets) * size) / 2
    drawn, at = [], 0
    for codes in sets:
        for code in codes:
            drawn.append(
                f'<use href="#t-{code}" x="{at}" width="{TILE_WIDTH}" height="{TILE_HEIGHT}"/>'
            )
            at += TILE_WIDTH
        at += BETWEEN
    return f'<g transform="translate({left:.1f} {top:.1f}) scale({size:.3f})">{"".join(drawn)}</g>'


def _length(sets: Sequence[Sequence[str]]) -> int:
    return sum(map(len, sets)) * TILE_WIDTH + (len(sets) - 1) * BETWEEN


def _figures(number: int, middle: float) -> str:
    figures = str(number)
    left = (WIDTH - (len(figures) * FIGURE_WIDTH - 2) * FIGURE_SIZE) / 2
    top = middle - FIGURE_HEIGHT * FIGURE_SIZE / 2
    strokes = [
        f'<path transform="translate({i * FIGURE_WIDTH})" d="{_outlines()[figure]}"/>'
        for i, figure in enumerate(figures)
    ]
    return (
        f'<g transform="translate({left:.1f} {top:.1f}) scale({FIGURE_SIZE})" fill="none" '
        f'stroke="{GOLD}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(strokes)}</g>"
    )


@cache
def _drawings() -> str:
    """The sprite's drawings, in colours of their own."""
    sprite = COLOUR.sub(r"\1", SPRITE.read_text())
    return sprite[sprite.index("<defs>") : sprite.rindex("</svg>")]


@cache
def _outlines() -> dict[str, str]:
    return {"0": NOUGHT, **dict(FIGURE.findall(SPRITE.read_text()))}
