"""Feeds of results and limit hands, and the calendar of a league, as their readers read them."""

from dataclasses import replace
from datetime import date, timedelta

import feedparser
import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from scoring.models import Game, Hand, League, club_day, hidden_names
from scoring.queries.evenings import evening_of
from scoring.queries.recaps import recap_of
from scoring.queries.results import latest_results
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.seats import move_game
from scoring.services.withdrawals import withdraw_game
from tests.factories import make_game, make_hand, make_league, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

NAMES = ("Anna & Co", "<Ben>", "陳大文", "Dee Dok")
ORPHANS = "19B 19C 19D ESWN RGWhWh"


@pytest.fixture
def by():
    return make_organiser()


@pytest.fixture
def league():
    return make_league("Club & night", slug="night", ends_on=date(2099, 12, 31))


@pytest.fixture
def game(league, by):
    """<Ben> has won thirteen orphans; the game is over."""
    game = make_game(league=league, players=[make_player(name) for name in NAMES], by=by)
    make_hand(game, winner=1, tiles=ORPHANS, by=by)
    finish_game(game, by=by)
    return game


def feed(client, address, **headers):
    """What a reader of feeds makes of it; well-formed, with all that Atom demands."""
    response = client.get(address, headers=headers)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("application/atom+xml")
    read = feedparser.parse(response.content)
    assert not read.bozo, read.get("bozo_exception")
    assert read.version == "atom10"
    assert all(read.feed[name] for name in ("id", "title", "updated", "author", "link"))
    for entry in read.entries:
        assert all(entry[name] for name in ("id", "title", "updated", "link"))
    return read


def played_on(game, day, by, **hand):
    """Another game of the same four on ``day``, with a hand."""
    other = make_game(league=game.league, players=game.players, by=by)
    make_hand(other, winner=2, by=by, **hand)
    Game.objects.filter(pk=other.pk).update(evening=day)
    return other


def test_an_evening_is_an_entry_with_its_sums(client, game):
    read = feed(client, "/leagues/night.atom")
    assert read.feed.title == "Results of Club & night"
    (entry,) = read.entries
    assert entry.title.startswith("Club & night, ")
    recap = reverse("recap", args=["night", game.evening])
    assert entry.link == f"http://testserver{recap}"
    assert "1. &lt;Ben&gt; +" in entry.summary
    assert "陳大文" in entry.summary
    assert feed(client, "/leagues.atom").entries[0].link == entry.link


def test_the_feed_of_a_league_waits_until_the_games_or_the_day_are_over(client, game, by):
    played_on(game, club_day(), by)
    assert feed(client, "/leagues/night.atom").entries == []
    Game.objects.update(evening=club_day() - timedelta(days=1))
    assert len(feed(client, "/leagues/night.atom").entries) == 1


def test_sums_of_a_feed_are_those_of_each_recap(game, by):
    for ago in (3, 1):
        played_on(game, club_day() - timedelta(days=ago), by, self_drawn=True)
    denied = Hand.objects.current().latest("pk")
    dispute_hand(denied, by=by, player=game.players[1])
    book_at_table(game, penalty(game, game.players[3], 10), by=by, reason="Late")
    sat_down = make_game(league=game.league, by=by)
    Game.objects.filter(pk=sat_down.pk).update(evening=club_day() - timedelta(days=1))
    results = latest_results(League.objects.all(), 20)
    assert [one.day for one in results] == sorted((one.day for one in results), reverse=True)
    assert len(results) == 3
    for one in results:
        assert one.places == recap_of(game.league, one.day).places
        totals = [(place.player, place.total) for place in one.places]
        assert evening_of(game.league, one.day).totals == totals


def test_a_correction_is_told_and_nothing_is_sent_twice(client, game, by):
    first = client.get("/leagues/night.atom")
    assert "Last-Modified" not in first.headers
    kept = {"If-None-Match": first.headers["ETag"]}
    assert client.get("/leagues/night.atom", headers=kept).status_code == 304
    before = feedparser.parse(first.content).entries[0]
    hand = game.hands.get()
    right = replace(HandEntry.from_hand(hand), winner=game.players[2].pk)
    correct_hand(hand, right, by=by, reason="It was not Ben")
    (after,) = feed(client, "/leagues/night.atom", **kept).entries
    assert after.id == before.id
    assert after.updated_parsed >= before.updated_parsed
    assert "1. 陳大文" in after.summary


@pytest.mark.parametrize("change", ["withdraw", "move"])
def test_a_game_that_goes_is_a_change_of_its_evening(game, by, change):
    gone = played_on(game, game.evening, by)
    finish_game(gone, by=by)
    (before,) = latest_results(League.objects.all(), 20)
    if change == "withdraw":
        withdraw_game(gone, by=by, reason="It was never played")
    else:
        move_game(gone, league=make_league(), day=gone.evening, by=by, reason="Another night")
    results = latest_results(League.objects.filter(pk=game.league.pk), 20)
    assert results[0].places != before.places
    assert results[0].changed > before.changed


def test_a_limit_hand_that_is_corrected_stays_one_entry(client, game, by):
    before = feed(client, "/hall.atom").entries[0]
    hand = game.hands.get()
    right = replace(HandEntry.from_hand(hand), winner=game.players[2].pk)
    correct_hand(hand, right, by=by, reason="It was not Ben")
    (after,) = feed(client, "/hall.atom").entries
    assert after.id == before.id
    assert after.link != before.link


def test_a_limit_hand_is_an_entry_of_the_hall_of_fame(client, game, by):
    hand = game.hands.get()
    for address in ("/hall.atom", "/leagues/night/hall.atom"):
        (entry,) = feed(client, address).entries
        assert entry.title == "<Ben>: Thirteen Orphans"
        assert entry.link == f"http://testserver{hand.get_absolute_url()}"
    void_hand(hand, by=by, reason="Not played")
    assert feed(client, "/hall.atom").entries == []


def test_a_feed_without_entries_does_not_change(client, league):
    answers = {client.get("/leagues/night.atom").headers["ETag"] for _time in range(2)}
    assert len(answers) == 1
    assert feed(client, "/leagues.atom").entries == []


def test_the_feed_of_a_members_league_is_for_members(client, game, by):
    League.objects.update(visibility=League.Visibility.MEMBERS)
    for address in ("/leagues.atom", "/hall.atom"):
        assert feed(client, address).entries == []
    assert client.get("/leagues/night.atom").status_code == 404
    page = "atom+xml"
    client.force_login(by)
    assert len(feed(client, "/leagues/night.atom").entries) == 1
    # No program that reads feeds could sign in.
    assert page not in client.get("/leagues/night/").content.decode()


def test_hidden_names_are_initials_in_feeds(client, game):
    game.league.hides_names = True
    game.league.save()
    hidden_names.forget()
    assert feed(client, "/hall.atom").entries[0].title == "B.: Thirteen Orphans"
    assert "Dee" not in feed(client, "/leagues.atom").entries[0].summary


def test_feeds_are_in_the_readers_language(client, game):
    dutch = feed(client, "/hall.atom", **{"Accept-Language": "nl"})
    assert dutch.feed.language == "nl"
    assert dutch.feed.title != "Hall of fame"


@pytest.mark.parametrize("evenings", [1, 3])
def test_feeds_cost_the_same_queries_for_any_number_of_evenings(
    client, game, by, evenings, django_assert_num_queries
):
    for ago in range(1, evenings):
        played_on(game, club_day() - timedelta(days=ago), by)
    client.get("/leagues.atom")
    with django_assert_num_queries(9):
        client.get("/leagues.atom")
    with django_assert_num_queries(1):
        client.get("/hall.atom")
    with django_assert_num_queries(2):
        client.get("/leagues/night.ics")


class TestCalendar:
    """Of a league, as a program reads it that is not ours to change."""

    @staticmethod
    def events(response):
        assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
        lines = response.content.split(b"\r\n")
        assert lines[-1] == b""
        assert all(len(line) <= 75 and b"\n" not in line for line in lines)
        calendar = Calendar.from_ical(response.content)
        assert (calendar["version"], calendar.errors) == ("2.0", [])
        assert all(event.errors == [] for event in calendar.events)
        return calendar.events

    def test_the_calendar_has_each_evening_and_the_first_and_last_day(self, client, game, by):
        before = club_day() - timedelta(days=7)
        played_on(game, before, by)
        played_on(game, before, by)
        events = self.events(client.get("/leagues/night.ics"))
        found = {str(event["uid"]): event for event in events}
        assert len(found) == len(events) == 4
        words = {event.decoded("dtstart"): str(event["summary"]) for event in events[1:]}
        assert words == {
            date(2099, 12, 31): "Last day of Club & night",
            club_day(): "Club & night: 1 game",
            before: "Club & night: 2 games",
        }
        assert str(events[0]["summary"]) == "Club & night begins"
        evening = reverse("evening", args=["night", before])
        assert str(events[-1]["url"]) == f"http://testserver{evening}"
        assert events[-1].decoded("dtend") == before + timedelta(days=1)

    def test_the_calendar_was_written_at_no_time_to_come_and_keeps_nobody_busy(
        self, client, game, league
    ):
        League.objects.update(starts_on=club_day() - timedelta(days=3))
        played = self.events(client.get("/leagues/night.ics"))
        later = make_league("Later", starts_on=date(2099, 1, 1), ends_on=date(2099, 12, 31))
        to_come = self.events(client.get(f"/leagues/{later.slug}.ics"))
        for event in (*played, *to_come):
            assert event.decoded("dtstamp") <= timezone.now()
            assert str(event["transp"]) == "TRANSPARENT"

    def test_the_calendar_escapes_and_folds_long_names(self, client, league):
        name = "Wolkenstein; zu Hohenems, 陳大文 \\ und noch viel mehr Namen in der Liga"
        league.name = name
        league.save()
        calendar = client.get("/leagues/night.ics")
        (first, _last) = self.events(calendar)
        assert str(first["summary"]) == f"{name} begins"
        unfolded = calendar.content.decode().replace("\r\n ", "")
        assert "NAME:Wolkenstein\\; zu Hohenems\\, 陳大文 \\\\ und" in unfolded
        assert "X-WR-CALNAME:Wolkenstein\\; zu Hohenems\\, 陳大文 \\\\ und" in unfolded

    def test_an_unchanged_calendar_is_not_sent_twice(self, client, game):
        etag = client.get("/leagues/night.ics").headers["ETag"]
        again = client.get("/leagues/night.ics", headers={"If-None-Match": etag})
        assert again.status_code == 304
