"""``make pictures``: the pictures of the README, taken from a demo club.

    python -m tests.pictures [FOLDER]

Starts the production server with a new demo club on a free port, signs in as one of its members, takes
a picture of the table on a phone and one of a whole scorecard, and stops. FOLDER is docs/pictures/ unless
another is named. The hands are the same each time; only the dates differ. The sentences of the site that
the pages had are kept beside the pictures: a test fails once the site says one of them in other words.
"""

import re
import sys
from base64 import b64decode, b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.table_page import TablePage
from tests.load.server import HOST, Server
from tests.support.browser import ARGUMENTS, PATIENCE, chromium
from tests.support.english import english_sentences
from tests.support.sites import ROOT, Site, new_site

FOLDER = ROOT / "docs" / "pictures"
SENTENCES = "sentences.txt"
PHONE = {"width": 390, "height": 750}
DESKTOP = {"width": 1080, "height": 800}
PIXELS = 1.5  # on the picture for one of the page

# Chromium writes WebP, a third of the size of its PNG.
AS_WEBP = """
async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.85).split(",")[1];
}
"""

# The first account that plays, as "manage.py demo --sign-ins" prints it.
MEMBER = re.compile(r"^  .*\S  (demo-(?!organiser|owner)\S+) +(\S+)$", re.MULTILINE)
OPEN_GAME = """
    SELECT game.id FROM scoring_game AS game
    JOIN scoring_seat AS seat ON seat.game_id = game.id
    JOIN scoring_player AS player ON player.id = seat.player_id
    JOIN auth_user AS member ON member.id = player.user_id
    WHERE member.username = '{name}' AND game.finished_at IS NULL
"""
# The hand with the most doubles below the limit, as its card has the most to say.
HAND = """
    SELECT id FROM scoring_hand WHERE status = 'live' AND checked AND final < 500
    ORDER BY doubles DESC, points DESC, id LIMIT 1
"""


def main(folder: Path) -> int:
    executable = chromium()
    if executable is None:
        sys.stderr.write("No Chromium was found. On Debian: apt install chromium\n")
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="pictures-") as temporary, new_site(Path(temporary)) as site:
        site.must("migrate", "--verbosity", "0")
        site.must("collectstatic", "--noinput", "--verbosity", "0")
        output = site.must("demo", "--verbosity", "0")
        name, password = MEMBER.search(output).groups()
        server = Server(site)
        server.start()
        try:
            server.wait_until_ready()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
                base = f"http://{HOST}:{server.port}"
                page = signed_in(browser, base, name, password)
                take(the_pad(page, base, site, name), folder / "pad.webp")
                shown = sentences_of(page)
                take(a_scorecard(page, base, site), folder / "scorecard.webp")
                shown |= sentences_of(page)
                browser.close()
                text = "".join(f"{sentence}\n" for sentence in sorted(shown))
                (folder / SENTENCES).write_text(text, "utf-8")
        finally:
            server.stop()
    return 0


def signed_in(browser: Browser, base: str, name: str, password: str) -> Page:
    """A phone on which the member ``name`` has signed in."""
    context = browser.new_context(
        viewport=PHONE, device_scale_factor=PIXELS, has_touch=True, is_mobile=True,
        locale="en-GB", color_scheme="light", service_workers="block",
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{base}/sign-in/")
    page.fill("[name=username]", name)
    page.fill("[name=password]", password)
    page.click("main button[type=submit]")
    page.wait_for_url(f"{base}/")
    return page


def the_pad(page: Page, base: str, site: Site, name: str) -> Page:
    """The member's own table, with a hand tapped and not saved: its score and payments show."""
    ((game,),) = site.ask(OPEN_GAME.format(name=name))
    table = TablePage(page, base, SimpleNamespace(pk=game)).open()
    table.seed_hand()
    expect(table.preview).to_contain_text("70")
    return page


def a_scorecard(page: Page, base: str, site: Site) -> Page:
    ((hand,),) = site.ask(HAND)
    page.set_viewport_size(DESKTOP)
    page.goto(f"{base}/hands/{hand}/")
    card = page.locator(".scorecard").bounding_box()
    height = round(card["y"] + card["height"]) + 8
    page.set_viewport_size(DESKTOP | {"height": height})
    return page


def sentences_of(page: Page) -> set[str]:
    """The lines on ``page`` that the site says as they stand, with nothing filled in."""
    lines = page.locator("main").inner_text().splitlines()
    return {line.strip() for line in lines} & english_sentences()


def take(page: Page, path: Path) -> None:
    """Keep what ``page`` shows in ``path``, and say how large the file is."""
    png = page.screenshot(animations="disabled", caret="hide")
    blank = page.context.new_page()  # the site's own pages let no script in
    path.write_bytes(b64decode(blank.evaluate(AS_WEBP, b64encode(png).decode())))
    blank.close()
    sys.stdout.write(f"{path}: {path.stat().st_size // 1024} KB\n")


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:]) if sys.argv[1:] else FOLDER))
