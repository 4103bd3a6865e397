"""No word on a page, or in what scripts show and browsers read out, is out of a translator's reach.

Every sentence that the catalogues have is put into brackets: what stands outside of them was written past
the catalogues, or is looked up there and was never collected.
"""

import re
from html.parser import HTMLParser

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from scoring.evaluator.books.loader import FOLDER, load, shipped
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.games import finish_game
from scoring.translation import typed_tiles
from tests.factories import make_game, make_hand, make_organiser, make_player

pytestmark = pytest.mark.django_db

OPEN, CLOSE = "⟦⟧"
FUNCTIONS = ("gettext", "pgettext", "ngettext", "npgettext")
SPOKEN = ("aria-label", "aria-description", "title", "placeholder", "alt")
# Words to programs: which outcomes let the dealer stay.
EXCLUDED_FIELDS = ("data-stays",)
# Codes of tiles, addresses.
CODES = re.compile(r"https?://\S+|\b(?:[1-9]+[BCD]|[ESWNRG]+|(?:Wh)+)\b")
WORD = re.compile(r"[A-Za-z]{2,}")
# What the data says: a demo league, the rule sets that come with the site, languages by their names.
BOOKS = [load(slug) for slug in shipped()]
NAMES = {"Mah Jongg Club", "English", "Nederlands", *(book.name for book in BOOKS)}
# Rule books are in English, and marked as that.
NAMES |= {
    text
    for book in BOOKS
    for text in (book.explanation, book.edition, *book.sources, *book.differences)
}
NAMES |= {
    source
    for path in FOLDER.glob("*.toml")
    for source in re.findall(r'source = "([^"]+)"', path.read_text())
}


@pytest.fixture
def bracketed(monkeypatch):
    """The site in a language of brackets."""
    known = sentences()
    typed_tiles("")  # the names of tiles are remembered as they are
    for name in FUNCTIONS:
        monkeypatch.setattr(
            translation._trans, name, in_brackets(getattr(translation._trans, name), known)
        )


def sentences():
    """What the Dutch catalogues have, ours and those of Django: a plural by its singular."""
    with translation.override("nl"):
        keys = list(trans_real.catalog()._catalog.keys())
    return {key[0] if isinstance(key, tuple) else key for key in keys}


def in_brackets(function, known):
    """The translations of ``function``; what no catalogue has stays without brackets."""

    def translate(*args):
        text = str(function(*args))
        sentence = "\x04".join(args[:2]) if "pgettext" in function.__name__ else args[0]
        if str(sentence) not in known:
            return text
        words = text.strip()
        return text.replace(words, f"{OPEN}{words}{CLOSE}") if words else text

    return translate


class Words(HTMLParser):
    """All that a page says."""

    def __init__(self):
        super().__init__()
        self.texts, self.unread = [], 0

    def handle_starttag(self, tag, attrs):
        self.unread += tag in ("script", "style", "code")
        for name, value in attrs:
            sentence = (
                name.startswith("data-") and name not in EXCLUDED_FIELDS and " " in (value or "")
            )
            if name in SPOKEN or sentence:
                self.texts.append(value)

    def handle_endtag(self, tag):
        self.unread -= tag in ("script", "style", "code")

    def handle_data(self, data):
        if not self.unread:
            self.texts.append(data)


def written_past(html, names):
    """The words of a page that stand outside of brackets."""
    page = Words()
    page.feed(html)
    past = set()
    for text in map(str, filter(None, page.texts)):
        # Where a tag divides a sentence, the text after it begins within the brackets.
        left, depth = "", max(0, text.count(CLOSE) - text.count(OPEN))
        for sign in text:
            depth += (sign == OPEN) - (sign == CLOSE)
            left += sign if not depth and sign != CLOSE else ""
        for name in sorted(names, key=len, reverse=True):
            left = left.replace(name, "")
        if WORD.search(CODES.sub("", left)):
            past.add(text.strip())
    return past


def test_words_that_are_not_translated_are_found():
    html = f'<p title="Nobody">{OPEN}so {OPEN}on{CLOSE}{CLOSE} 222B</p><i data-x="a hint"></i>Ann'
    assert written_past(html, ["Ann"]) == {"Nobody", "a hint"}
    assert written_past(f"{OPEN}at <b>noon</b> or later{CLOSE} today", ["noon"]) == {
        "or later⟧ today"
    }


@pytest.fixture
def club():
    """A game with every kind of hand, another that is over, and whoever made them."""
    four = [make_player(name) for name in ("Xu", "Yves", "Zoë", "Ömer")]
    organiser = make_organiser(player=four[0])
    game = make_game(players=four, by=organiser)
    make_hand(game, winner=1, tiles="19B 19C 19D ESWN RGWhWh", discarder=four[2].pk)
    make_hand(game, winner=1, tiles="", claimed_final=120)
    make_hand(game)
    book_at_table(game, penalty(game, four[2], 10), by=organiser, reason="9")
    make_hand(game, winner=0, tiles="222B* 345B 55B 222D GGG", by=organiser)
    for _game in range(2):
        over = make_game(league=game.league, players=four, by=organiser)
        make_hand(over, winner=2, tiles="222B 345B 55B 222D GGG")
        finish_game(over, by=organiser)
    return game


def pages(game):
    league, day = game.league.slug, game.evening.isoformat()
    tiles = "/calculator/?tiles="
    yield from ("/", "/leagues/", "/players/", "/games/new/", "/sign-in/", "/offline/", "/nowhere/")
    for path in (
        "",
        f"?as_of={day}",
        "evenings/",
        f"evenings/{day}/",
        "adjustments/",
        "what-if/?ruleset=book:1",
    ):
        yield f"/leagues/{league}/{path}"
    for path in ("", "finish/", "penalty/"):
        yield f"/games/{game.pk}/{path}"
    for hand in game.hands.all():
        for path in ("", "correct/", "void/", "history/", "pass-the-phone/"):
            yield f"/hands/{hand.pk}/{path}"
    yield from (f"/players/{player.pk}/" for player in game.players)
    yield from (f"/rules/{path}" for path in ("", "club/", "book/", "compare/", "club/new/"))
    yield from ("/rules/compare/?one=club:1&other=book:1", "/rules/import/", "/rules/bmja/")
    yield from ("/calculator/", "/calculator/?tiles=222B&seat=X&ruleset=9&concealed=9")
    for hand in ("222B 345B 55B 222D GGG", "RRR GGG WhWhWh 789C EE", "222B 345B 55B 222D GG9C"):
        yield tiles + hand
        yield f"/calculator/think/?tiles={hand}"
    yield from (tiles + hand for hand in ("222B 345B 55B 222D GG", "22222B", "222B 345B"))


def test_every_word_of_every_page_can_be_translated(bracketed, client, club):
    client.force_login(club.players[0].user)
    names = NAMES | {club.league.name, club.players[0].user.username}
    names |= {player.name for player in club.players} | {user_of(hand) for hand in club.hands.all()}
    untranslated = {}
    for path in pages(club):
        page = client.get(path).content.decode()
        if past := written_past(page, sorted(names, key=len, reverse=True)):
            untranslated[path] = past
    assert untranslated == {}


def user_of(hand):
    return hand.logged_by.get_username() if hand.logged_by else ""
