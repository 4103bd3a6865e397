"""The picture of a link preview: a title and a short table, drawn as PNG, which messengers show.

The fonts come with packages, so that every server draws the same letters.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from resvg_py import svg_to_bytes

from scoring.models import known_club

from ..shared.lettering import fitted, is_square

LINES = 5
TOP, STEP = 304, 68
# How wide the texts may be, in units of the picture, and the heights of their letters: as large as fits.
Room = tuple[int, tuple[int, int]]
TITLE: Room = (1060, (30, 56))
CLUB: Room = (1060, (20, 28))
LEAD: Room = (1060, (20, 30))
NAME: Room = (720, (24, 36))
FONTS = (
    files("fontpkg_noto_sans") / "files" / "NotoSans[wdth,wght].ttf",
    files("noto_cjk_sans_otc") / "NotoSansCJK-Regular.ttc",
)
# Some characters are written differently in Taiwan and in Japan: of the two, the site is for the first.
CHINESE = '<tspan font-family="Noto Sans CJK TC">{}</tspan>'
# Letters that no font of these has: they would be drawn as empty boxes.
UNDRAWN = re.compile(
    "[^ -~\xa0-\u03e1\u0400-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2116\u2212"
    "\u2e80-\u31ba\u3400-\u4db5\u4e00-\u9fef\uac00-\ud7a3\uf900-\ufa6d\uff01-\uffee]"
)


class DrawnText(str):
    """A text that can be drawn: without letters that are in no font, and with letters of a ``size`` for its room."""

    size: int

    def __new__(cls, text: object, room: Room) -> "DrawnText":
        drawn = " ".join(UNDRAWN.sub("", str(text)).split())
        fitting, size = fitted(drawn, *room)
        made = super().__new__(cls, fitting or "\N{EN DASH}")
        made.size = size
        return made

    @property
    def runs(self) -> SafeString:
        """The text for its element, Chinese and other letters each in their font."""
        runs = groupby(self, is_square)
        return format_html_join("", "{}", ([_run(square, "".join(run))] for square, run in runs))


def _run(square: bool, text: str) -> str:
    return format_html(CHINESE, text) if square else text


@dataclass(frozen=True, slots=True)
class CardLine:
    """A line of the table; ``y`` is where it stands."""

    rank: str
    name: DrawnText
    figure: str
    y: int


@dataclass(frozen=True, slots=True)
class SharedCard:
    """What is drawn."""

    club: DrawnText
    title: DrawnText
    lead: DrawnText
    lines: list[CardLine]


def card(title: object, lead: object, rows: Iterable[tuple[int | None, object, str]]) -> SharedCard:
    """A card with the first of ``rows``: rank, name and figure."""
    return SharedCard(
        DrawnText(known_club(), CLUB),
        DrawnText(title, TITLE),
        DrawnText(lead, LEAD),
        [
            CardLine(
                "" if rank is None else str(rank),
                DrawnText(name, NAME),
                figure,
                TOP + STEP * number,
            )
            for number, (rank, name, figure) in zip(range(LINES), rows, strict=False)
        ],
    )


def picture(request: HttpRequest, shown: SharedCard) -> HttpResponse:
    """``shown`` as PNG of 1200 × 630; 304 for who has it already."""
    drawing = render_to_string("sharing/card.svg", {"card": shown})
    etag = f'"{sha256(drawing.encode()).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(drawn(drawing), content_type="image/png")
    response.headers["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    return response


@lru_cache(maxsize=64)
def drawn(drawing: str) -> bytes:
    """``drawing``, an SVG, as PNG."""
    fonts = [str(font) for font in FONTS]
    return svg_to_bytes(drawing, skip_system_fonts=True, font_files=fonts)
