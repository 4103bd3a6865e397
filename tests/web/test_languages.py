"""The site in another language: chosen in the footer, or asked for by the browser."""

import re

import pytest
from django.conf import settings

from tests.factories import make_game, make_hand, make_organiser, make_player

pytestmark = pytest.mark.django_db

DUTCH = {"HTTP_ACCEPT_LANGUAGE": "nl-BE,nl;q=0.9,en;q=0.5"}
CHINESE = {"HTTP_ACCEPT_LANGUAGE": "zh-TW"}


@pytest.fixture
def hand():
    four = [make_player(name) for name in ("Xu", "Yves", "Zoë", "Ömer")]
    game = make_game(players=four, by=make_organiser())
    return make_hand(game, winner=0, tiles="222B* 345B 55B 222D GGG")


@pytest.mark.parametrize(
    ("asks", "language", "words"),
    [(DUTCH, "nl", "Hier is niets"), (CHINESE, "zh-hant", "這裡沒有東西")],
)
def test_the_language_of_the_browser_is_used(client, asks, language, words):
    page = client.get("/nowhere/", **asks).content.decode()
    assert f'<html lang="{language}"' in page
    assert words in page


def test_a_hand_of_last_year_is_explained_in_the_readers_language(client, hand):
    page = client.get(f"/hands/{hand.pk}/", **DUTCH).content.decode()
    for words in (
        "Pung: Bamboe 2",
        "Chow: Bamboe 3-4-5",
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


def test_the_app_on_a_phone_is_in_the_chosen_language(client):
    manifest = client.get("/manifest.webmanifest", **DUTCH).json()
    assert (manifest["lang"], manifest["short_name"]) == ("nl", "Mah-jong")


def test_figures_keep_their_minus_and_dates_are_local(client, hand):
    page = client.get(f"/hands/{hand.pk}/", **DUTCH).content.decode()
    assert "\N{MINUS SIGN}" in page
    assert ">-1" not in page


def test_a_refusal_is_in_the_language_of_the_page(client, hand):
    client.force_login(make_organiser())
    sent = {"number": 2, "winner": hand.winner_id, "tiles": "222B 345B 55B 222D GG9C"}
    preview = client.post(f"/games/{hand.game_id}/preview/", sent, **DUTCH).content.decode()
    assert "Deze hand wint niet." in preview


@pytest.mark.parametrize(
    ("asks", "tiles"),
    [
        (DUTCH, "222B 345B bamboe 5, Bamboe 5 222D groene draak Groene draak groene draak"),
        (CHINESE, "222B 345B 五索五索 222D 發財發財發財"),
    ],
)
def test_tiles_are_typed_by_their_names_in_the_readers_language(client, asks, tiles):
    asked = {"seat": "E", "prevailing": "E", "ruleset": "club"}
    typed = client.get("/calculator/", {**asked, "tiles": tiles}, **asks)
    codes = client.get("/calculator/", {**asked, "tiles": "222B 345B 55B 222D GGG"}, **asks)
    assert typed.context["result"].card == codes.context["result"].card


def test_a_hand_is_logged_by_the_names_of_its_tiles(client):
    game = make_game()
    client.force_login(make_organiser())
    four = "222B* 345B Bamboe 5, bamboe 5, 222D Groene draak Groene draak Groene draak"
    winner, discarder = (player.pk for player in game.players[:2])
    sent = {"number": 1, "winner": winner, "discarder": discarder, "tiles": four}
    client.post(f"/games/{game.pk}/hands/", sent, **DUTCH)
    assert game.hands.get().tiles == " ".join(
        ["2B"] * 3 + ["3B 4B 5B 5B 5B"] + ["2D"] * 3 + ["G"] * 3
    )
