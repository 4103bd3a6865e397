"""The hall of fame of a league and of the club, as a page and by API."""

from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.models import Game, club_day, hidden_names
from scoring.services.confirmations import dispute_hand
from scoring.services.hands.correct import void_hand
from scoring.services.seasons import add_season
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
)

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

ORPHANS = "19B 19C 19D ESWN RGWhWh"


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def game(by):
    names = ("Anna Alt", "Ben Boot", "Cai Cole", "Dee Dok")
    return make_game(players=[make_player(name) for name in names], by=by)


def page_of(client, league=None):
    address = reverse("league_hall", args=[league.slug]) if league else reverse("hall")
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def listed(client, league=None):
    address = f"leagues/{league.slug}/hall-of-fame" if league else "hall-of-fame"
    return client.get(f"/api/v1/{address}/").json()["results"]


def best(client, league=None):
    address = f"leagues/{league.slug}/hall-of-fame" if league else "hall-of-fame"
    answer = client.get(f"/api/v1/{address}/best/").json()["best"]
    return {span: one["hand"]["hand"] for one in answer for span in one["best_of"]}


def test_a_limit_hand_is_told_with_winner_tiles_day_and_scorecard(client, game, by):
    hand = make_hand(game, winner=2, tiles=ORPHANS, discarder=game.players[0].pk, by=by)
    page = page_of(client, game.league)
    assert "Thirteen Orphans" in page
    assert f'href="{hand.get_absolute_url()}"' in page
    assert f'href="{game.get_absolute_url()}"' in page
    assert "on Anna Alt’s discard" in page
    assert 'aria-label="1 of Bamboo' in page
    (listed_hand,) = listed(client, game.league)
    assert listed_hand == {
        "hand": hand.pk,
        "number": 1,
        "game": game.pk,
        "league": game.league.slug,
        "evening": str(game.evening),
        "winner": {"player": game.players[2].pk, "name": "Cai Cole"},
        "discarder": {"player": game.players[0].pk, "name": "Anna Alt"},
        "self_drawn": False,
        "tiles": listed_hand["tiles"],
        "limits": ["thirteen_orphans"],
        "final": hand.final,
        "checked": True,
    }
    assert len(listed_hand["tiles"]) == 14


def test_a_claimed_limit_hand_is_marked(client, game, by):
    make_hand(game, winner=1, tiles="", claimed_limit="nine_gates", by=by)
    page = page_of(client, game.league)
    assert "Nine Gates" in page
    assert "not checked" in page
    assert [(one["limits"], one["checked"]) for one in listed(client)] == [(["nine_gates"], False)]


def test_the_hall_of_fame_is_empty_at_first(client, game):
    assert "The hall is still empty" in page_of(client, game.league)
    make_hand(game, winner=0)
    assert "Nobody has won a limit hand yet" in page_of(client, game.league)


def test_what_does_not_count_is_out_of_it_at_once(client, game, by):
    other = make_game(league=game.league, players=game.players, by=by)
    first, second, third = (
        make_hand(one, winner=1, tiles=ORPHANS, by=by) for one in (game, game, other)
    )
    void_hand(second, by=by, reason="Not played")
    dispute_hand(first, by=by, player=game.players[0])
    assert [one["hand"] for one in listed(client)] == [third.pk]
    withdraw_game(other, by=by, reason="Opened by mistake")
    assert listed(client) == []
    assert best(client, game.league) == {}


def test_the_hall_of_fame_shows_best_hands_of_evening_season_and_ever(client, by):
    today = club_day()
    winter = make_league(starts_on=today - timedelta(days=9), ends_on=today)
    days = {"starts_on": today + timedelta(days=1), "ends_on": None}
    spring = add_season(winter, "spring", name="Spring", **days, by=by)
    spring.starts_on = today
    spring.save()
    game, late, early = (make_game(league=one, by=by) for one in (winter, spring, spring))
    Game.objects.filter(pk=early.pk).update(evening=today - timedelta(days=1))
    ever = make_hand(game, winner=1, tiles=ORPHANS, by=by)
    season = make_hand(early, winner=1, tiles="", claimed_final=120, by=by)
    evening = make_hand(late, winner=1, tiles="", claimed_final=90, by=by)
    make_hand(late, winner=2, tiles="", claimed_final=90, by=by)
    of_spring = {"evening": evening.pk, "season": season.pk, "ever": ever.pk}
    assert best(client, spring) == of_spring
    assert best(client, winter) == dict.fromkeys(of_spring, ever.pk)
    assert best(client) == {"evening": ever.pk, "ever": ever.pk}
    page = page_of(client, winter)
    assert "Latest evening · This season · Ever" in page


def test_members_only_leagues_are_not_told_to_visitors(client, by):
    hidden = make_game(league=make_league(visibility="members"), by=by)
    make_hand(hidden, winner=1, tiles=ORPHANS, by=by)
    assert listed(client) == []
    assert best(client) == {}
    client.force_login(make_member())
    assert len(listed(client)) == 1


def test_hidden_names_are_initials_in_the_hall_of_fame(client, game, by):
    make_hand(game, winner=2, tiles=ORPHANS, by=by)
    hidden_names.remember(hidden_names.Hiding(leagues=frozenset({game.league.pk})), seconds=3600)
    assert "Cai Cole" not in page_of(client, game.league)
    assert listed(client)[0]["winner"]["name"] == "C. C."


def test_the_hall_of_fame_costs_the_same_for_one_hand_and_for_many(
    client, game, by, django_assert_max_num_queries
):
    client.force_login(by)
    counts = set()
    for _more in range(2):
        make_hand(game, winner=2, tiles=ORPHANS, by=by)
        page_of(client, game.league)
        with django_assert_max_num_queries(8) as queries:
            page_of(client, game.league)
        counts.add(len(queries))
        other = make_game(by=by)
        make_hand(other, winner=1, tiles=ORPHANS, by=by)
    assert len(counts) == 1
