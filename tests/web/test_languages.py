"""The site in another language: chosen in the footer, or asked for by the browser."""

import re
from html.parser import HTMLParser

import pytest
from django.conf import settings

from scoring.play.adjustments import book_at_table, penalty
from scoring.play.games import finish_game
from tests.factories import make_game, make_hand, make_organiser, make_player

pytestmark = pytest.mark.django_db

DUTCH = {"HTTP_ACCEPT_LANGUAGE": "nl-BE,nl;q=0.9,en;q=0.5"}
CHINESE = {"HTTP_ACCEPT_LANGUAGE": "zh-TW"}
LANGUAGES = [("nl", DUTCH, {"is", "wind", "won", "score"}), ("zh-hant", CHINESE, set())]
# English of ours that is no Dutch; names of data ("Club", "Book") are whatever they are.
ENGLISH = re.compile(
    r"\b(?:the|and|hands|who|won|wins|winner|pays?|points|doubles?|score|sign|players?|leagues?|"
    r"games?|rules|dealer|tiles?|pair|wind|dragons?|chosen|not|with|from|nobody|every|this|is|"
    r"bamboo|characters|dots|east|south|north|simples|honors|concealed|drawn|evenings?)\b",
    re.IGNORECASE,
)
SPOKEN = ("aria-label", "title", "placeholder", "alt", "content")
# Not said to anybody.
UNSAID = ("viewport", "color-scheme", "theme-color", "htmx-config")


class Words(HTMLParser):
    """What a page says: its text, and what is read out or shown on a touch."""

    def __init__(self):
        super().__init__()
        self.said, self.skipped, self.foreign = [], 0, 0

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if given.get("name") not in UNSAID and given.get("rel") != "icon":
            self.said += [given[name] for name in SPOKEN if given.get(name)]
        # Words that scripts show.
        self.said += [
            value for name, value in attrs if name.startswith("data-") and " " in (value or "")
        ]
        self.skipped += tag in ("script", "style", "code")
        self.foreign += tag == "button" and "lang" in given

    def handle_endtag(self, tag):
        self.skipped -= tag in ("script", "style", "code")
        self.foreign = 0

    def handle_data(self, data):
        if not self.skipped and not self.foreign and data.strip():
            self.said.append(data.strip())


def words_of(response):
    words = Words()
    words.feed(response.content.decode())
    return words.said


@pytest.fixture
def hand():
    four = [make_player(name) for name in ("Xu", "Yves", "Zoë", "Ömer")]
    game = make_game(players=four, by=make_organiser())
    make_hand(game, winner=1, tiles="19B 19C 19D ESWN RGWhWh", discarder=four[2].pk)
    make_hand(game, winner=1, tiles="", claimed_final=120)
    for _game in range(2):
        over = make_game(league=game.league, players=four, by=make_organiser())
        make_hand(over, winner=2)
        finish_game(over, by=make_organiser())
    book_at_table(game, penalty(game, four[2], 10), by=make_organiser(), reason="Te laat.")
    return make_hand(game, winner=0, tiles="222B* 345B 55B 222D GGG")


def pages(hand):
    league = hand.game.league.slug
    return [
        "/",
        "/leagues/",
        f"/leagues/{league}/",
        f"/leagues/{league}/evenings/",
        f"/leagues/{league}/evenings/{hand.game.evening.isoformat()}/",
        f"/leagues/{league}/adjustments/",
        f"/games/{hand.game_id}/",
        f"/games/{hand.game_id}/finish/",
        f"/games/{hand.game_id}/penalty/",
        "/games/new/",
        f"/hands/{hand.pk}/",
        f"/hands/{hand.pk}/correct/",
        f"/hands/{hand.pk}/void/",
        f"/hands/{hand.pk}/history/",
        "/players/",
        f"/players/{hand.winner_id}/",
        "/calculator/",
        "/calculator/?tiles=222B+345B+55B+222D+GGG",
        "/calculator/?tiles=222B+345B+55B+222D+GG9C",
        "/calculator/?tiles=222B+345B+55B+222D+GG",
        "/calculator/?tiles=22222B+345B",
        "/calculator/think/?tiles=223344B+55B+222D+GGG",
        "/rules/",
        "/rules/club/",
        "/rules/book/",
        "/rules/compare/",
        "/rules/club/new/",
        "/offline/",
        "/nowhere/",
    ]


@pytest.mark.parametrize(("language", "asks", "also_its_own"), LANGUAGES)
def test_every_page_is_in_it_alone(client, hand, language, asks, also_its_own):
    client.force_login(make_organiser())
    english = {}
    for path in pages(hand):
        response = client.get(path, **asks)
        assert f'<html lang="{language}"'.encode() in response.content, path
        for said in words_of(response):
            # Names and addresses are whatever they are; fields are filled in by scripts.
            left = re.sub(rf"{hand.game.league.name}|https?:\S+|\{{\w+\}}", "", said)
            if set(map(str.lower, ENGLISH.findall(left))) - also_its_own:
                english[said] = path
    assert english == {}


def test_a_hand_of_last_year_is_explained_in_the_readers_language(client, hand):
    page = client.get(f"/hands/{hand.pk}/", **DUTCH).content.decode()
    for words in (
        "Pung: Bamboe 2",
        "Chow: 3B 4B 5B",
        "Paar: Bamboe 5",
        "Gelukssets",
        "Groene draak",
    ):
        assert words in page
    assert re.search("Xu, (Oost|Zuid|West|Noord), wint ", page)


def test_whoever_asks_for_nothing_reads_english(client):
    assert b'<html lang="en"' in client.get("/").content
    assert b'<html lang="en"' in client.get("/", HTTP_ACCEPT_LANGUAGE="fi").content


def test_a_language_is_chosen_and_remembered(client):
    answer = client.post("/language/", {"language": "nl", "next": "/rules/?x=1"})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?x=1")
    cookie = answer.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("nl", True, "Lax")
    assert int(cookie["max-age"]) > 60 * 60 * 24 * 300
    # It goes before what the browser asks for.
    assert b'<html lang="nl"' in client.get("/", **CHINESE).content


def test_a_choice_leads_nowhere_else(client):
    answer = client.post("/language/", {"language": "nl", "next": "https://elsewhere.example/"})
    assert answer["Location"] == "/"


def test_a_language_that_there_is_not_changes_nothing(client):
    answer = client.post("/language/", {"language": "tlh", "next": "/"})
    assert answer.status_code == 302
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_each_language_is_called_by_its_own_name(client):
    page = client.get("/calculator/?tiles=GGG", **DUTCH).content.decode()
    form = re.search(r'<form class="languages".*?</form>', page, re.DOTALL).group()
    assert re.findall(r'value="([\w-]+)" lang="\1"( aria-current="true")?>(\w+)<', form) == [
        ("en", "", "English"),
        ("nl", ' aria-current="true"', "Nederlands"),
        ("zh-hant", "", "繁體中文"),
    ]
    assert 'name="next" value="/calculator/?tiles=GGG"' in form


def test_a_page_that_answers_a_form_offers_none(client):
    page = client.post("/sign-in/", {"username": "x", "password": "y"}).content.decode()
    assert 'class="languages"' not in page


@pytest.mark.parametrize(
    "path", ["/", "/offline/", "/manifest.webmanifest", "/worker.js", "/nowhere/"]
)
def test_what_is_kept_on_the_way_is_kept_for_a_language(client, path):
    kept_by = {name.strip() for name in client.get(path)["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= kept_by


def test_the_app_on_a_phone_speaks_it(client):
    manifest = client.get("/manifest.webmanifest", **DUTCH).json()
    assert (manifest["lang"], manifest["short_name"]) == ("nl", "Mah-jong")


def test_figures_keep_their_minus_and_dates_are_local(client, hand):
    page = client.get(f"/hands/{hand.pk}/", **DUTCH).content.decode()
    assert "\N{MINUS SIGN}" in page
    assert ">-1" not in page


def test_a_refusal_is_in_the_language_of_the_page(client, hand):
    client.force_login(make_organiser())
    said = {"number": 4, "winner": hand.winner_id, "tiles": "222B 345B 55B 222D GG9C"}
    preview = client.post(f"/games/{hand.game_id}/preview/", said, **DUTCH).content.decode()
    assert "Deze hand wint niet." in preview
