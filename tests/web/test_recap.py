"""An evening to share: a page, a text and a picture."""

import xml.etree.ElementTree as ET

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from scoring.models import League, Player, hidden_names
from scoring.queries.recaps import recap_of
from scoring.services.confirmations import dispute_hand
from scoring.web.shared.lettering import width
from tests.factories import make_game, make_hand, make_member, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

THIRTEEN_ORPHANS = "19B 19C 19D ESWN RGWhWh"


@pytest.fixture
def game():
    """Ben wins a little, Cai a limit hand, nobody, and Dee what is disputed."""
    by = make_organiser()
    names = ("Anna <b> Alt", "Ben Boot", "Cai & Co", "Dee Dok")
    game = make_game(players=[make_player(name) for name in names], by=by)
    make_hand(game, winner=1, by=by)
    make_hand(game, winner=2, tiles=THIRTEEN_ORPHANS, by=by)
    make_hand(game, by=by)
    dispute_hand(make_hand(game, winner=3, by=by), by=by, player=game.players[0])
    return game


def address(game, name="recap"):
    return reverse(name, args=[game.league.slug, game.evening])


def shared_text(client, game):
    return client.get(address(game)).context["text"].splitlines()


def test_a_recap_has_the_winner_the_best_hand_the_swing_and_the_limit_hands(game):
    recap = recap_of(game.league, game.evening)
    _anna, _ben, cai, _dee = game.players
    assert [place.player for place in recap.winners] == [cai]
    assert (recap.hands, recap.played, recap.games.all, recap.games.open) == (3, 4, 1, 1)
    assert [hand.number for hand in (recap.best, recap.swing.hand, *recap.limits)] == [2, 2, 2]
    assert recap.swing.winner == cai
    assert sum(place.total for place in recap.places) == 0


def test_the_text_says_the_same_without_markup(client, game):
    lines = shared_text(client, game)
    assert lines[1].startswith("1. Cai & Co +")
    assert "Limit hand: Cai & Co, Thirteen Orphans" in lines
    assert lines[-2:] == ["4 hands", f"http://testserver{address(game)}"]


def test_text_picture_and_page_say_what_may_still_change_the_result(client, game):
    not_final = {"1 game is still in play", "1 hand is disputed"}
    assert not_final <= set(shared_text(client, game))
    drawing = ET.fromstring(client.get(address(game, "recap_picture")).content)
    assert not_final <= {one.text for one in drawing.iter()}
    assert "One hand is disputed" in client.get(address(game)).content.decode()


def test_what_a_closed_season_left_out_is_no_longer_waited_for(client, game):
    League.objects.update(ends_on=game.evening, closed_on=game.evening)
    assert "1 disputed hand was left out" in shared_text(client, game)


def test_the_picture_is_a_drawing_that_any_reader_takes(client, game):
    response = client.get(address(game, "recap_picture"))
    assert response.headers["Content-Type"] == "image/svg+xml"
    texts = [one.text for one in ET.fromstring(response.content).iter() if one.text]
    assert {"Cai & Co", "Anna <b> Alt"} <= set(texts)


@pytest.mark.parametrize("name", ["陳大文歐陽" * 11, "Wilhelmina M. " * 4])
def test_no_text_runs_out_of_the_picture_of_a_recap(client, game, name):
    League.objects.update(name=(name * 2)[:80])
    for number, player in enumerate(game.players):
        player.name = f"{name}{number}"
        player.save()
    drawing = ET.fromstring(client.get(address(game, "recap_picture")).content)
    texts = drawing.findall(".//{*}text")
    wide = {one: width(one.text) * int(one.get("font-size")) for one in texts}
    totals = {one.get("y"): 760 - wide[one] for one in texts if one.get("text-anchor") == "end"}
    for one in texts:
        if one.get("text-anchor") != "end":
            assert int(one.get("x")) + wide[one] <= totals.get(one.get("y"), 760), one.text


def drawn_texts(client, path):
    return {one.text for one in ET.fromstring(client.get(path).content).findall(".//{*}text")}


@pytest.mark.parametrize(("tables", "more"), [(4, None), (11, "and 4 more")])
def test_many_players_are_all_in_the_picture(client, game, tables, more):
    by = make_organiser()
    for _table in range(tables - 1):
        make_hand(make_game(league=game.league, by=by), winner=0, by=by)
    texts = drawn_texts(client, address(game, "recap_picture"))
    names = set(Player.objects.filter(tallies__league=game.league).values_list("name", flat=True))
    assert len(texts & names) == min(4 * tables, 40)
    assert {text for text in texts if text.startswith("and ")} == ({more} if more else set())


def test_names_that_have_room_in_the_picture_are_whole(client, game):
    name = "Wilhelmina van der Berg-Donauschiff"
    Player.objects.filter(pk=game.players[2].pk).update(name=name)
    texts = drawn_texts(client, address(game, "recap_picture"))
    assert name in texts
    assert any(text.startswith(f"Best hand: {name}, ") for text in texts)


def test_pictures_of_a_league_with_a_long_name_say_the_day_and_who_is_left_out(client, game):
    by = make_organiser()
    League.objects.filter(pk=game.league.pk).update(name="Winter league of the North, " * 2)
    assert date_format(game.evening) in drawn_texts(client, address(game, "evening_graph"))
    race = reverse("race_graph", args=[game.league.slug])
    assert not any(text.startswith("The first") for text in drawn_texts(client, race))
    for _table in range(2):
        make_hand(make_game(league=game.league, by=by), winner=0, by=by)
    assert "The first 10 of 12 players are shown." in drawn_texts(client, race)


def test_hidden_names_are_initials_in_recaps_that_leave_the_site(client, game):
    hidden_names.remember(hidden_names.Hiding(leagues=frozenset({game.league.pk})), seconds=3600)
    client.force_login(make_member())
    assert "Ben Boot" in client.get(address(game)).content.decode().split("share-title")[0]
    assert "Ben Boot" not in "\n".join(shared_text(client, game))
    assert "Ben Boot" not in client.get(address(game, "recap_picture")).content.decode()


def test_a_visitor_sees_it_as_far_as_the_league(client, game):
    League.objects.update(visibility="members")
    assert client.get(address(game)).status_code == 404
    assert client.get(address(game, "recap_picture")).status_code == 404


def test_an_evening_without_a_hand_has_a_recap(client):
    assert client.get(address(make_game())).status_code == 200


@pytest.mark.parametrize("games", [1, 3])
def test_a_recap_costs_eight_queries(client, game, games, django_assert_num_queries):
    for _game in range(games - 1):
        make_hand(make_game(league=game.league), winner=1, tiles=THIRTEEN_ORPHANS)
    page = address(game)
    with django_assert_num_queries(8):
        client.get(page)
