"""Every page there is, for everyone: nothing that axe finds, nothing wider than the screen or cut.

The pages are those of ``scoring.web.urls``: a new one is looked at without being named here.
"""

import pytest
from django.test import Client

from scoring.models import RuleSet, RuleSetVersion
from scoring.play.adjustments import book_at_table, penalty
from scoring.play.games import finish_game
from scoring.web.urls import urlpatterns
from tests.browser.accessibility import violations
from tests.factories import make_game, make_hand, make_organiser, make_player

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Measured with letters as they are, then twice as large; on a phone the header takes one row.
MISFITS = """
(width) => {
  const root = document.documentElement;
  const found = [];
  const wide = (when) => root.scrollWidth > width && found.push(`${when}: ${root.scrollWidth} wide`);
  wide("as it is");
  const header = document.querySelector(".site-header")?.getBoundingClientRect().height ?? 0;
  header > 64 && found.push(`the header is ${header} high`);
  for (const table of document.querySelectorAll(".table-scroll:has(.standings)")) {
    table.scrollWidth > table.clientWidth && found.push("a league table scrolls sideways");
  }
  const names = ".name, .place__name, .seat__name, .ranking__name, .who__name, .sheet th, .game-result span";
  for (const name of document.querySelectorAll(names)) {
    const cut = name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 2;
    cut && name.clientWidth && found.push(`cut: ${name.textContent.trim()}`);
  }
  root.style.fontSize = "200%";
  wide("with large letters");
  root.style.fontSize = "";
  return found;
}
"""
LONG_NAME = "Maximiliane Wolkenstein-Trostburg zu Hohenems"


@pytest.fixture
def organiser():
    return make_organiser(player=make_player(LONG_NAME))


@pytest.fixture
def pages(organiser):
    """The addresses of all pages, with a game for each that is about one."""
    names = ("Margaret Whitcombe", "Margaret Wells", "Donaudampfschifffahrtskapitänin")
    four = [organiser.player, *map(make_player, names)]
    game = make_game(players=four, by=organiser)
    make_game(league=game.league, players=four, by=organiser)
    hand = make_hand(game, winner=0, tiles="222B* 345B 55B 222D GGG", by=organiser)
    make_hand(game, winner=1, tiles="19B 19C 19D ESWN RGWhWh", discarder=four[2].pk)
    make_hand(game, winner=1, tiles="", claimed_final=120)
    make_hand(game, by=organiser)
    over = make_game(league=game.league, players=four, by=organiser)
    make_hand(over, winner=3, by=organiser)
    finish_game(over, by=organiser)
    strict = RuleSet.objects.create(slug="strict", name="Strict")
    RuleSetVersion.objects.create(ruleset=strict, number=1, options={"limit": 50})
    booked = book_at_table(game, penalty(game, four[2], 10), by=organiser, reason="Late.")
    known = {
        "adjustments/<int:pk>/": {booked.pk},
        "leagues/<slug:slug>/evenings/<day:day>/": {
            f"{game.league.slug}/evenings/{game.evening.isoformat()}"
        },
        "games/<int:pk>/": {game.pk, over.pk},
        "hands/<int:pk>/": set(game.hands.values_list("pk", flat=True)),
        "players/<int:pk>/": {four[0].pk, four[3].pk},
        "leagues/<slug:slug>/": {game.league.slug},
        "rules/<slug:slug>/": {"club", "book"},
    }
    client = Client()
    client.force_login(organiser)
    assert hand.live
    paths = [path for pattern in urlpatterns for path in addresses(str(pattern.pattern), known)]
    # Of a page that asks at first, what it answers.
    paths.append(f"/leagues/{game.league.slug}/what-if/?ruleset=strict")
    return [path for path in paths if is_page(client, path)]


def addresses(pattern, known):
    """What ``pattern`` stands for, with everything that is ``known`` in its place."""
    if "<" not in pattern:
        return ["/" + pattern]
    for beginning, values in known.items():
        if pattern.startswith(beginning):
            where, rest = beginning.split("<")[0], pattern.removeprefix(beginning)
            return [f"/{where}{value}/{rest}" for value in sorted(values)]
    raise AssertionError(f"{pattern}: say in this test what there is to look at.")


def is_page(client, path):
    response = client.get(path)
    html = response.get("Content-Type", "").startswith("text/html")
    return response.status_code == 200 and html and b"<html" in response.content


# Dutch words are the longest.
@pytest.mark.parametrize(("width", "language"), [(360, "en"), (1280, "en"), (360, "nl")])
def test_every_page(phone, live_server, organiser, pages, width, language):
    assert len(pages) > 20
    page = phone(user=organiser, width=width, locale=language)
    found = {}
    for path in pages:
        page.goto(live_server.url + path)
        if broken := violations(page) + page.evaluate(MISFITS, width):
            found[path] = broken
    assert found == {}
