"""The pages of the seasons of a league: closing one, its certificate, all of them, the next one."""

from datetime import date, timedelta
from xml.etree import ElementTree

import pytest

from scoring.models import Club, League, SeasonClosure, club_day, hidden_names
from scoring.models.left_open import left_open_in
from scoring.queries.seasons import final_rows
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.leaving import make_anonymous
from scoring.services.seasons import add_season, close_season, key_of
from scoring.web.league.season_forms import proposed_season
from scoring.web.shared.lettering import width
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(client):
    organiser = make_organiser()
    client.force_login(organiser)
    return organiser


@pytest.fixture
def season():
    today = club_day()
    return make_league("Winter 2026", starts_on=today - timedelta(days=30), ends_on=today)


def play(league, by, *names, winner=1):
    """A finished game."""
    game = make_game(league=league, players=[make_player(name) for name in names] or None, by=by)
    make_hand(game, winner=winner, by=by)
    finish_game(game, by=by)
    return game


def close(league, by):
    return close_season(league, by=by, final_rows=final_rows)


def page(league, what=""):
    return f"/leagues/{league.slug}/{what}"


class TestClosing:
    def test_closing_a_season_names_what_is_open_and_has_it_decided(self, client, season, by):
        game = make_game(league=season, by=by)
        make_hand(game, winner=1, tiles="", claimed_final=40, by=by)
        html = client.get(page(season, "close/")).content.decode()
        assert "Game in play: " + ", ".join(one.name for one in game.players) in html
        assert "1 hand was not checked" in html
        sent = {"seen": left_open_in(season).etag, "unchecked": "count"}
        response = client.post(page(season, "close/"), sent)
        assert response.status_code == 422
        assert "Choose what happens to it." in response.content.decode()
        sent[key_of(game)] = "leave_out"
        response = client.post(page(season, "close/"), sent)
        assert response.context["form"].errors.keys() == {"reason"}
        response = client.post(page(season, "close/"), {**sent, "reason": "A try"}, follow=True)
        assert response.redirect_chain[-1][0] == page(season, "final/")
        assert "Nobody played in this season." in response.content.decode()

    def test_closing_a_season_shows_again_what_has_changed_since(self, client, season, by):
        response = client.post(page(season, "close/"), {"seen": "another"})
        assert response.status_code == 409
        assert not SeasonClosure.objects.exists()

    def test_closing_a_season_says_what_waits(self, client, season, by):
        game = make_game(league=season, by=by)
        sent = {"seen": left_open_in(season).etag, key_of(game): "wait"}
        response = client.post(page(season, "close/"), sent, follow=True)
        assert "The season stays open, because something waits." in response.content.decode()

    def test_closing_a_season_says_why_not_yet(self, client, by):
        response = client.get(page(make_league(), "close/"))
        assert "This season has no last day yet" in response.content.decode()

    def test_who_comes_second_is_told_who_decided(self, client, season, by):
        game = play(season, by, "Ann", "Ben", "Cas", "Dot")
        hand = game.hands.get()
        dispute_hand(hand, by=by, player=game.players[0])
        sent = {"seen": left_open_in(season).etag, key_of(hand): "count", "reason": "Right"}
        ruth = make_organiser(player=make_player("Ruth"))
        close_season(
            season,
            by=ruth,
            final_rows=final_rows,
            decisions={key_of(hand): "leave_out"},
            reason="No",
        )
        html = client.post(page(season, "close/"), sent, follow=True).content.decode()
        assert "Ruth closed this season meanwhile" in html
        assert "meanwhile" not in client.get(page(season, "close/"), follow=True).content.decode()


class TestAClosedSeason:
    """Its pages offer nothing that is refused."""

    @pytest.fixture
    def game(self, client, season, by):
        game = play(season, by, "Ann", "Ben", "Cas", "Dot")
        hand = game.hands.get()
        dispute_hand(hand, by=by, player=game.players[0])
        decided = {"decisions": {key_of(hand): "leave_out"}, "reason": "Nobody knows"}
        close_season(season, by=by, final_rows=final_rows, **decided)
        return game

    def test_the_evening_is_read_only(self, client, season, by, game):
        html = client.get(page(season, f"evenings/{game.evening}/")).content.decode()
        assert "This season is closed: nobody changes what was played." in html
        assert "They were left out when the season was closed." in html
        assert "close-title" not in html

    def test_a_disputed_hand_is_not_settled(self, client, by, game):
        hand = game.hands.get()
        html = client.get(f"/hands/{hand.pk}/").content.decode()
        assert "It was left out when the season was closed." in html
        assert "Settle the dispute" not in html
        response = client.get(f"/hands/{hand.pk}/settle/")
        assert response.status_code == 403
        assert "This season is closed" in response.content.decode()

    def test_no_adjustment_is_asked_for(self, client, season, by, game):
        html = client.get(page(season, "adjustments/")).content.decode()
        assert "This season is closed: an organiser can open it again." in html
        assert "Add an adjustment" not in html
        assert client.post(page(season, "adjustments/"), {}).status_code == 403

    def test_an_evening_that_is_over_is_for_organisers(self, client, season, by):
        game = play(season, by, "Ann", "Ben", "Cas", "Dot")
        League.objects.update(ends_on=club_day() - timedelta(days=1))
        html = client.get(page(season, f"evenings/{game.evening}/")).content.decode()
        assert "This season has ended: only organisers change its hands." in html


class TestTheFinalTable:
    def test_the_final_table_names_champions_who_are_level(self, client, season, by, settings):
        settings.SITE_NAME = "The Bamboo Room"
        for names in (("Ann", "Ben", "Cas", "Dot"), ("Eva", "Fay", "Gus", "Hal")):
            play(season, by, *names)
        close(season, by)
        html = client.get(page(season, "final/")).content.decode()
        assert "Champions, level with each other" in html
        picture = client.get(page(season, "final.svg"))
        assert picture["Content-Type"] == "image/svg+xml"
        texts = [
            text for text in ElementTree.fromstring(picture.content).itertext() if text.strip()
        ]
        assert {"Champions", "Ben and Fay", "+280"} <= set(texts)
        assert "The Bamboo Room" in texts

    def test_long_names_fit_into_the_picture_of_the_final_table(self, client, season, by):
        long = "歐陽陳大文" * 11
        play(season, by, f"{long}1", f"{long}2", "Wilhelmina " * 5, "Ann")
        League.objects.update(name=long)
        Club.objects.update_or_create(pk=1, defaults={"name": long})
        close(season, by)
        drawing = ElementTree.fromstring(client.get(page(season, "final.svg")).content)
        sizes = {}
        for group in drawing.findall(".//{*}g"):
            for one in group:
                size = int(one.get("font-size") or group.get("font-size"))
                sizes[one.text] = size
                assert width(one.text) * size <= 1040, one.text
        assert min(sizes.values()) >= 26

    def test_the_final_table_hides_names_from_visitors_and_those_of_who_is_anonymous(
        self, client, season, by
    ):
        game = play(season, by, "Ann Smit", "Ben Jansen", "Cas Bos", "Dot Kok")
        close(season, by)
        make_anonymous(game.players[0], by=make_owner())
        League.objects.update(hides_names=True)
        hidden_names.forget()
        # The picture leaves the site, whoever asks for it; the page does not.
        assert "Jansen" in client.get(page(season, "final/")).content.decode()
        assert "Jansen" not in client.get(page(season, "final.svg")).content.decode()
        client.logout()
        for what in ("final/", "final.svg", "seasons/"):
            html = client.get(page(season, what)).content.decode()
            assert "B. J." in html
            assert "Jansen" not in html
            assert "Smit" not in html

    def test_the_final_table_is_there_once_the_season_is_closed(self, client, season):
        for what in ("final/", "final.svg"):
            assert client.get(page(season, what)).status_code == 404

    def test_the_final_table_is_opened_again_for_a_reason(self, client, season, by):
        close(season, by)
        response = client.post(page(season, "reopen/"), {"reason": " "})
        assert response.status_code == 422
        assert response.context["form"].errors.keys() == {"reason"}
        assert "others at the table" not in response.content.decode()
        client.post(page(season, "reopen/"), {"reason": "A hand was wrong"})
        assert SeasonClosure.objects.get().reason == "A hand was wrong"
        client.logout()
        response = client.get(page(season, "final/"), follow=True)
        assert "This season was opened again" in response.content.decode()


class TestSeasons:
    def test_the_page_of_seasons_lists_seasons_with_their_champions(self, client, season, by):
        play(season, by, "Ann", "Ben", "Cas", "Dot")
        close(season, by)
        tomorrow = club_day() + timedelta(days=1)
        later = add_season(season, "next", name="Next", starts_on=tomorrow, ends_on=None, by=by)
        html = client.get(page(later, "seasons/")).content.decode()
        assert html.index("Next") < html.index("Winter 2026")
        assert "Champions of all seasons" in html

    def test_members_only_seasons_are_not_shown_to_visitors(self, client, season, by):
        tomorrow = club_day() + timedelta(days=1)
        later = add_season(season, "next", name="Secret", starts_on=tomorrow, ends_on=None, by=by)
        League.objects.filter(pk=later.pk).update(visibility=League.Visibility.MEMBERS)
        client.logout()
        for address in (page(season, "seasons/"), "/seasons/"):
            response = client.get(address)
            assert "Secret" not in response.content.decode()

    def test_seasons_of_all_leagues_stand_on_a_page_of_the_club(self, client, season, by):
        empty = client.get("/seasons/").content.decode()
        assert "Winter 2026" in empty
        assert "Champions of all seasons" not in empty
        play(season, by, "Ann", "Ben", "Cas", "Dot")
        close(season, by)
        make_league("Tuesdays")
        html = client.get("/seasons/").content.decode()
        assert "Tuesdays" in html
        assert "Winter 2026" in html.split("Champions of all seasons")[1]

    def test_the_page_of_seasons_of_a_club_without_a_league_says_so(self, client, db):
        assert "There is no league yet" in client.get("/seasons/").content.decode()

    @pytest.mark.parametrize(
        ("name", "days", "proposed"),
        [
            (
                "Winter 2026",
                ("2026-01-01", "2026-03-31"),
                ("Winter 2027", "2026-04-01", "2026-06-30"),
            ),
            (
                "League 26/27",
                ("2026-09-05", "2026-09-14"),
                ("League 26/28", "2026-09-15", "2026-09-24"),
            ),
            ("2026–27", ("2026-09-05", None), ("2027–28", None, None)),
            (
                "Club night",
                ("2026-01-31", "2026-02-28"),
                ("Club night 2", "2026-03-01", "2026-03-29"),
            ),
        ],
    )
    def test_the_page_of_seasons_proposes_the_next_one(self, name, days, proposed):
        first, last = (day and date.fromisoformat(day) for day in days)
        found = proposed_season(League(name=name, starts_on=first, ends_on=last))
        shown = tuple(value and str(value) for value in found.values())
        assert shown == proposed

    def test_the_next_one_is_started_on_a_page(self, client, season, by):
        html = client.get(page(season, "seasons/next/")).content.decode()
        assert "Winter 2027" in html
        sent = {"name": "Winter 2027", "starts_on": season.ends_on}
        response = client.post(page(season, "seasons/next/"), sent)
        assert response.context["form"].errors.keys() == {"starts_on"}
        sent["starts_on"] += timedelta(days=1)
        response = client.post(page(season, "seasons/next/"), sent)
        assert response["Location"] == "/leagues/winter-2027/"

    def test_a_season_without_a_last_day_is_given_one_before_the_next(self, client, season, by):
        League.objects.filter(pk=season.pk).update(ends_on=None)
        response = client.get(page(season, "seasons/next/"), follow=True)
        assert response.request["PATH_INFO"] == page(season, "change/")
        assert f"{season} has no last day yet: give it one first." in response.content.decode()

    def test_a_season_that_another_one_follows_is_offered_no_other(self, client, season, by):
        sent = {"name": "Winter 2027", "starts_on": season.ends_on + timedelta(days=1)}
        client.post(page(season, "seasons/next/"), sent)
        response = client.get(page(season, "seasons/next/"), follow=True)
        assert response.request["PATH_INFO"] == page(season, "seasons/")
        assert "Another season follows this one already." in response.content.decode()


def test_a_game_says_that_its_season_has_ended_or_is_closed(client, season, by):
    player = make_player()
    four = [player, *(make_player() for _ in range(3))]
    game = make_game(league=season, players=four, by=by)
    client.force_login(make_member(player=player))
    yesterday = club_day() - timedelta(days=1)
    League.objects.filter(pk=season.pk).update(ends_on=yesterday)
    assert (
        "This season has ended: ask an organiser."
        in client.get(game.get_absolute_url()).content.decode()
    )
    response = client.post(
        f"{game.get_absolute_url()}hands/",
        {"number": 1, "winner": "draw"},
        headers={"Accept": "application/json"},
    )
    assert (response.status_code, response.json()["code"]) == (403, "season_over")
    season.refresh_from_db()
    close_season(season, by=by, final_rows=final_rows, decisions={key_of(game): "count"})
    response = client.get(page(season))
    assert "This season is closed." in response.content.decode()


class TestQueries:
    """Each page costs the same, however many players or seasons there are."""

    @pytest.fixture
    def counted(self, client, django_assert_max_num_queries):
        def get(address):
            client.get(address)
            with django_assert_max_num_queries(8) as queries:
                assert client.get(address).status_code == 200
            return len(queries)

        return get

    def test_queries_of_the_final_table_and_its_picture_are_few(self, counted, season, by):
        play(season, by)
        closed = [make_league(ends_on=club_day()), season]
        for number, league in enumerate(closed):
            for _more in range(1 + 2 * number):
                play(league, by)
            close(league, by)
        for what in ("final/", "final.svg"):
            few, many = (counted(page(league, what)) for league in closed)
            assert few == many

    def test_queries_of_all_seasons_are_few(self, counted, season, by):
        play(season, by)
        close(season, by)
        few = counted(page(season, "seasons/"))
        League.objects.filter(pk=season.pk).update(starts_on="2020-01-01", ends_on="2020-01-31")
        for year in (2021, 2022):
            days = {"starts_on": date(year, 1, 1), "ends_on": date(year, 1, 31)}
            last = League.objects.seasons_of(season).first()
            league = add_season(last, f"y{year}", name=f"{year}", **days, by=by)
            close(league, by)
        assert counted(page(season, "seasons/")) == few
        assert counted("/seasons/") <= few

    def test_queries_of_closing_a_season_are_few(self, counted, season, by):
        for _game in range(2):
            make_hand(make_game(league=season, by=by), winner=1, tiles="", claimed_final=90, by=by)
            few = counted(page(season, "close/"))
        make_hand(make_game(league=season, by=by), winner=1, tiles="", claimed_final=90, by=by)
        assert counted(page(season, "close/")) == few
