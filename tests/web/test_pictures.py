"""Pictures of figures on their pages, and alone: what they say, to whom, and what they cost."""

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.models import Game, League, hidden_names
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from tests.factories import make_game, make_hand, make_league, make_member, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]

NAMES = ("Anna <b> Alt", "Ben Boot", "Cai & Co", "Dee Dok")


@pytest.fixture
def game(organiser):
    game = make_game(players=[make_player(name) for name in NAMES], by=organiser)
    make_hand(game, winner=1, by=organiser)
    make_hand(game, winner=2, by=organiser)
    finish_game(game, by=organiser)
    return game


def addresses(game):
    """Of each picture: the page it stands on, and where it stands alone."""
    slug, day, player = game.league.slug, game.evening, game.players[1].pk
    return {
        reverse("pictures", args=[slug]): reverse("race_graph", args=[slug]),
        reverse("head_to_head", args=[slug]): reverse("matrix_graph", args=[slug]),
        reverse("evening_pictures", args=[slug, day]): reverse("evening_graph", args=[slug, day]),
        reverse("player", args=[player]): reverse("player_graph", args=[player]),
    }


def described(page):
    return [part.split(">", 1)[1].split("</desc>")[0] for part in page.split("<desc")[1:]]


def test_each_stands_on_its_page_and_alone(client, game):
    for page, alone in addresses(game).items():
        text = client.get(page).content.decode()
        assert '<svg role="img"' in text
        assert "style=" not in text
        assert alone in text
        response = client.get(alone)
        assert response.headers["Content-Type"] == "image/svg+xml"
        assert ET.fromstring(response.content).find("{*}desc").text


def test_the_words_say_what_is_drawn(client, game):
    page = client.get(reverse("pictures", args=[game.league.slug])).content.decode()
    race, scores = described(page)
    assert race == "Cai &amp; Co +210; Ben Boot +140; Dee Dok −140; Anna &lt;b&gt; Alt −210"
    assert scores == "Most often 70: 2 of 2."


def test_a_correction_is_seen_at_once(client, game, organiser):
    address = reverse("race_graph", args=[game.league.slug])
    before = client.get(address).content
    hand = game.hands.current().get(number=1)
    entry = HandEntry.from_json(
        {"number": 1, "outcome": "win", "winner": game.players[3].pk, "claimed_final": 200}
    )
    correct_hand(hand, entry, by=organiser, reason="It was Dee")
    after = client.get(address).content
    assert after != before
    assert "Dee Dok +730" in described(after.decode())[0]


def test_hidden_names_are_initials_in_pictures_that_leave_the_site(client, game):
    hidden_names.remember(hidden_names.Hiding(leagues=frozenset({game.league.pk})), seconds=3600)
    visited = {page: client.get(page).content.decode() for page in addresses(game)}
    assert not any("Boot" in page for page in visited.values())
    client.force_login(make_member())
    for page, alone in addresses(game).items():
        assert "Ben" in client.get(page).content.decode()
        assert "Ben" not in client.get(alone).content.decode()


def test_pages_have_no_picture_before_the_first_hand(client):
    game = make_game()
    for page, alone in addresses(game).items():
        assert "<svg role=" not in client.get(page).content.decode()
        assert client.get(alone).status_code == 404


@pytest.mark.parametrize("page", ["league", "evening", "recap"])
def test_pages_that_are_opened_often_fetch_their_pictures_later(client, game, page):
    args = [game.league.slug, *([] if page == "league" else [game.evening])]
    text = client.get(reverse(page, args=args)).content.decode()
    (address,) = re.findall('hx-get="([^"]+)" hx-select="#pictures"', text)
    assert f'<a href="{address}">' in text
    assert 'id="pictures"' in client.get(address).content.decode()


def test_a_player_chooses_the_league(client, game, organiser):
    other = make_league("Older", starts_on=game.league.starts_on.replace(year=2020))
    earlier = make_game(league=other, players=game.players)
    Game.objects.filter(pk=earlier.pk).update(started_at=game.started_at - timedelta(days=9))
    make_hand(earlier, winner=1, by=organiser)
    address = reverse("player", args=[game.players[1].pk])
    assert client.get(address).context["league"] == game.league
    asked = client.get(address, {"league": other.slug})
    assert asked.context["league"] == other
    assert f'<option value="{other.slug}" selected>' in asked.content.decode()
    assert client.get(address, {"league": "nothing"}).context["league"] == game.league
    alone = client.get(reverse("player_graph", args=[game.players[1].pk]), {"league": other.slug})
    assert "Older" in alone.content.decode()


def test_a_league_of_members_has_none_for_visitors(client, game):
    League.objects.update(visibility="members")
    for page, alone in addresses(game).items():
        assert {client.get(page).status_code, client.get(alone).status_code} == {404}


@pytest.mark.parametrize("games", [1, 3])
def test_pictures_cost_the_same_queries_for_any_number_of_games(
    client, game, organiser, games, django_assert_num_queries
):
    for _game in range(games):
        more = make_game(league=game.league, players=game.players, by=organiser)
        make_hand(more, winner=0, by=organiser)
    for address, queries in (("pictures", 5), ("race_graph", 4), ("evening_graph", 3)):
        slug = [game.league.slug, *([game.evening] if address == "evening_graph" else [])]
        with django_assert_num_queries(queries):
            client.get(reverse(address, args=slug))
    with django_assert_num_queries(4):
        client.get(reverse("player_graph", args=[game.players[1].pk]))
