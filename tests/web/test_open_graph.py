"""What messengers show of a link to a league, a player and an evening: words and a picture."""

import re
from io import BytesIO

import pytest
from django.urls import reverse
from PIL import Image

from scoring.models import League, club_day, hidden_names
from scoring.queries.seasons import final_rows
from scoring.services.hands.correct import void_hand
from scoring.services.seasons import close_season, key_of
from scoring.services.standing_rules import change_standing_rules
from scoring.web.sharing import pictures
from scoring.web.sharing.card import UNDRAWN, DrawnText, card, drawn, picture
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]

HANDS = {"name": "Hands", "counts": "average_hand"}
NAMES = ("Anna Alt", "Ben Boot", "Cai Cole", "Dee Dok")


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    """Ben has won 280 points from the other three."""
    league = make_league("Club night", slug="night", ends_on=club_day())
    game = make_game(league=league, players=[make_player(name) for name in NAMES], by=by)
    make_hand(game, winner=1, by=by)
    return game


@pytest.fixture
def kinds(game):
    """The page and the picture of each kind."""
    evening = [game.league.slug, game.evening]
    return {
        "league": (game.league.get_absolute_url(), reverse("league_picture", args=evening[:1])),
        "player": (
            game.players[1].get_absolute_url(),
            reverse("player_picture", args=[game.players[1].pk]),
        ),
        "evening": (reverse("evening", args=evening), reverse("evening_picture", args=evening)),
        "recap": (reverse("recap", args=evening), reverse("evening_picture", args=evening)),
    }


def tags(client, address) -> dict[str, str]:
    page = client.get(address).content.decode()
    return dict(re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page))


def image(response):
    """The picture, decoded whole."""
    assert response.headers["Content-Type"] == "image/png"
    opened = Image.open(BytesIO(response.content))
    opened.load()
    return opened


@pytest.mark.parametrize("kind", ["league", "player", "evening", "recap"])
def test_the_tags_lead_to_a_picture_of_the_promised_size(client, kinds, kind):
    page, drawing = kinds[kind]
    shown = tags(client, page)
    assert shown["url"] == f"http://testserver{page}"
    assert shown["image"] == f"http://testserver{drawing}"
    assert all(shown[name] for name in ("title", "description", "site_name", "image:alt"))
    assert (shown["image:type"], shown["image:width"]) == ("image/png", "1200")
    assert image(client.get(drawing)).size == (1200, 630)


def test_the_words_say_who_leads(client, kinds):
    words = "1. Ben Boot +280, 2. Cai Cole −70"
    for kind in ("league", "evening"):
        assert tags(client, kinds[kind][0])["description"].startswith(words)


def test_descriptions_of_shared_pages_are_in_the_readers_language(client, kinds):
    dutch = client.get(kinds["player"][0], headers={"Accept-Language": "nl"}).content.decode()
    found = re.search(r'og:description" content="([^"]*)"', dutch)
    assert found is not None
    assert "has played" not in found[1]


def test_a_shared_picture_is_drawn_anew_only_after_a_change(client, game, kinds, by):
    first = client.get(kinds["league"][1])
    assert first.headers["Cache-Control"] == "private, no-cache"
    kept = {"If-None-Match": first.headers["ETag"]}
    assert client.get(kinds["league"][1], headers=kept).status_code == 304
    void_hand(game.hands.get(), by=by, reason="Not played")
    again = client.get(kinds["league"][1], headers=kept)
    assert again.status_code == 200
    assert again.headers["ETag"] != first.headers["ETag"]


def test_the_club_is_named_as_on_every_page(settings):
    settings.SITE_NAME = "The Bamboo Room"
    assert card("Title", "", ()).club == "The Bamboo Room"


def test_a_members_league_has_no_shared_picture_for_anybody(client, kinds, by):
    League.objects.update(visibility=League.Visibility.MEMBERS)
    client.force_login(by)
    for page, drawing in kinds.values():
        assert client.get(drawing).status_code == 404
        assert tags(client, page) == {}


def test_hidden_names_are_hidden_from_shared_pictures_whoever_asks(
    client, game, kinds, by, monkeypatch
):
    game.league.hides_names = True
    game.league.save()
    hidden_names.forget()
    cards = []
    monkeypatch.setattr(
        "scoring.web.sharing.pictures.picture",
        lambda request, shown: cards.append(shown) or picture(request, shown),
    )
    client.force_login(by)
    for _page, drawing in kinds.values():
        assert client.get(drawing).status_code == 200
    names = {str(line.name) for shown in cards for line in shown.lines}
    assert names == {"A. A.", "B. B.", "C. C.", "D. D.", "Club night"}
    assert str(cards[1].title) == "B. B."


def test_the_shared_picture_of_a_player_shows_the_figure_that_is_ranked(
    client, game, by, monkeypatch
):
    change_standing_rules(game.league, [HANDS], effective_from=club_day(), by=by)
    drawn = []
    monkeypatch.setattr(pictures, "card", lambda *what: drawn.append(list(what[-1])) or card(*what))
    client.get(reverse("player_picture", args=[game.players[1].pk]))
    [[(rank, league, figure)]] = drawn
    assert (rank, league, figure) == (1, game.league, "280")


def test_a_closed_season_shows_its_final_table(client, game, by):
    decisions = {key_of(game): "count"}
    before = image(client.get("/leagues/night.png")).tobytes()
    close_season(game.league, by=by, final_rows=final_rows, decisions=decisions)
    assert image(client.get("/leagues/night.png")).tobytes() != before
    shown = tags(client, "/leagues/night/final/")
    assert shown["description"].startswith("1. Ben Boot +280")
    assert shown["image"] == "http://testserver/leagues/night.png"


DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50">'
    '<text y="40" font-size="30" font-family="Noto Sans">{}</text></svg>'
)


class TestLetters:
    """Each that is kept is in a font; what is not would be an empty box."""

    def test_letters_that_no_font_has_are_left_out(self):
        room = (720, (24, 36))
        assert DrawnText("Žofie 陳大文 김철수", room) == "Žofie 陳大文 김철수"
        assert DrawnText("Anna 🀄", room) == "Anna"
        assert DrawnText("عربي", room) == "–"

    def test_letters_of_every_script_are_drawn(self):
        box = DRAWING.format("\u0e01")
        assert UNDRAWN.fullmatch("\u0e01")
        for letter in ("Ž", "Ω", "−", "陳", "张", "한"):
            assert not UNDRAWN.search(letter)
            assert drawn(DRAWING.format(letter)) != drawn(box), letter

    def test_letters_of_long_names_are_smaller_before_these_are_cut(self):
        name = "Maximiliane Wolkenstein-Trostburg zu Hohenems"
        assert DrawnText("Anna", (720, (24, 36))).size == 36
        assert (DrawnText(name, (720, (24, 36))), DrawnText(name, (720, (24, 36))).size) == (
            name,
            25,
        )
        assert (
            DrawnText(name * 2, (720, (24, 36)))[-1],
            DrawnText(name * 2, (720, (24, 36))).size,
        ) == (
            "…",
            24,
        )


@pytest.mark.parametrize("games", [1, 3])
def test_a_picture_costs_the_same_queries_for_any_number_of_games(
    client, game, by, kinds, games, django_assert_num_queries
):
    for _game in range(games - 1):
        make_hand(make_game(league=game.league, by=by), winner=1, by=by)
    client.get(kinds["league"][1])
    for kind, queries in (("league", 3), ("evening", 8), ("player", 10)):
        with django_assert_num_queries(queries):
            client.get(kinds[kind][1])
