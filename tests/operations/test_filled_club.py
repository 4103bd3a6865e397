"""A club filled by the demo: everything in it was played, recorded and counted by the rules."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.password_validation import validate_password
from django.db.models import Sum
from django.utils import timezone

from scoring.demo.accounts import password_of, sign_ins
from scoring.demo.fill import fill
from scoring.demo.size import Size, holdings
from scoring.models import Game, Hand, League, Payment, Player, Tally, is_organiser
from scoring.models.permissions import is_owner
from scoring.queries.dashboard import dashboard
from scoring.queries.standings import standings

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.slow]

SMALL = Size(hands=40, players=9, leagues=2)


@pytest.fixture(scope="module")
def filled(shared):
    """What is said of the one club that every test of ``club`` looks at."""
    return shared(lambda: fill(SMALL))


@pytest.fixture
def club(db, filled):
    return filled


class TestTheClub:
    def test_a_filled_club_has_the_size_that_was_asked_for(self, club):
        assert (club.players, club.leagues, club.hands) == (9, 2, 40)
        assert holdings() == {"players": 9, "leagues": 2, "hands": 40}
        assert club.games == Game.objects.count()
        assert club.drawn == Hand.objects.filter(outcome="draw").count()

    def test_a_filled_club_says_that_something_is_going_on(self, club):
        assert len(dashboard(AnonymousUser()).tables) == club.open == 2
        margaret = User.objects.get(username="demo-margaret")
        assert len(dashboard(margaret).own) == 1

    def test_a_filled_club_has_a_public_season_and_a_club_night_by_the_book(self, club):
        leagues = {league.slug: league for league in League.objects.all()}
        night = leagues.pop("club-night")
        (season,) = leagues.values()
        assert (night.visibility, night.ruleset_version.ruleset.slug) == ("members", "book")
        assert (season.visibility, season.ruleset_version.ruleset.slug) == ("public", "club")

    def test_a_filled_club_plays_in_every_league(self, club):
        for league in League.objects.all():
            assert standings(league)

    def test_the_payments_of_a_filled_club_add_up(self, club):
        assert Payment.objects.count() == 4 * club.hands
        assert Payment.objects.aggregate(Sum("amount"))["amount__sum"] == 0
        assert Tally.objects.aggregate(Sum("hands"))["hands__sum"] == 4 * club.hands
        for tally in Tally.objects.filter(hands__gt=0):
            paid = Payment.objects.filter(player=tally.player, hand__game__league=tally.league)
            assert paid.aggregate(Sum("amount"))["amount__sum"] == tally.points

    def test_a_filled_club_plays_in_the_past(self, club):
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


class TestTheAccounts:
    def test_the_accounts_of_a_filled_club_are_an_organiser_an_owner_and_three_players(self, club):
        accounts = sign_ins()
        assert [account.username for account in accounts] == [
            "demo-organiser",
            "demo-owner",
            "demo-margaret",
            "demo-jose",
            "demo-ruth",
        ]
        assert accounts[3].who == "José Luis Fernández-Ibáñez"

    def test_the_accounts_of_a_filled_club_have_the_passwords_that_are_printed(self, club):
        passwords = {account.username: account.password for account in sign_ins()}
        assert all(user.check_password(passwords[user.username]) for user in User.objects.all())

    def test_the_accounts_of_a_filled_club_may_do_what_they_are_for(self, club):
        organiser, owner, *members = User.objects.order_by("pk")
        assert is_organiser(organiser)
        assert not is_owner(organiser)
        assert is_owner(owner)
        assert not owner.is_staff
        assert organiser.is_staff
        assert not organiser.is_superuser
        assert not any(is_organiser(user) or user.is_staff for user in members)

    def test_the_accounts_of_a_filled_club_have_passwords_that_the_site_accepts_and_nobody_else_knows(
        self, club, settings
    ):
        for user in User.objects.all():
            validate_password(password_of(user.username), user)
        ours = password_of("demo-ruth")
        settings.SECRET_KEY = "the key of another club"
        assert password_of("demo-ruth") != ours

    def test_a_changed_password_is_not_told(self, club):
        ruth = User.objects.get(username="demo-ruth")
        ruth.set_password("my own now")
        ruth.save()
        assert [account.password is None for account in sign_ins()] == [*4 * [False], True]
