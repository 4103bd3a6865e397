"""The table page as a thumb sees it: taps are counted, figures are read."""

from playwright.sync_api import Page, expect

WIND_ORDER = ("East", "South", "West", "North")


class TablePage:
    """The table of ``game`` in ``page``; ``taps`` counts what a thumb has done."""

    def __init__(self, page: Page, base: str, game):
        self.page, self.game, self.taps = page, game, 0
        self.url = f"{base}/games/{game.pk}/"

    def open(self) -> "TablePage":
        self.page.goto(self.url)
        # The pad is alive once its keys can be used.
        if self.page.locator("[data-pad-taps]").count():
            expect(self.page.locator("[data-pad-taps]")).to_be_enabled()
        return self

    def tap(self, selector: str) -> "TablePage":
        self.taps += 1
        self.page.locator(selector).click()
        return self

    def winner(self, place: int) -> "TablePage":
        return self.tap(f"#id_winner .who__cell >> nth={place}")

    def discarder(self, place: int) -> "TablePage":
        return self.tap(f"#id_discarder .who__cell >> nth={place}")

    def draw(self) -> "TablePage":
        return self.winner(4)

    def key(self, kind: str) -> "TablePage":
        return self.tap(f".tilepad__key:has([value={kind}])")

    def tiles(self, *codes: str) -> "TablePage":
        for code in codes:
            self.tap(f'[data-tile="{code}"]')
        return self

    def save(self) -> "TablePage":
        return self.tap("[data-save]")

    def seed_hand(self) -> "TablePage":
        """South off East with 222B 345B 55B 222D GGG, pungs first."""
        self.winner(1).discarder(0).tiles("2B", "2D", "G")
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
    def preview(self):
        return self.page.locator("#preview")

    def says(self, words: str) -> "TablePage":
        expect(self.preview).to_contain_text(words)
        return self

    def saved(self, words: str) -> "TablePage":
        expect(self.page.locator("#saved")).to_contain_text(words)
        return self
