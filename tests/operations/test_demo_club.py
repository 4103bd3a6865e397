"""Filling a club with a demo: what it adds, what it leaves alone, and what it refuses."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.demo.accounts import password_of
from scoring.demo.fill import fill
from scoring.demo.size import Size, holdings
from scoring.models import Game, Hand, League, Player
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify.check import verify
from tests.factories import make_member, make_player

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.slow]

SMALL = Size(hands=40, players=9, leagues=2)


def played():
    """Every hand by what happened in it, in the order of play."""
    hands = Hand.objects.order_by("pk")
    return list(hands.values_list("number", "outcome", "tiles", "final", "self_drawn", "checked"))


def test_some_hands_are_not_checked_and_all_adds_up():
    fill(Size(hands=120, players=12, leagues=2))
    unchecked = Hand.objects.filter(checked=False)
    assert 0 < unchecked.count() < 16
    assert all(hand.tiles == "" and hand.final >= 20 for hand in unchecked)
    assert list(verify()) == []


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


def test_different_seeds_make_different_demo_clubs():
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


def test_demo_accounts_are_never_taken_from_anybody():
    theirs = make_member("demo-margaret")
    fill(SMALL)
    assert Player.objects.get(name="Margaret Whitcombe").user.username == "demo-margaret-2"
    assert not Player.objects.filter(user=theirs).exists()


def test_who_is_no_organiser_fills_no_club():
    make_member("demo-organiser")
    with pytest.raises(PermissionDenied):
        fill(SMALL)
    assert not holdings()


def test_passwords_of_older_demo_clubs_are_still_known(settings):
    settings.SECRET_KEY = "fixed for this test"
    assert password_of("organiser") == "river-cliff-aspen-67"
