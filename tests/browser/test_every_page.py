"""Every page there is, for everyone: nothing that axe finds, nothing wider than the screen or cut.

The pages are those of ``scoring.web.urls``: a new one is looked at without being named here.
"""

import pytest
from django.test import Client

from tests.browser.accessibility import violations, violations_at
from tests.factories import make_owner, make_player
from tests.support.effort import tries
from tests.web.every_page import LONG_NAME, by_route, every_address, some_pages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

# Measured with letters as they are, then twice as large; on a phone the header takes one row.
MISFITS = """
(width) => {
  const LONGEST = 9;  // letters of a word that a narrow column or key holds in one line
  const root = document.documentElement;
  const found = [];
  const wide = (when) => root.scrollWidth > width && found.push(`${when}: ${root.scrollWidth} wide`);
  wide("as it is");
  const header = document.querySelector(".site-header")?.getBoundingClientRect().height ?? 0;
  header > 64 && found.push(`the header is ${header} high`);
  for (const table of document.querySelectorAll(".table-scroll:has(.standings, .changes)")) {
    table.scrollWidth > table.clientWidth && found.push("a table scrolls sideways");
  }
  const uncut = (names) => {
    for (const name of document.querySelectorAll(names)) {
      const cut = name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 2;
      cut && name.clientWidth && found.push(`cut: ${name.textContent.trim()}`);
    }
  };
  uncut(".name, .place__name, .seat__name, .ranking__name, .who__name, .sheet th, .game-result span");
  for (const place of document.querySelectorAll("th, button:not(.sit__player), .button, .rank")) {
    if (place.closest("thead")?.offsetWidth < 2) continue;  // a phone shows its words in each row
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\d\\xad]+/gu)) {
        if (word[0].length > LONGEST || texts.currentNode.parentElement.closest(".visually-hidden")) continue;
        const range = new Range();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].flatMap((line) => (line.width ? Math.round(line.top) : [])));
        lines.size > 1 && found.push(`divided: ${word[0]} in ${place.textContent.trim()}`);
      }
    }
  }
  root.style.fontSize = "200%";
  wide("with large letters");
  width < 600 && uncut(".who__outcome, .table-title .page-header__lead");
  root.style.fontSize = "";
  return found;
}
"""


@pytest.fixture
def organiser():
    return make_owner(player=make_player(LONG_NAME))


# So that no process is left alone with them at the end.
PARTS = 2
# Axe asks every page on a phone in light, an eighth of them about their colours, too; one in 24 also in the
# dark, another one also at a desk. The pages share their colours and their parts.
ONE_IN = tries(24, 1)
COLOURS_OF = tries(8, 1)
IN_DUTCH = tries(8, 1)
# What fits a phone has more room at a desk.
WIDE = tries(4, 1)


@pytest.mark.each_case
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_fits_a_phone_and_a_desk(phone, live_server, organiser, part):
    """Some on a phone in Dutch, too, whose words are long; what axe finds it finds in one language."""
    page, dutch = phone(user=organiser, width=360), phone(user=organiser, width=360, locale="nl")
    troubles = {}
    for number, path in enumerate(pages(organiser, part)):
        page.goto(live_server.url + path)
        in_the_dark, at_a_desk = number % ONE_IN == 0, (number + 1) % ONE_IN == 0
        broken = violations(page, in_the_dark=in_the_dark, colours=number % COLOURS_OF == 0)
        if broken := broken + page.evaluate(MISFITS, 360):
            troubles[path, 360] = broken
        if at_a_desk or number % WIDE == 0:
            broken = violations_at(page, 1280) if at_a_desk else []
            page.set_viewport_size({"width": 1280, "height": 800})
            if broken := broken + page.evaluate(MISFITS, 1280):
                troubles[path, 1280] = broken
            page.set_viewport_size({"width": 360, "height": 800})
        if number % IN_DUTCH == 0:
            dutch.goto(live_server.url + path)
            if broken := dutch.evaluate(MISFITS, 360):
                troubles[path, "nl"] = broken
    assert troubles == {}


def pages(organiser, part):
    """Of each address one page; in ``make thorough`` all: of a hand as it was played, of a disputed one and so on."""
    client = Client()
    client.force_login(organiser)
    lists = by_route(every_address(organiser))[part::PARTS]
    found = [path for path, _page in some_pages(client, lists)]
    assert len(found) > 20
    return found
