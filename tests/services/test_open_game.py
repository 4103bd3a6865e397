"""Sitting down at a table, and getting up."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.utils import timezone

from scoring.models import Game, Tally
from scoring.models.days import club_day
from scoring.models.permissions import PermissionDenied
from scoring.services import games
from scoring.services.errors import Conflict, TooManyAttempts
from scoring.services.games import finish_game, open_game
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from tests.factories import make_game, make_league, make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def four():
    return [make_player() for _place in range(4)]


def codes(error, field):
    return {e.code for e in error.value.error_dict[field]}


def test_a_new_game_seats_four_players_in_order(four):
    game = open_game(make_league(), four, by=make_member())
    assert game.players == four
    assert [seat.wind.value for seat in game.table] == list("ESWN")
    assert (game.state.number, game.state.dealer, game.state.round.value) == (1, 0, "E")
    assert Tally.objects.filter(league=game.league).count() == 4


def test_a_new_game_takes_the_rule_set_version_of_the_league(four):
    league = make_league()
    assert open_game(league, four, by=make_member()).ruleset_version == league.ruleset_version


def test_three_players_are_no_table(four):
    with pytest.raises(ValidationError) as error:
        open_game(make_league(), four[:3], by=make_member())
    assert codes(error, "players") == {"not_four"}


def test_nobody_sits_twice_in_a_game(four):
    with pytest.raises(ValidationError, match=four[0].name):
        open_game(make_league(), [four[0], four[0], *four[2:]], by=make_member())
    assert not Game.objects.exists()


def test_a_former_player_is_not_seated(four):
    four[1].active = False
    four[1].save()
    with pytest.raises(ValidationError) as error:
        open_game(make_league(), four, by=make_member())
    assert codes(error, "players") == {"inactive"}


def test_a_league_that_is_over_takes_no_games(four):
    yesterday = club_day() - timedelta(days=1)
    league = make_league(starts_on=yesterday, ends_on=yesterday)
    with pytest.raises(ValidationError) as error:
        open_game(league, four, by=make_member())
    assert codes(error, "league") == {"not_running"}


def test_a_visitor_opens_nothing(four):
    with pytest.raises(PermissionDenied):
        open_game(make_league(), four, by=AnonymousUser())


def test_a_member_opens_so_many_an_hour_and_an_organiser_any_number(four, monkeypatch):
    monkeypatch.setattr(games, "MOST_OPENED", 2)
    league, member, organiser = make_league(), make_member(), make_organiser()
    first, _second = (open_game(league, four, by=member, anyway=True) for _game in range(2))
    with pytest.raises(TooManyAttempts, match="Ask an organiser, or wait") as refusal:
        open_game(league, four, by=member, anyway=True)
    assert 3500 < refusal.value.seconds <= 3600
    for _game in range(3):
        open_game(league, four, by=organiser, anyway=True)
    Game.objects.filter(pk=first.pk).update(started_at=timezone.now() - timedelta(hours=1))
    assert open_game(league, four, by=member, anyway=True)


def test_too_many_new_games_are_answered_429_on_the_page_and_by_the_api(client, four, monkeypatch):
    monkeypatch.setattr(games, "MOST_OPENED", 1)
    league, member = make_league(), make_member()
    open_game(league, four, by=member)
    client.force_login(member)
    ids = [player.pk for player in four]
    seats = dict(zip(("east", "south", "west", "north"), ids, strict=True))
    form = {"league": league.pk, "key": "k", **seats}
    sent = {"league": league.slug, "players": ids}
    for answer in (
        client.post("/games/new/", form),
        client.post("/api/v1/games/", sent, content_type="application/json"),
    ):
        assert answer.status_code == 429
        assert 3500 < int(answer.headers["Retry-After"]) <= 3600


def test_a_game_can_end_early_and_is_rated():
    game, organiser = make_game(), make_organiser()
    entry = HandEntry(
        number=1, outcome="win", winner=game.players[3].pk, tiles="", claimed_final=100
    )
    record_hand(game, entry, by=organiser)
    finish_game(game, by=organiser)
    game.refresh_from_db()
    assert game.finished
    winner = Tally.objects.get(league=game.league, player=game.players[3])
    loser = Tally.objects.get(league=game.league, player=game.players[0])
    assert winner.band.rating > 1000 > loser.band.rating


def test_a_game_without_a_hand_rates_nobody():
    game = finish_game(make_game(), by=make_organiser())
    assert game.finished
    assert not game.ratings.exists()


def test_a_game_ends_once():
    game, organiser = make_game(), make_organiser()
    finish_game(game, by=organiser)
    with pytest.raises(Conflict, match="over already"):
        finish_game(game, by=organiser)


def test_a_stranger_does_not_end_a_game():
    with pytest.raises(PermissionDenied):
        finish_game(make_game(), by=make_member())
