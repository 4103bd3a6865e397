"""Awards and head to head, as pages and by API."""

import pytest
from django.urls import reverse

from scoring.services.hands.correct import void_hand
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    names = ("Anna Alt", "Ben Boot", "Cai Cole", "Dee Dok")
    return make_game(players=[make_player(name) for name in names], by=by)


def text_of(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def awards(client, league):
    answer = client.get(f"/api/v1/leagues/{league.slug}/awards/").json()["awards"]
    return {one["id"]: one for one in answer}


def test_awards_name_their_holders_and_who_is_level(client, game, by):
    anna, ben, _cai, _dee = game.players
    first = make_hand(game, winner=0, tiles="", claimed_final=120, discarder=ben.pk, by=by)
    last = make_hand(game, winner=1, tiles="", claimed_final=120, self_drawn=True, by=by)
    best = awards(client, game.league)["best_hand"]
    assert (best["value"], best["unit"]) == (120, "points")
    assert [(one["player"], one["hand"]) for one in best["holders"]] == [
        (anna.pk, first.pk),
        (ben.pk, last.pk),
    ]
    page = text_of(client, reverse("awards", args=[game.league.slug]))
    assert "120 points" in page
    assert f'href="{first.get_absolute_url()}"' in page
    assert page.count("not checked") == 2
    void_hand(last, by=by, reason="Not played")
    held = awards(client, game.league)
    assert [one["player"] for one in held["best_hand"]["holders"]] == [anna.pk]
    assert "self_drawn" not in held


def test_head_to_head_shows_who_won_from_whom(client, game, by):
    anna, ben, *_rest = game.players
    hand = make_hand(game, winner=1, by=by)
    page = text_of(client, reverse("head_to_head", args=[game.league.slug]) + f"?player={ben.pk}")
    assert 'against Anna Alt <span class="soft small">in 1 hand</span>' in page
    answer = client.get(f"/api/v1/leagues/{game.league.slug}/head-to-head/").json()
    assert answer["rows"][0] == {
        "player": anna.pk,
        "name": "Anna Alt",
        "points": -140,
        "against": [
            {"player": other.pk, "name": other.name, "points": points, "hands": 1}
            for other, points in zip(game.players[1:], (-140, 0, 0), strict=True)
        ],
    }
    own = text_of(client, reverse("against", args=[ben.pk]))
    assert "against Anna Alt" in own
    assert "+140" in own
    mine = client.get(f"/api/v1/players/{ben.pk}/against/").json()
    assert (mine["points"], mine["against"][0]["points"]) == (280, 140)
    void_hand(hand, by=by, reason="Not played")
    assert "No hand" in text_of(client, reverse("against", args=[ben.pk]))


def test_a_player_is_not_compared_in_leagues_the_reader_does_not_see(client, game, by):
    make_hand(game, winner=1, by=by)
    hidden = make_game(league=make_league(visibility="members"), players=game.players, by=by)
    make_hand(hidden, winner=1, by=by)
    address = f"/api/v1/players/{game.players[1].pk}/against/"
    assert client.get(address).json()["points"] == 280
    client.force_login(by)
    assert client.get(address).json()["points"] == 560


@pytest.mark.parametrize("name", ["awards", "head_to_head"])
def test_a_league_without_a_hand_has_a_page(client, game, name):
    assert "yet" in text_of(client, reverse(name, args=[game.league.slug]))


@pytest.mark.parametrize("name", ["awards", "head_to_head", "against"])
def test_pages_cost_the_same_for_one_hand_and_for_many(
    client, game, by, name, django_assert_max_num_queries
):
    client.force_login(by)
    own = game.players[0].pk if name == "against" else game.league.slug
    counts = set()
    for _more in range(2):
        make_hand(game, winner=2, by=by)
        text_of(client, reverse(name, args=[own]))
        with django_assert_max_num_queries(8) as queries:
            text_of(client, reverse(name, args=[own]))
        counts.add(len(queries))
        make_hand(make_game(league=game.league, by=by), winner=1, by=by)
    assert len(counts) == 1
