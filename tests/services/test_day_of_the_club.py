"""The day of the club turns at an hour of its own: for evenings, tables as of a day, and closing."""

from datetime import date, datetime, time, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from scoring.models import (
    Game,
    Hand,
    IdempotencyKey,
    Payment,
    Round,
    Seat,
    club_day,
    day_begins,
    day_ends,
)
from scoring.operations.csv import SheetRefused, log_hands, read_rows
from scoring.queries.evenings import evening_of
from scoring.queries.standings import standings
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.site.club_time import turning_hour
from tests.factories import BOOK_HAND, make_league, make_member, make_organiser, make_player

NEW_YORK, AMSTERDAM = "America/New_York", "Europe/Amsterdam"
FRIDAY = date(2022, 3, 4)
# Nights on which the clocks went on, and back.
NIGHTS = {
    AMSTERDAM: (date(2026, 3, 28), date(2026, 10, 24)),
    NEW_YORK: (date(2026, 3, 7), date(2026, 10, 31)),
    "America/Havana": (date(2026, 3, 7), date(2026, 10, 31)),  # at midnight
    "Asia/Beirut": (date(2026, 3, 28), date(2026, 10, 24)),  # at midnight, and back into the day
    "Australia/Lord_Howe": (date(2026, 4, 4), date(2026, 10, 3)),  # by half an hour
}


@pytest.fixture
def turns(settings):
    """``turns(zone, hour)``: the clock of the club, on which the tests' dates are read."""

    def turns(zone, hour=6):
        settings.TIME_ZONE, settings.DAY_TURNS_AT = zone, time(hour)

    return turns


def at(zone, *moment):
    return datetime(*moment, tzinfo=ZoneInfo(zone))


class TestTheRule:
    @pytest.mark.parametrize(
        ("hour", "minute", "day"),
        [(19, 0, 4), (23, 59, 4), (24, 0, 4), (24, 10, 4), (29, 59, 4), (30, 0, 5), (36, 0, 5)],
    )
    def test_what_is_played_after_midnight_belongs_to_its_evening(self, turns, hour, minute, day):
        turns(NEW_YORK)
        moment = at(NEW_YORK, 2022, 3, 4) + timedelta(hours=hour, minutes=minute)
        assert club_day(moment) == date(2022, 3, day)

    def test_the_day_of_the_club_may_turn_at_midnight(self, turns):
        turns(AMSTERDAM, 0)
        midnight = at(AMSTERDAM, 2022, 3, 5)
        assert club_day(midnight) == date(2022, 3, 5)
        assert club_day(midnight - timedelta(microseconds=1)) == FRIDAY

    @pytest.mark.parametrize("hour", range(7))
    @pytest.mark.parametrize("zone", NIGHTS)
    @pytest.mark.parametrize("change", [0, 1], ids=["forward", "back"])
    def test_a_night_of_other_clocks_ends_once(self, turns, zone, hour, change):
        """Every quarter of an hour of three days has its day, which begins and ends as the others do."""
        turns(zone, hour)
        night = NIGHTS[zone][change]
        first = day_begins(night - timedelta(days=1))
        moments = [first + timedelta(minutes=15 * quarter) for quarter in range(3 * 24 * 4)]
        days = [club_day(moment) for moment in moments]
        assert days == sorted(days)
        for moment, day in zip(moments, days, strict=True):
            assert day_begins(day) <= moment < day_ends(day)


@pytest.mark.django_db
class TestAnEveningPastMidnight:
    """A game that is opened at 23:30 in New York, with hands before and after midnight and after six."""

    MOMENTS = ((23, 40), (24, 10), (29, 50), (30, 20))

    @pytest.fixture
    def organiser(self):
        return make_organiser()

    @pytest.fixture
    def game(self, turns, organiser):
        turns(NEW_YORK)
        midnight = at(NEW_YORK, 2022, 3, 4)
        game = open_game(
            make_league(starts_on=FRIDAY, ends_on=FRIDAY),
            [make_player() for _seat in range(4)],
            by=organiser,
            at=midnight + timedelta(hours=23, minutes=30),
        )
        for number, (hour, minute) in enumerate(self.MOMENTS, start=1):
            entry = HandEntry(number, "win", winner=game.players[0].pk, claimed_final=100)
            moment = midnight + timedelta(hours=hour, minutes=minute)
            record_hand(game, entry, by=organiser, at=moment)
        # Today, long after: it counts in the game, so on its evening.
        book_at_table(game, penalty(game, game.players[1], 10), by=organiser, reason="Late")
        return game

    def test_an_evening_past_midnight_is_the_same_on_every_page(self, game):
        evening = evening_of(game.league, FRIDAY)
        (winner, *_others) = rows = standings(game.league, as_of=FRIDAY)
        assert winner.hands == 4
        assert {row.player: row.points for row in rows} == dict(evening.totals)
        assert standings(game.league, as_of=FRIDAY - timedelta(days=1)) == []

    def test_an_evening_past_midnight_is_closed_as_one(self, game, organiser):
        close_evening(game.league, FRIDAY, by=organiser)
        assert Game.objects.get(pk=game.pk).evening_closed
        late = at(NEW_YORK, 2022, 3, 5, 0, 30)
        with pytest.raises(ValidationError) as refusal:
            open_game(game.league, game.players, by=make_member(), at=late, anyway=True)
        assert refusal.value.error_dict["league"][0].code == "evening_closed"

    def test_an_evening_past_midnight_whose_game_ends_the_next_day_rates_as_it_counts(
        self, game, organiser
    ):
        finish_game(game, by=organiser, at=at(NEW_YORK, 2022, 3, 5, 9))
        shown = {row.player_id: row.band.rating for row in game.ratings.all()}
        then, now = (standings(game.league, as_of=day) for day in (FRIDAY, None))
        assert {row.player.pk: row.rating for row in then} == shown
        assert then == now

    def test_an_evening_past_midnight_is_named_alike_wherever_its_hands_are(
        self, client, game, organiser
    ):
        """By messengers, on the page of the hand, and on its winner's: best hands, ratings, games."""
        midnight = at(NEW_YORK, 2022, 3, 5)
        finish_game(game, by=organiser, at=midnight + timedelta(hours=9))
        late = open_game(game.league, game.players, by=organiser, at=midnight)
        entry = HandEntry(1, "win", winner=game.players[0].pk, tiles=BOOK_HAND)
        hand = record_hand(late, entry, by=organiser, at=midnight + timedelta(minutes=20)).hand
        finish_game(late, by=organiser, at=midnight + timedelta(hours=10))
        for shown in (hand, hand.winner):
            page = client.get(shown.get_absolute_url()).content.decode()
            assert page.count("4 March 2022") >= 3
            logged = "5 March 2022, 00:20"  # a moment, not a day
            assert "5 March 2022" not in page.replace(logged, "")

    def test_a_game_after_midnight_is_of_that_evening(self, game, organiser):
        late = at(NEW_YORK, 2022, 3, 5, 0, 30)
        second = open_game(game.league, game.players, by=organiser, at=late, anyway=True)
        assert second.evening == FRIDAY
        assert len(evening_of(game.league, FRIDAY).games) == 2


@pytest.fixture
def after_midnight(turns, monkeypatch):
    """It is half past midnight in New York, of the night after FRIDAY."""
    turns(NEW_YORK)
    monkeypatch.setattr(timezone, "now", lambda: at(NEW_YORK, 2022, 3, 5, 0, 30))


@pytest.mark.django_db
class TestAfterMidnight:
    def test_a_table_on_paper_is_of_the_evening(self, client, after_midnight):
        league = make_league(starts_on=FRIDAY, ends_on=FRIDAY)
        page = client.get(league.get_absolute_url()).content.decode()
        assert f"· {league} · 4 March 2022" in page

    @pytest.mark.parametrize(
        ("model", "evening"),
        [
            (Game, "evening"),
            (Seat, "game__evening"),
            (Round, "game__evening"),
            (Hand, "game__evening"),
            (Payment, "hand__game__evening"),
            (IdempotencyKey, "key"),
        ],
    )
    def test_today_at_the_desk_is_the_evening(self, client, after_midnight, model, evening):
        root = User.objects.create_superuser("root")
        league = make_league(starts_on=date(2022, 3, 1))
        four = [make_player() for _seat in range(4)]
        for day in (3, 4):
            begins = at(NEW_YORK, 2022, 3, day, 23, 30)
            game = open_game(league, four, by=make_organiser(), at=begins, anyway=True)
            record_hand(game, HandEntry(1, "draw"), by=make_organiser(), at=begins)
            key = IdempotencyKey.objects.create(user=root, key=f"2022-03-0{day}", fingerprint="-")
            IdempotencyKey.objects.filter(pk=key.pk).update(created_at=begins)
        client.force_login(root)
        address = reverse(f"admin:scoring_{model._meta.model_name}_changelist")
        changes = client.get(address).context["cl"]
        _any_day, today, *_others = changes.filter_specs[0].choices(changes)
        listed = client.get(address + today["query_string"]).context["cl"].queryset
        assert {str(value) for value in listed.values_list(evening, flat=True)} == {str(FRIDAY)}


@pytest.mark.django_db
class TestASheetWithoutHours:
    """A day alone is that evening, whatever the hour at which the days of the club begin by now."""

    FOUR = ("Ann", "Bob", "Cy", "Di")

    @pytest.fixture
    def log(self, turns):
        def log(moment):
            head = "date,league,game,number,east,south,west,north,outcome"
            row = f"{moment},winter,1,1,{','.join(self.FOUR)},draw"
            return log_hands(
                read_rows(StringIO(f"{head}\n{row}\n")), lambda _all: lambda _more: None, by=by
            )

        turns(AMSTERDAM, 0)
        by = make_organiser()
        make_league(slug="winter", starts_on=date(2022, 1, 1))
        for name in self.FOUR:
            make_player(name)
        log("2022-03-04")
        return log

    @pytest.mark.parametrize(
        ("zone", "hour"), [(AMSTERDAM, 0), (AMSTERDAM, 6), (NEW_YORK, 0), (NEW_YORK, 6)]
    )
    def test_a_sheet_without_hours_is_taken_in_once(self, turns, log, zone, hour):
        turns(zone, hour)
        with pytest.raises(SheetRefused) as refusal:
            log("2022-03-04")
        assert "This game is in the club already" in str(refusal.value.sentences)

    def test_another_game_of_an_evening_without_hours_has_an_hour(self, turns, log):
        turns(AMSTERDAM, 6)
        log("2022-03-04 22:00")
        log("2022-03-05")
        assert list(Game.objects.order_by("pk").values_list("evening", flat=True)) == [
            FRIDAY,
            FRIDAY,
            FRIDAY + timedelta(days=1),
        ]


@pytest.mark.django_db
def test_the_foot_of_every_page_says_when_the_day_ends(client, turns):
    turns("America/New_York", 5)
    page = " ".join(client.get(reverse("home")).content.decode().split())
    assert "Times are those of America/New York. An evening ends at 05:00." in page


@pytest.mark.parametrize(
    ("text", "hour"), [("06:00", time(6)), ("5", time(5)), ("4:30", time(4, 30))]
)
def test_the_setting_for_the_end_of_the_day_is_read(text, hour):
    assert turning_hour(text) == hour


@pytest.mark.parametrize("text", ["", "noon", "24:00", "13:00", "6:5", "-1", "٦"])
def test_an_invalid_end_of_the_day_is_refused_by_name(text):
    with pytest.raises(Exception, match="DAY_TURNS_AT is an hour"):
        turning_hour(text)
