"""Parts of pictures: round ticks, scales, texts that fit, and elements of SVG.

A drawing is ``WIDTH`` units wide, about the pixels of a phone. On a page the sheet ``graph/graph.css``
gives it its colours and, where there is more room, smaller letters; alone it carries ``PAINT``.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from itertools import count

from django.utils.safestring import SafeString, mark_safe

from scoring.translation import comma

from .. import lettering

WIDTH = 340
# Around a drawing that stands alone; above it for what it is, besides a line for each thing that it is about.
MARGIN, HEAD = 10, 30
LINE_ABOUT, ABOUT_SIZES, NOTE_SIZE = 18, (9, 12), 10
# The height of letters, and how far apart lines of them are.
LETTERS, LINE = 12, 13.5
# About how wide a letter is, in parts of its height.
LETTER = 0.62

Point = tuple[float, float]

INK, SOFT, PAPER, JADE, RED = "#1b211e", "#545b56", "#fffdf8", "#0c6b50", "#a8261d"
HUES = (JADE, RED, "#24497d", "#754c00", "#7a2f63")
DASHES = ("", "6 3", "2 3")

# How an element of each class looks alone, without the sheet of the site.
PAINT: dict[str, dict[str, str]] = {
    "paper": {"fill": PAPER},
    "heading": {"fill": INK, "font-size": "16", "font-weight": "bold"},
    "subheading": {"fill": SOFT},
    "note": {"fill": SOFT, "font-size": str(NOTE_SIZE)},
    "grid": {"stroke": "#ddd6c4"},
    "zero": {"stroke": "#8a8271"},
    "tick": {"fill": SOFT, "font-size": "11"},
    "label": {"fill": INK, "font-size": "12"},
    "line": {"fill": "none", "stroke-width": "2", "stroke-linejoin": "round"},
    "leader": {"fill": "none", "stroke-width": "0.75"},
    "band": {"fill": JADE, "fill-opacity": "0.18"},
    "bar": {"fill": JADE},
    "cell": {"stroke": PAPER},
    "cell--none": {"fill": "#efe9da"},
    "sign": {"fill": INK, "font-size": "13", "font-weight": "bold", "text-anchor": "middle"},
    **{f"ink--{n}": {"fill": hue} for n, hue in enumerate(HUES)},
    **{f"stroke--{n}": {"stroke": hue} for n, hue in enumerate(HUES)},
    **{f"dash--{n}": {"stroke-dasharray": dash} for n, dash in enumerate(DASHES) if dash},
    **{f"cell--won-{n}": {"fill": JADE, "fill-opacity": str(n * 0.2)} for n in range(1, 4)},
    **{f"cell--lost-{n}": {"fill": RED, "fill-opacity": str(n * 0.2)} for n in range(1, 4)},
}


class Drawing:
    """Shapes and texts in a box of ``WIDTH`` by ``height`` units, the first lying lowest."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.shapes: list[ET.Element] = []

    def add(self, tag: str, classes: str, text: str = "", **places: float | str) -> None:
        """A ``tag`` with ``classes`` (words of the sheet) at ``places``; numbers are in units."""
        named = " ".join(f"graph__{one}" for one in classes.split())
        attributes = {
            name.replace("_", "-"): value if isinstance(value, str) else _unit(value)
            for name, value in places.items()
        }
        shape = ET.Element(tag, {"class": named, **attributes})
        shape.text = text or None
        self.shapes.append(shape)

    def text(self, classes: str, text: str, x: float, y: float, anchor: str = "start") -> None:
        """``text`` on the height ``y``, beside ``x``: "start", "middle" or "end" of it lies there."""
        self.add("text", classes, text, x=x, y=y, text_anchor=anchor)

    def path(self, classes: str, points: Iterable[Point]) -> None:
        """A line through ``points``."""
        self.add("polyline", classes, points=_points(points))

    def area(self, classes: str, corners: Iterable[Point]) -> None:
        """What lies within ``corners``."""
        self.add("polygon", classes, points=_points(corners))

    def below(self, heading: str, other: "Drawing") -> None:
        """Put ``other`` below what is there, under a ``heading``; the box grows."""
        top = self.height + 2 * LINE
        self.text("label", fitted(heading, WIDTH), 0, top - LINE / 2)
        group = ET.Element("g", {"transform": f"translate(0 {_unit(top)})"})
        group.extend(other.shapes)
        self.shapes.append(group)
        self.height = top + other.height

    def on_page(self, name: str, title: str, description: str) -> SafeString:
        """The drawing within a page, said in words; ``name`` is its own on the page."""
        root = _picture(name, title, description, viewBox=f"0 0 {WIDTH} {_unit(self.height)}")
        root.extend(self.shapes)
        # ElementTree has escaped every text.
        return mark_safe(ET.tostring(root, encoding="unicode"))

    def alone(self, title: str, subtitles: Sequence[str], description: str, note: str = "") -> str:
        """The drawing as a file, which says on top what it is and below how it is read, and needs no sheet."""
        top, notes = HEAD + LINE_ABOUT * len(subtitles), wrapped(note, WIDTH / NOTE_SIZE)
        below = self.height + LINE * len(notes)
        wide, high = WIDTH + 2 * MARGIN, top + below + MARGIN
        root = _picture(
            "graph",
            comma().join([title, *subtitles]),
            description,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"{-MARGIN} {-top} {wide} {_unit(high)}",
            width=_unit(2 * wide),
            height=_unit(2 * high),
            font_family="system-ui, 'Noto Sans', 'Noto Sans CJK TC', sans-serif",
        )
        around = Drawing(top)
        around.add("rect", "paper", x=-MARGIN, y=-top, width=wide, height=high)
        around.text("heading", fitted(title, WIDTH, 16), 0, 20 - top)
        for y, subtitle in enumerate(subtitles):
            text, size = lettering.fitted(subtitle, WIDTH, ABOUT_SIZES, letter=LETTER)
            height = 38 + LINE_ABOUT * y - top
            around.add("text", "subheading", text, x=0, y=height, font_size=size)
        for y, text in enumerate(notes, start=1):
            around.add("text", "note", text, x=0, y=self.height + LINE * y)
        root.extend(map(_painted, [*around.shapes, *self.shapes]))
        return ET.tostring(root, encoding="unicode")


def _picture(name: str, title: str, description: str, **attributes: str) -> ET.Element:
    """An empty picture that a screen reader reads as ``title`` and ``description``."""
    attributes = {key.replace("_", "-"): value for key, value in attributes.items()}
    named = {"role": "img", "aria-labelledby": f"{name}-title", "aria-describedby": f"{name}-desc"}
    root = ET.Element("svg", {**named, **attributes})
    for tag, text in (("title", title), ("desc", description)):
        ET.SubElement(root, tag, {"id": f"{name}-{tag}"}).text = text
    return root


def _painted(shape: ET.Element) -> ET.Element:
    """``shape`` with the looks of its classes in their place."""
    classes = [one.removeprefix("graph__") for one in shape.get("class", "").split()]
    looks = {name: look for one in classes for name, look in PAINT.get(one, {}).items()}
    places = {name: value for name, value in shape.attrib.items() if name != "class"}
    painted = ET.Element(shape.tag, {**looks, **places})
    painted.text = shape.text
    painted.extend(map(_painted, shape))
    return painted


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{_unit(x)},{_unit(y)}" for x, y in points)


def _unit(value: float) -> str:
    return f"{round(value, 1):g}"


def round_ticks(low: int, high: int, most: int = 6) -> list[int]:
    """Round whole numbers, evenly apart, from at most ``low`` to at least ``high``; two or more.

    >>> round_ticks(-130, 420)
    [-200, 0, 200, 400, 600]
    >>> round_ticks(0, 0)
    [0, 1]
    """
    sizes = (factor * 10**power for power in count() for factor in (1, 2, 5))
    for step in sizes:
        first, last = low // step, max(-(-high // step), low // step + 1)
        if last - first < most:
            return [number * step for number in range(first, last + 1)]
    raise AssertionError


def text_width(text: str, letters: float = LETTERS) -> float:
    """About how wide ``text`` is in letters of that height, in units."""
    return letters * lettering.width(text, LETTER)


def fitted(text: str, width: float, letters: float = LETTERS, *, tail: int = 0) -> str:
    """``text``, or as much of its beginning as is no wider than ``width``, with an ellipsis.

    :param tail: how many letters of its end stay, too: what tells short names apart.
    """
    return lettering.shortened(text, width / letters, letter=LETTER, tail=tail)


def wrapped(text: str, room: float) -> list[str]:
    """``text`` in lines that are at most ``room`` wide, in parts of the height of letters.

    >>> wrapped("+ is won, − is lost", 6)
    ['+ is won,', '− is lost']
    """
    lines: list[str] = []
    # Between Chinese characters there is no space, and a line may end behind each.
    for word in re.findall(
        r"[\u2e80-\u9fff\uff00-\uffef]|[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|\s+", text
    ):
        if lines and lettering.width((lines[-1] + word).rstrip(), LETTER) <= room:
            lines[-1] += word
        else:
            lines.append(word)
    return [line.strip() for line in lines]


def every(number: int, least: float, room: float) -> range:
    """Which of ``number`` places in ``room`` are named, the last one with them, if one takes ``least``."""
    apart = room / max(number - 1, 1)
    step = next(step for step in count(1) if step * apart >= least or step >= number)
    return range((number - 1) % step, number, step)


def thinned(number: int, most: int) -> list[int]:
    """``most`` of ``number`` places, evenly apart, the first and the last one with them; all if few."""
    if number <= most:
        return list(range(number))
    return [round(place * (number - 1) / (most - 1)) for place in range(most)]


def spread(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """``heights`` moved so that lines of text on them do not overlap, and stay where there is room."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = dict(enumerate(heights))
    for place in order:
        top = placed[place] = max(placed[place], top)
        top += LINE
    for place in reversed(order):
        bottom = placed[place] = min(placed[place], bottom)
        bottom -= LINE
    return [placed[place] for place in range(len(heights))]
