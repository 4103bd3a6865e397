"""The table page as a thumb sees it: taps are counted, figures are read."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.support.browser import wait_until

WIND_ORDER = ("East", "South", "West", "North")

# Of what cannot be tapped: which of the elements around it is not to be seen, and by which styles.
WHAT_HIDES = """
(element) => {
    const found = [`screen: ${innerWidth} x ${innerHeight}`];
    for (let one = element; one; one = one.parentElement) {
        const {display, visibility} = getComputedStyle(one);
        const {width, height} = one.getBoundingClientRect();
        if (display === "none" || visibility !== "visible" || !width || !height) {
            found.push(`${one.cloneNode().outerHTML}: ${display}, ${visibility}, ${width} x ${height}`);
        }
    }
    const sheets = [...document.styleSheets].map(({href, disabled}) => `${href} ${disabled}`);
    return [...found, ...sheets].join("\\n");
}
"""

# Whether the page of a table is stored on the phone as it is shown.
KEPT = """
async () => {
    const version = document.getElementById("state").dataset.version;
    const page = await (await caches.open("pages")).match(location.pathname);
    return Boolean(page) && (await page.text()).includes(`data-version="${version}"`);
}
"""


@contextmanager
def noting_what_hides(place: Locator) -> Iterator[None]:
    """Where ``place`` cannot be used, the error says what around it is not to be seen."""
    try:
        yield
    except TimeoutError as error:
        if place.count():
            error.add_note(place.first.evaluate(WHAT_HIDES))
        raise


class TablePage:
    """The table of ``game`` in ``page``; ``taps`` counts what a thumb has done."""

    def __init__(self, page: Page, base: str, game):
        self.page, self.game, self.taps = page, game, 0
        self.url = f"{base}/games/{game.pk}/"

    def open(self) -> "TablePage":
        self.page.goto(self.url)
        # The pad is alive once its keys can be used.
        if self.page.locator("[data-pad-taps]").count():
            expect(self.page.locator("[data-pad-taps]")).not_to_have_attribute("inert", "")
            expect(self.page.locator("[data-hand-form][data-started]")).to_be_attached()
        return self

    def tap(self, selector: str) -> "TablePage":
        self.taps += 1
        place = self.page.locator(selector)
        with noting_what_hides(place):
            place.click()
        return self

    def write(self, tiles: str) -> "TablePage":
        """Into the text field of the tiles."""
        place = self.page.locator("#id_tiles")
        with noting_what_hides(place):
            place.fill(tiles)
        return self

    def seat(self, place: int) -> "TablePage":
        return self.tap(f"[data-seat] >> nth={place}")

    def won(self, winner: int, discarder: int) -> "TablePage":
        """The winner, then who discarded: the winner again if self-drawn."""
        return self.seat(winner).seat(discarder)

    def nobody_won(self) -> "TablePage":
        """As on a page that was just opened: a second tap on the draw takes it back."""
        if self.chosen[0] != "draw":
            self.draw()
        self.draw()
        assert self.chosen == ("", "")
        return self

    def draw(self) -> "TablePage":
        return self.tap("[data-seat=draw]")

    def key(self, kind: str) -> "TablePage":
        return self.tap(f".tilepad__key:has([value={kind}])")

    def tiles(self, *codes: str) -> "TablePage":
        for code in codes:
            self.tap(f'[data-tile="{code}"]')
        return self

    def pick_limit(self, limit: str) -> "TablePage":
        return self.tap("[data-opens=limits]").tap(f'button[data-limit="{limit}"]')

    def hold(self, code: str, way: int) -> "TablePage":
        """Put the thumb on a tile and move it ``way`` pixels to the right; it stays down."""
        box = self.page.locator(f'[data-tile="{code}"]').bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + way, y, steps=4)
        return self

    def slide(self, code: str, kind: str) -> "TablePage":
        """To the right for a chow, to the left for a kong."""
        self.taps += 1
        self.hold(code, 40 if kind == "chow" else -40).page.mouse.up()
        return self

    def digits(self, digits: Iterable[str]) -> "TablePage":
        for digit in digits:
            self.tap(f'[data-digit="{digit}"]')
        return self

    def save(self) -> "TablePage":
        return self.tap("[data-save]")

    def seed_hand(self) -> "TablePage":
        """South off East with 222B 345B 55B 222D GGG, pungs first."""
        self.won(1, 0).tiles("2B", "2D", "G")
        return self.key("chow").tiles("3B", "5B")

    # ----- what is read ----------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.page.locator("#id_tiles").input_value()

    @property
    def pressed_key(self) -> str:
        return self.page.locator("[data-key]:checked").input_value()

    def impossible(self, code: str) -> bool:
        return self.page.locator(f'[data-tile="{code}"]').get_attribute("aria-disabled") == "true"

    @property
    def chosen(self) -> tuple[str, str]:
        """What the form sends as winner and discarder."""
        return tuple(
            self.page.evaluate(
                "Object.values((({winner, discarder}) => [winner.value, discarder.value])"
                "(document.querySelector('[data-hand-form]').elements))"
            )
        )

    @property
    def preview(self):
        return self.page.locator("#preview")

    def says(self, words: str) -> "TablePage":
        expect(self.preview).to_contain_text(words)
        return self

    def saved(self, words: str) -> "TablePage":
        expect(self.page.locator("#saved")).to_contain_text(words)
        return self

    @property
    def waiting(self):
        """The hands that wait on this phone."""
        return self.page.locator("details[data-waiting]")

    def waits(self, words: str) -> "TablePage":
        expect(self.waiting).to_contain_text(words)
        return self


def kept(table: TablePage) -> TablePage:
    """``table`` once the worker has its page as it stands."""
    # wait_for_function takes the promise itself for an answer.
    wait_until(table.page, lambda: table.page.evaluate(KEPT), "The page was not kept.")
    return table
