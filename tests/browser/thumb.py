"""Which taps lay out a hand: what a thumb that knows the pad does.

A slide on a tile is counted as a tap: the thumb comes down once. ``by_keys`` lays the same hands
without a slide.
"""

from dataclasses import dataclass
from functools import cache

from playwright.sync_api import Locator, Page

from scoring.evaluator.rules import LIMIT_RULES
from tests.evaluator.random_hands import Tiles

Point = tuple[float, float]  # CSS pixels from the left and from the top

KINDS = {2: "pair", 3: "pung", 4: "kong"}
SLIDES = {"chow": 40, "kong": -40}  # CSS pixels to the right
SETS = 4


@dataclass(frozen=True)
class Step:
    """A tap: on the element ``selector``; ``asks`` says whether a preview follows.

    With ``slide`` the thumb goes so far to the right before it is lifted, with ``to`` to that element.
    """

    selector: str
    asks: bool = True
    slide: int = 0
    to: str = ""

    def do(self, page: Page) -> None:
        place = page.locator(self.selector)
        if not (self.slide or self.to):
            place.click()
            return
        place.scroll_into_view_if_needed()
        x, y = middle(place)
        there = middle(page.locator(self.to)) if self.to else (x + self.slide, y)
        slide(page, (x, y), there)


def slide(page: Page, start: Point, end: Point, steps: int = 4) -> None:
    """A thumb on glass: unlike a mouse, it may scroll the page instead."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: Point) -> None:
        places = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", start)
    for step in range(1, steps + 1):
        way = step / steps
        x, y = (one + (other - one) * way for one, other in zip(start, end, strict=True))
        touch("touchMove", (x, y))
    touch("touchEnd")
    session.detach()


def middle(place: Locator) -> Point:
    box = place.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tile(code: str, kind: str = "pung") -> Step:
    return Step(f'[data-tile="{code}"]', slide=SLIDES.get(kind, 0))


def key(kind: str) -> Step:
    return Step(f".tilepad__key:has([value={kind}])", asks=False)


def seats(winner: int, discarder: int, *, slides: bool = True) -> list[Step]:
    """From the winner to who discarded; the winner twice if self-drawn."""
    won, discarded = (f"[data-seat] >> nth={place}" for place in (winner, discarder))
    if slides and winner != discarder:
        return [Step(won, to=discarded)]
    return [Step(won), Step(discarded)]


def draw() -> list[Step]:
    return [Step("[data-seat=draw]")]


def score(final: int) -> list[Step]:
    """The final score alone: hundreds by a digit, the rest by a key of two."""
    text = str(final)
    parts = [text[:-2], text[-2:]] if len(text) > 2 else [text]
    digits = [Step(f'[data-digit="{part}"]') for part in parts]
    return [Step("[data-opens=score]", asks=False), *digits]


def kind_of(group: Tiles) -> str:
    return "chow" if len(set(group)) == 3 else KINDS[len(group)]


def opened(groups: list[Tiles], lie_open: list[int]) -> list[Step]:
    return [Step(f'[data-group="{index}"]') for index in lie_open]


def sets(groups: list[Tiles]) -> list[Step]:
    """Four sets and a pair in the order of ``groups``: a pair that is not the last has its key."""
    steps = []
    for done, group in enumerate(groups):
        kind = kind_of(group)
        if kind == "pair" and done < SETS:
            steps.append(key("pair"))
        steps.append(tile(min(group), kind))
    return steps


def by_keys(groups: list[Tiles]) -> list[Step]:
    """The same in the fewest taps without a slide."""
    kinds = tuple((kind_of(group), min(group)) for group in groups)
    return list(_fewest(kinds, "pung", 0))


@cache
def _fewest(groups: tuple[tuple[str, str], ...], down: str, done: int) -> tuple[Step, ...]:
    """The fewest taps for the rest, while the key ``down`` is: before each set another may be tapped."""
    if not groups:
        return ()
    (kind, code), *rest = groups
    step, after = Step(f'[data-tile="{code}"]'), tuple(rest)
    if kind == "pair":
        before = () if done == SETS else (key("pair"),)
        return (*before, step, *_fewest(after, down, done + 1))
    ways = [(key(kind), step, *_fewest(after, kind, done + 1))]
    no_chow = down == "chow" and not code[0].isdigit()
    if kind == down or (kind == "pung" and no_chow):
        ways = [(step, *_fewest(after, down, done + 1))]
    elif kind == "kong" and (down == "pung" or no_chow):
        # The fourth tile makes a kong of a pung.
        ways.append((step, step, *_fewest(after, down, done + 1)))
    return min(ways, key=len)


def limit(rule: str, rest: list[Step], pair: str = "") -> list[Step]:
    """A limit hand by its name (and the wind of its pair), with the tiles that it leaves open."""
    name = f'[data-of="{rule}"][data-pair="{pair}"]' if pair else f'button[data-limit="{rule}"]'
    return [Step("[data-opens=limits]", asks=False), Step(name), *rest]


LIMITS = tuple(rule.id for rule in LIMIT_RULES)
