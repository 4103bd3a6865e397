"""Ratings across leagues, after each game, and chances."""

import pytest

from scoring.models import Club
from scoring.services.games import finish_game
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def four():
    return [make_player(name) for name in ("Ann", "Ben", "Cleo", "Dan")]


@pytest.fixture
def leagues(four, by):
    """Two leagues with a game each, which Ben won."""
    Club.objects.create(pk=1, rates_across_leagues=True)
    leagues = [make_league("Autumn"), make_league("Winter")]
    for league in leagues:
        game = make_game(league=league, players=four, by=by)
        make_hand(game, winner=1, by=by)
        finish_game(game, by=by)
    return leagues


def test_the_table_across_leagues(client, leagues, by, four):
    client.force_login(by)
    answer = client.get("/api/v1/ratings/").json()
    assert answer["count"] == 4
    first = answer["results"][0]
    margin = first["rating_high"] - first["rating"]
    assert first == {
        "rank": None,
        "player": four[1].pk,
        "name": "Ben",
        "games": 2,
        "rating": first["rating"],
        "rating_low": first["rating"] - margin,
        "rating_high": first["rating"] + margin,
        "rating_provisional": True,
    }
    assert client.get("/api/v1/ratings/?as_of=2020-01-01").json()["results"] == []
    assert client.get("/api/v1/ratings/?as_of=never").status_code == 400


def test_a_rating_is_listed_after_each_game(client, leagues, by, four):
    url = f"/api/v1/players/{four[1].pk}/ratings/"
    (of_league,) = client.get(f"{url}?league={leagues[0].slug}").json()["results"]
    assert (of_league["rank"], of_league["points"], of_league["league"]) == (
        *(1, 280),
        leagues[0].slug,
    )
    assert of_league["rating"] == 1000 + of_league["change"]
    assert client.get(f"{url}?across=true").status_code in (401, 403)
    client.force_login(by)
    across = client.get(f"{url}?across=true").json()["results"]
    assert [one["league"] for one in across] == [one.slug for one in leagues[::-1]]
    assert across[1]["rating"] == of_league["rating"] < across[0]["rating"]
    assert client.get(f"/api/v1/players/{make_player().pk}/ratings/").status_code == 404


def test_chances_name_newcomers_as_unknown(client, leagues, by, four):
    client.force_login(by)
    newcomer = make_player("Eva")
    url = f"/api/v1/ratings/chances/?league={leagues[0].slug}&players="
    ids = ",".join(str(player.pk) for player in four)
    answer = client.get(url + ids).json()
    assert [one["name"] for one in answer["chances"]] == ["Ann", "Ben", "Cleo", "Dan"]
    assert sum(one["percent"] for one in answer["chances"]) == 100
    ben = answer["chances"][1]
    assert ben["percent_low"] < ben["percent"] < ben["percent_high"]
    assert (answer["across_leagues"], answer["unknown"]) == (True, [])
    answer = client.get(url + ids.replace(str(four[0].pk), str(newcomer.pk), 1)).json()
    assert answer["chances"] == []
    assert answer["unknown"] == [{"player": newcomer.pk, "name": "Eva"}]
    for wrong in (
        ids[2:],
        f"{ids},1",
        "1,1,1,1",
        "a,b,c,d",
        f"{four[0].pk},{four[1].pk},9999,8888",
    ):
        assert client.get(url + wrong).status_code == 400
