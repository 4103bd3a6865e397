"""What pictures say: points on the heights of their figures, texts that lie within and beside each other."""

import re
import xml.etree.ElementTree as ET
from datetime import date, timedelta
from itertools import pairwise

import pytest

from scoring.figures import whole
from scoring.queries.graphs import Course
from scoring.web.shared.graphs.band import BandPoint, band
from scoring.web.shared.graphs.bars import Bar, bars, in_steps
from scoring.web.shared.graphs.drawing import (
    NOTE_SIZE,
    WIDTH,
    fitted,
    round_ticks,
    text_width,
    thinned,
)
from scoring.web.shared.graphs.heat import heat
from scoring.web.shared.graphs.lines import Series, lines
from scoring.web.shared.graphs.running import running
from scoring.web.shared.names import short_names

pytestmark = pytest.mark.sqlite

LONG = [f"{'Wilhelmina-Alexandra' * 2} van {number:02} den Bergh-Ng" for number in range(10)]
SERIES = {
    "ten": [Series(name, [0, 7 * n, 40 - 13 * n]) for n, name in enumerate("ABCDEFGHIJ")],
    "one player, one evening": [Series("Ann", [0, 420])],
    "negative only": [Series("Ann", [-5, -120, -90]), Series("Ben", [-7, -8, -9])],
    "all zero": [Series(name, [0, 0, 0]) for name in "ABCD"],
    "long names": [Series(name, [0, 10, 1_000_000]) for name in short_names(LONG)],
    "Chinese": [Series(name, [0, 3]) for name in ("陳大文", "王小明先生女士公司俱樂部", "李")],
    "many evenings": [Series(name, [n * len(name) for n in range(60)]) for name in ("A", "BB")],
}


def parts(drawing, tag, word=""):
    """The elements ``tag`` of a ``drawing`` that have the class ``word``."""
    root = ET.fromstring(drawing.on_page("it", "title", "description"))
    return [one for one in root.iter(tag) if f"graph__{word}" in one.get("class", "")]


def points(element):
    return [tuple(map(float, one.split(","))) for one in element.get("points").split()]


def scale_of(drawing):
    """What figure a height stands for, as the figures beside the lines across say."""
    heights = [float(one.get("y1")) for one in parts(drawing, "line")]
    texts = [one.text for one in parts(drawing, "text", "tick") if one.get("text-anchor") == "end"]
    figures = [int(re.sub("[^0-9-]", "", text.replace("\N{MINUS SIGN}", "-"))) for text in texts]
    (low, high), (bottom, top) = (figures[0], figures[-1]), (heights[0], heights[-1])
    return lambda y: low + (y - bottom) / (top - bottom) * (high - low)


def close(found, wanted, drawing):
    """Equal as far as a tenth of a unit, in which places are given, tells."""
    scale = scale_of(drawing)
    return found == pytest.approx(wanted, abs=abs(scale(0.2) - scale(0)))


def boxes(drawing):
    """Left, right, top and bottom of each text."""
    for one in parts(drawing, "text"):
        letters = 12 if "label" in one.get("class") else 11
        width, x, y = text_width(one.text, letters), float(one.get("x")), float(one.get("y"))
        left = {"start": x, "middle": x - width / 2, "end": x - width}[one.get("text-anchor")]
        yield left, left + width, y - letters * 0.75, y + letters * 0.15


def overlaps(one, other):
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def assert_texts_are_apart(drawing):
    found = list(boxes(drawing))
    assert found
    for number, one in enumerate(found):
        assert one[0] >= -0.1, one
        assert one[1] <= WIDTH + 0.1, one
        assert -1 <= one[2] <= one[3] <= drawing.height + 1, one
        assert not any(overlaps(one, other) for other in found[:number]), one


@pytest.mark.parametrize("name", SERIES)
def test_lines_go_through_their_figures_and_end_at_their_names(name):
    series = SERIES[name]
    places = len(series[0].values)
    drawing = lines(series, ["", *(f"{day} Nov 2026" for day in range(1, places))])
    scale = scale_of(drawing)
    drawn = [points(one) for one in parts(drawing, "polyline", "line")]
    for one, path in zip(reversed(series), drawn, strict=True):
        assert close([scale(y) for _x, y in path], list(one.values), drawing)
        assert [x for x, _y in path] == sorted(x for x, _y in path)
    assert_texts_are_apart(drawing)


def test_ten_lines_differ_without_their_colours():
    marks = [one.get("points") for one in parts(lines(SERIES["ten"], "012"), "polygon", "mark")]
    assert len(marks) == 10
    dashes = [
        re.search("dash--.", one.get("class"))[0]
        for one in parts(lines(SERIES["ten"], "012"), "polyline", "line")
    ]
    assert set(dashes) == {"dash--0", "dash--1"}


@pytest.mark.parametrize("number", [2, 30])
def test_a_band_lies_between_its_edges(number):
    figures = [BandPoint(1000 + 9 * n, 600 + 15 * n, 1400 + 3 * n) for n in range(number)]
    drawing = band(figures, [f"{n + 1} Nov 2026" for n in range(number)])
    scale = scale_of(drawing)
    (line,) = parts(drawing, "polyline", "line")
    assert close([scale(y) for _x, y in points(line)], [one.value for one in figures], drawing)
    (area,) = parts(drawing, "polygon", "band")
    edges = [*(one.high for one in figures), *(one.low for one in reversed(figures))]
    assert close([scale(y) for _x, y in points(area)], edges, drawing)
    assert_texts_are_apart(drawing)


def test_the_band_of_one_figure_is_seen():
    drawing = band([BandPoint(1000, 600, 1400)], ["1 Nov 2026"])
    (area,) = parts(drawing, "polygon", "band")
    xs, ys = zip(*points(area), strict=True)
    assert max(xs) - min(xs) > 5
    scale = scale_of(drawing)
    assert close([scale(min(ys)), scale(max(ys))], [1400, 600], drawing)
    assert_texts_are_apart(drawing)


@pytest.mark.parametrize(
    "counts",
    [{40: 1}, {20: 3, 500: 12_345}, {n * 100: n for n in range(1, 300)}, {0: 2, 8: 1}],
)
def test_bars_hold_every_figure_once(counts):
    steps = in_steps(counts)
    assert sum(bar.number for bar in steps) == sum(counts.values())
    assert len(steps) <= 14
    assert all(one.last + 1 == other.first for one, other in pairwise(steps))
    drawing = bars(steps)
    scale = scale_of(drawing)
    tops = [float(one.get("y")) for one in parts(drawing, "rect")]
    assert close([scale(y) for y in tops], [bar.number for bar in steps], drawing)


def test_steps_of_an_axis_are_round():
    assert in_steps({10: 1, 55: 2, 99: 4})[0] == Bar(10, 19, 1)
    assert in_steps({}) == []


def test_a_square_of_the_heat_map_has_a_sign_beside_its_colour():
    drawing = heat(["Ann", "Ben", "Cai"], [[None, 900, 100], [-900, None, 0], [-100, 0, None]])
    kinds = [one.get("class").split("cell--")[1] for one in parts(drawing, "rect", "cell")]
    assert kinds == ["none", "won-3", "won-1", "lost-3", "none", "none", "lost-1", "none", "none"]
    signs = [one.text for one in parts(drawing, "text", "sign")]
    assert signs == ["+", "+", "\N{MINUS SIGN}", "\N{MINUS SIGN}"]


def test_texts_of_twelve_long_names_are_apart():
    names = short_names([*LONG, "A Long", "B Short"])
    assert_texts_are_apart(heat(names, [[100] * 12 for _name in names]))


def test_a_graph_alone_needs_nothing_else():
    drawing = lines([Series("Ann <b> & Co", [0, 1]), Series("Ben", [0, 2])], ["", "1 Nov"])
    root = ET.fromstring(
        drawing.alone("A <title>", ["League & Co" * 9, "1 November"], "Says it", "Read it so. " * 9)
    )
    texts = [one.text for one in root.iter() if one.text]
    assert {"A <title>", "Says it", "1 November"} <= set(texts)
    notes = [one.text for one in root.iter() if one.get("font-size") == str(NOTE_SIZE)]
    assert " ".join(notes) == ("Read it so. " * 9).strip()
    assert max(text_width(text, NOTE_SIZE) for text in notes) <= WIDTH
    assert any(text.startswith("Ann") and "<" in text for text in texts)
    for one in root.iter():
        assert not {"class", "style", "href"} & set(one.attrib)
    assert {one.tag.split("}")[1] for one in root.iter()} <= {
        *("svg", "title", "desc", "rect", "line", "polyline", "polygon", "text"),
    }


def test_texts_one_below_the_other_make_room():
    one, other = (lines([Series("Ann", [0, 1])], ["", "1"]) for _drawing in range(2))
    high = one.height
    one.below("The second", other)
    assert one.height > 2 * high
    assert len(parts(one, "polyline", "line")) == 2


def test_many_places_are_thinned_and_the_ends_stay():
    places = thinned(201, 60)
    assert (len(places), places[0], places[-1]) == (60, 0, 200)
    assert places == sorted(set(places))
    assert thinned(3, 60) == [0, 1, 2]


@pytest.mark.parametrize(("low", "high"), [(0, 0), (-1, 1), (-999_999, 3), (17, 18), (-9, -8)])
def test_ticks_are_round_and_hold_the_figures(low, high):
    ticks = round_ticks(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 2 <= len(ticks) <= 7
    step = ticks[1] - ticks[0]
    assert re.fullmatch("[125]0*", str(step))
    assert all(tick % step == 0 for tick in ticks)
    assert whole(ticks[0])


def test_a_text_that_is_too_wide_ends_with_an_ellipsis():
    assert fitted("Ann", 100) == "Ann"
    shown = fitted(LONG[0], 60)
    assert shown.endswith("…")
    assert text_width(shown) <= 60


@pytest.mark.parametrize(
    ("first", "note"),
    [(date(2026, 1, 1), "59 of 70 days are shown."), (1, "59 of 70 hands are shown.")],
)
def test_what_is_left_out_is_counted_in_its_steps(first, note):
    by_day = isinstance(first, date)
    steps = [first + timedelta(days=n) if by_day else first + n for n in range(70)]
    graph = running("race", "Race", Course(steps, {1: list(range(71))}), {1: "Ann"})
    assert graph.note == note
