"""A club filled by the demo: everything in it was played, recorded and counted by the rules."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db.models import Sum
from django.utils import timezone

from scoring.demo.accounts import password_of, sign_ins
from scoring.demo.fill import fill
from scoring.demo.size import Size, holdings
from scoring.models import Game, Hand, League, Payment, Player, Tally, is_organiser
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify.check import verify
from scoring.queries.dashboard import dashboard
from scoring.queries.standings import standings
from tests.factories import make_member, make_player

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.slow]

SMALL = Size(hands=40, players=9, leagues=2)


@pytest.fixture
def club():
    return fill(SMALL)


def played():
    """Every hand by what happened in it, in the order of play."""
    hands = Hand.objects.order_by("pk")
    return list(hands.values_list("number", "outcome", "tiles", "final", "self_drawn", "checked"))


class TestTheClub:
    def test_has_the_size_that_was_asked_for(self, club):
        assert (club.players, club.leagues, club.hands) == (9, 2, 40)
        assert holdings() == {"players": 9, "leagues": 2, "hands": 40}
        assert club.games == Game.objects.count()
        assert club.drawn == Hand.objects.filter(outcome="draw").count()

    def test_says_that_something_is_going_on(self, club):
        assert len(dashboard(AnonymousUser()).tables) == club.open == 2
        margaret = User.objects.get(username="demo-margaret")
        assert len(dashboard(margaret).own) == 1

    def test_has_a_public_season_and_a_club_night_by_the_book(self, club):
        leagues = {league.slug: league for league in League.objects.all()}
        night = leagues.pop("club-night")
        (season,) = leagues.values()
        assert (night.visibility, night.ruleset_version.ruleset.slug) == ("members", "book")
        assert (season.visibility, season.ruleset_version.ruleset.slug) == ("public", "club")

    def test_plays_in_every_league(self, club):
        for league in League.objects.all():
            assert standings(league)

    def test_adds_up(self, club):
        assert Payment.objects.count() == 4 * club.hands
        assert Payment.objects.aggregate(Sum("amount"))["amount__sum"] == 0
        assert Tally.objects.aggregate(Sum("hands"))["hands__sum"] == 4 * club.hands
        for tally in Tally.objects.filter(hands__gt=0):
            paid = Payment.objects.filter(player=tally.player, hand__game__league=tally.league)
            assert paid.aggregate(Sum("amount"))["amount__sum"] == tally.points

    def test_plays_in_the_past(self, club):
        now = timezone.now()
        for game in Game.objects.all():
            times = list(game.hands.order_by("number").values_list("played_at", flat=True))
            assert times == sorted(times)
            assert game.started_at < times[0]
            assert times[-1] <= (game.finished_at or now)
        assert now - timedelta(minutes=15) < Hand.objects.latest("played_at").played_at < now

    def test_everybody_joined_before_the_first_hand(self, club):
        first = Hand.objects.earliest("played_at").played_at
        assert all(player.joined_at < first for player in Player.objects.all())

    def test_games_of_the_past_are_finished_and_rated(self, club):
        for game in Game.objects.exclude(finished_at=None):
            assert game.ratings.count() == 4

    def test_hands_are_logged_by_somebody_who_may(self, club):
        for hand in Hand.objects.select_related("logged_by"):
            sits_there = hand.logged_by in [player.user for player in hand.game.players]
            assert sits_there or is_organiser(hand.logged_by)


def test_some_hands_are_not_checked():
    fill(Size(hands=150, players=8))
    unchecked = Hand.objects.filter(checked=False)
    assert 0 < unchecked.count() < 20
    assert all(hand.tiles == "" and hand.final >= 20 for hand in unchecked)


def test_the_smallest_demo_is_one_hand_of_four_players():
    fill(Size(hands=1, players=4, leagues=1))
    assert holdings() == {"players": 4, "leagues": 1, "hands": 1}
    assert not Game.objects.get().finished


def test_a_demo_at_midnight_begins_the_day_before():
    midnight = timezone.now().replace(hour=0, minute=10)
    fill(Size(hands=8, players=4, leagues=1), now=midnight)
    game = Game.objects.get()
    assert game.started_at < midnight
    assert game.league.starts_on <= game.started_at.date()


def test_the_same_seed_makes_the_same_demo_club():
    fill(Size(hands=30, players=8, seed=5))
    fill(Size(hands=30, players=8, seed=5))
    hands = played()
    assert hands[:30] == hands[30:]


def test_another_seed_makes_another_demo_club():
    fill(Size(hands=30, players=8, seed=5))
    fill(Size(hands=30, players=8, seed=6))
    hands = played()
    assert hands[:30] != hands[30:]


def test_a_second_demo_stands_beside_the_first():
    fill(SMALL)
    before = played()
    fill(SMALL)
    assert played()[: len(before)] == before
    assert holdings() == {"players": 18, "leagues": 4, "hands": 80}
    assert League.objects.filter(name="Club night (2)").exists()


def test_people_who_are_there_keep_their_names():
    there = make_player("ruth ABRAHAMS")
    fill(Size(hands=5, players=4, leagues=1))
    assert Player.objects.count() == 5
    there.refresh_from_db()
    assert there.name == "ruth ABRAHAMS"
    assert there.user is None


def test_an_interrupted_demo_leaves_nothing_behind():
    def interrupt():
        if Hand.objects.count() == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(SMALL, on_hand=interrupt)
    assert not holdings()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "size", [{"hands": 0}, {"hands": -3}, {"players": 3}, {"players": 9999}, {"leagues": 0}]
)
def test_an_impossible_size_of_a_demo_is_refused(size):
    with pytest.raises(ValidationError) as error:
        fill(Size(**size))
    assert set(error.value.message_dict) == set(size)
    assert not holdings()


class TestTheAccounts:
    def test_are_an_organiser_and_three_players(self, club):
        accounts = sign_ins()
        assert [account.username for account in accounts] == [
            "demo-organiser",
            "demo-margaret",
            "demo-jose",
            "demo-ruth",
        ]
        assert accounts[2].who == "José Luis Fernández-Ibáñez"

    def test_have_the_passwords_that_are_told(self, club):
        passwords = {account.username: account.password for account in sign_ins()}
        assert all(user.check_password(passwords[user.username]) for user in User.objects.all())

    def test_may_do_what_they_are_for(self, club):
        organiser, *members = User.objects.order_by("pk")
        assert is_organiser(organiser)
        assert organiser.is_staff
        assert not organiser.is_superuser
        assert not any(is_organiser(user) or user.is_staff for user in members)

    def test_have_passwords_that_the_site_accepts_and_nobody_else_knows(self, club, settings):
        for user in User.objects.all():
            validate_password(password_of(user.username), user)
        ours = password_of("demo-ruth")
        settings.SECRET_KEY = "the key of another club"
        assert password_of("demo-ruth") != ours

    def test_a_changed_password_is_not_told(self, club):
        ruth = User.objects.get(username="demo-ruth")
        ruth.set_password("my own now")
        ruth.save()
        assert [account.password is None for account in sign_ins()] == [False, False, False, True]

    def test_are_never_taken_from_anybody(self):
        theirs = make_member("demo-margaret")
        fill(SMALL)
        assert Player.objects.get(name="Margaret Whitcombe").user.username == "demo-margaret-2"
        assert not Player.objects.filter(user=theirs).exists()

    def test_who_is_no_organiser_fills_no_club(self):
        make_member("demo-organiser")
        with pytest.raises(PermissionDenied):
            fill(SMALL)
        assert not holdings()


def test_passwords_of_older_demo_clubs_are_still_known(settings):
    settings.SECRET_KEY = "fixed for this test"
    assert password_of("organiser") == "river-cliff-aspen-67"


def test_verify_finds_no_difference_in_a_demo_club():
    fill(Size(hands=120, players=12, leagues=2))
    assert list(verify()) == []
