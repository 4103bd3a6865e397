"""Awards, head to head and statistics, as pages and by API."""

from datetime import date, timedelta

import pytest
from django.urls import reverse

from scoring.models import Game, League, club_day
from scoring.queries.anniversaries import anniversaries
from scoring.queries.story import league_story, player_story
from scoring.services.games import finish_game
from scoring.services.hands.correct import void_hand
from scoring.services.seasons import add_season
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


@pytest.mark.parametrize("name", ["awards", "head_to_head", "league_statistics"])
def test_a_league_without_a_hand_has_a_page(client, game, name):
    assert "yet" in text_of(client, reverse(name, args=[game.league.slug]))


@pytest.mark.parametrize(
    "name", ["awards", "head_to_head", "league_statistics", "against", "how_they_play"]
)
def test_pages_of_the_story_cost_the_same_for_one_hand_and_for_many(
    client, game, by, name, django_assert_max_num_queries
):
    client.force_login(by)
    own = game.players[0].pk if name in {"against", "how_they_play"} else game.league.slug
    counts = set()
    for _more in range(2):
        make_hand(game, winner=2, by=by)
        text_of(client, reverse(name, args=[own]))
        with django_assert_max_num_queries(8) as queries:
            text_of(client, reverse(name, args=[own]))
        counts.add(len(queries))
        make_hand(make_game(league=game.league, by=by), winner=1, by=by)
    assert len(counts) == 1


def test_a_player_is_told_how_the_hands_went(client, game, by):
    anna, ben, cai, _dee = game.players
    make_hand(game, winner=1, discarder=anna.pk, by=by)
    make_hand(game, winner=1, self_drawn=True, by=by)
    last = make_hand(game, by=by)
    story = player_story(ben, by)
    assert [(line.wind, line.hands, line.wins) for line in story.seats] == [
        ("E", 2, 1),
        ("S", 1, 1),
    ]
    assert [(line.wind, line.hands) for line in story.rounds] == [("E", 3)]
    assert [(one.discarder, one.winner, one.hands) for one in story.took] == [(anna, ben, 1)]
    assert story.gave == []
    assert [(one.id, one.longest, one.now) for one in story.streaks] == [
        ("winning_streak", 2, 0),
        ("careful_streak", 3, 3),
    ]
    ways = {way.id: way.hands for way in story.ways.ways if way.hands}
    assert ways == {"drawn": 1, "claimed": 1, "nobody": 1}
    assert story.ways.points == sum(payment.amount for payment in ben.payments.exclude(hand=last))
    page = text_of(client, reverse("how_they_play", args=[ben.pk]))
    assert "Won on a discard of" in page
    assert "Lucky set" in page
    assert "No hand counts yet" not in page
    client.force_login(by)
    nobody = make_player("Eve Else")
    for name in ("how_they_play", "against"):
        empty = text_of(client, reverse(name, args=[nobody.pk]))
        assert "No hand has been played yet" in empty, name
        assert "No hand counts yet" not in empty, name
    assert player_story(cai, by).ways.points < 0


def test_the_records_of_all_seasons_name_the_evening_of_their_own_season(client, game, by):
    first = game.league
    League.objects.filter(pk=first.pk).update(starts_on=date(2025, 1, 1), ends_on=date(2025, 6, 30))
    make_hand(game, winner=1, tiles="", claimed_final=200, by=by)
    finish_game(game, by=by)
    assert league_story(first, by).records == []
    after = add_season(first, "spring", name="Spring", starts_on=club_day(), ends_on=None, by=by)
    make_hand(make_game(league=after, players=game.players, by=by), winner=0, by=by)
    records = {one.award.id: one for one in league_story(after, by).records}
    assert records["best_hand"].value == 200
    assert [holder.slug for holder in records["best_hand"].holders] == [first.slug]
    assert "limit_hands" not in records
    page = text_of(client, reverse("league_statistics", args=[after.slug]))
    assert "Records of all seasons" in page
    assert reverse("evening", args=[first.slug, game.evening]) in page


def test_the_league_tells_what_was_played_this_week_in_earlier_years(client, game, by):
    hand = make_hand(game, winner=2, tiles="19B 19C 19D ESWN RGWhWh", by=by)
    today = game.evening
    assert anniversaries(game.league, by, today) == []
    (found,) = anniversaries(game.league, by, today.replace(year=today.year + 2, day=today.day))
    assert (found.day, found.years, found.limit_hands) == (today, 2, [hand])
    far = today.replace(year=today.year + 1) + timedelta(days=4)
    assert anniversaries(game.league, by, far) == []
    leap = date(2024, 2, 29)
    Game.objects.filter(pk=game.pk).update(evening=date(2023, 2, 28))
    assert [one.years for one in anniversaries(game.league, by, leap)] == [1]
    a_year_ago = today.replace(day=min(today.day, 28), year=today.year - 1)
    Game.objects.filter(pk=game.pk).update(evening=a_year_ago)
    page = text_of(client, game.league.get_absolute_url())
    assert "This week in earlier years" in page
    assert "Thirteen Orphans</a>, Cai Cole" in page
    void_hand(hand, by=by, reason="Not played")
    assert "Thirteen Orphans" not in text_of(client, game.league.get_absolute_url())
