"""Ratings with their bands, on pages."""

from datetime import date

import pytest

from scoring.models import Club, FinalRow, League, Tally, club_day
from scoring.operations.verify import verify
from scoring.queries.seasons import final_rows
from scoring.services.games import finish_game
from scoring.services.seasons import close_season
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_organiser,
    make_owner,
    make_player,
)
from tests.support.pages import text

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def four():
    return [make_player(name) for name in ("Ann", "Ben", "Cleo", "Dan")]


def play(league, four, by, winner=1):
    game = make_game(league=league, players=four, by=by)
    make_hand(game, winner=winner, by=by)
    return finish_game(game, by=by)


class TestTheTableAcrossLeagues:
    def test_the_table_across_leagues_is_for_members_of_a_club_that_wishes_it(
        self, client, four, by
    ):
        Club.objects.create(pk=1, rates_across_leagues=True)
        play(make_league(), four, by)
        visited = text(client.get("/ratings/"))
        assert "How sure is a rating?" in visited
        assert "Ben" not in visited
        client.force_login(by)
        seen = text(client.get("/ratings/"))
        assert seen.index("Ben") < seen.index("Ann")
        assert "provisional" in seen
        assert "–1," in seen
        assert "Ben" not in text(client.get("/ratings/?as_of=2020-01-01"))
        assert client.get("/ratings/?as_of=x").status_code == 422

    def test_the_table_across_leagues_is_not_there_unless_it_is_switched_on(self, client, four, by):
        play(make_league(), four, by)
        client.force_login(make_owner())
        seen = text(client.get("/ratings/"))
        assert "Ben" not in seen
        assert "Switch on ratings across leagues" in seen

    def test_the_table_across_leagues_has_as_many_queries_for_many(
        self, client, four, by, django_assert_max_num_queries
    ):
        Club.objects.create(pk=1, rates_across_leagues=True)
        play(make_league(), four, by)
        client.force_login(by)
        play(make_league(), [make_player() for _place in range(4)], by)
        client.get("/ratings/")
        with django_assert_max_num_queries(8):
            client.get("/ratings/")


def test_the_history_shows_each_game(client, four, by, django_assert_max_num_queries):
    Club.objects.create(pk=1, rates_across_leagues=True)
    autumn, winter = make_league("Autumn"), make_league("Winter")
    for winner in (1, 1, 0):
        play(autumn, four, by, winner)
    url = f"/players/{four[1].pk}/ratings/"
    with django_assert_max_num_queries(13):
        seen = text(client.get(url))
    assert seen.count("1 of 4") == 2
    assert "All leagues" not in seen
    play(winter, four, by)
    client.force_login(by)
    assert text(client.get(f"{url}?across=1")).count("1 of 4") == 3
    assert text(client.get(f"{url}?league={winter.slug}")).count("1 of 4") == 1
    League.objects.filter(pk=winter.pk).update(starts_on=date(2020, 1, 1))
    assert client.get(url).context["shown"] == winter
    empty = text(client.get(f"/players/{make_player().pk}/ratings/"))
    assert "No rating yet" in empty


def test_a_league_says_how_sure_a_rating_is(client, four, by):
    league = make_league()
    play(league, four, by)
    Tally.objects.filter(player=four[0]).update(rating_mu=25.5, rating_sigma=4)
    seen = text(client.get(league.get_absolute_url()))
    assert '1,012 <small class="soft">±192</small>' in seen
    assert seen.count('<small class="soft">provisional</small>') == 3


class TestChances:
    def test_chances_are_offered_until_the_first_hand(self, client, four, by):
        league = make_league()
        play(league, four, by)
        game = make_game(league=league, players=four, by=by)
        link = f'href="/games/{game.pk}/chances/"'
        assert link not in text(client.get(game.get_absolute_url()))
        client.force_login(by)
        assert link in text(client.get(game.get_absolute_url()))
        seen = text(client.get(f"/games/{game.pk}/chances/"))
        assert seen.count("%</strong>") == 4
        assert "do not trust these figures far" in seen
        part = text(client.get(f"/games/{game.pk}/chances/", headers={"HX-Request": "true"}))
        assert part.count("%</strong>") == 4
        assert "<html" not in part
        make_hand(game, by=by)
        assert link not in text(client.get(game.get_absolute_url()))
        assert "%</strong>" not in text(client.get(f"/games/{game.pk}/chances/"))

    def test_chances_name_who_is_unknown(self, client, four, by):
        league = make_league()
        play(league, four, by)
        game = make_game(league=league, players=[*four[:3], make_player("Eva")], by=by)
        client.force_login(by)
        seen = text(client.get(f"/games/{game.pk}/chances/"))
        assert "No rating yet: Eva." in seen
        assert "%</strong>" not in seen


def test_a_final_table_of_before_keeps_its_ratings(client, four, by):
    league = make_league(ends_on=club_day())
    play(league, four, by)
    close_season(league, by=by, final_rows=final_rows)
    url = f"/leagues/{league.slug}/final/"
    assert "provisional" in text(client.get(url))
    FinalRow.objects.update(rating=1207, rating_deviation=None)
    seen = text(client.get(url))
    assert "1,207" in seen
    assert "on the scale of that time" in seen
    assert list(verify()) == []
    row = client.get(f"/api/v1/leagues/{league.slug}/final/").json()["tables"][0]["rows"][0]
    assert (row["rating"], row["rating_low"], row["rating_high"]) == (1207, None, None)
