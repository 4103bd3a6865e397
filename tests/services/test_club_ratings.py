"""Ratings across leagues: after whatever happens they are as a rebuild from nothing makes them."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from openskill.models import PlackettLuce

from scoring.models import AuditEntry, Club, ClubRating, ClubTally, Game, Payment
from scoring.models.permissions import PermissionDenied
from scoring.operations.verify import repair_club_ratings, verify
from scoring.services.club import change_club
from scoring.services.games import finish_game, open_game, reopen_game
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.merging import merge_players
from scoring.services.withdrawals import restore_game, withdraw_game
from tests.factories import make_league, make_organiser, make_owner, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite, pytest.mark.postgresql]

FIRST = datetime(2022, 3, 1, 19, tzinfo=UTC)


@pytest.fixture
def owner():
    return make_owner()


@pytest.fixture
def organiser():
    return make_organiser()


@pytest.fixture
def leagues():
    return [make_league(starts_on=FIRST.date()) for _number in range(2)]


def play(league, four, winner, by, *, hour):
    at = FIRST + timedelta(hours=hour)
    game = open_game(league, four, by=by, at=at)
    entry = HandEntry(number=1, outcome="win", winner=four[winner].pk, claimed_final=100)
    record_hand(game, entry, by=by, at=at)
    return finish_game(game, by=by, at=at)


def rebuilt():
    """Mean and uncertainty of each player after each game, from payments alone."""
    model, now, after = PlackettLuce(), {}, {}
    games = Game.objects.filter(finished_at__isnull=False, withdrawn_at__isnull=True)
    for game in games.order_by("finished_at", "pk"):
        won = {}
        for payment in Payment.objects.filter(hand__game=game, hand__status="live"):
            won[payment.player_id] = won.get(payment.player_id, 0) + payment.amount
        players = sorted(won)
        teams = [[now.get(player) or model.rating()] for player in players]
        rated = model.rate(teams, scores=[won[player] for player in players])
        for player, (new,) in zip(players, rated, strict=True):
            now[player] = new
            after[game.pk, player] = (new.mu, new.sigma)
    return after, {player: (one.mu, one.sigma) for player, one in now.items()}


def assert_as_rebuilt():
    after, now = rebuilt()
    rows = {(row.game_id, row.player_id): (row.mu, row.sigma) for row in ClubRating.objects.all()}
    tallies = {row.player_id: (row.mu, row.sigma) for row in ClubTally.objects.all()}
    assert rows.keys() == after.keys()
    assert tallies.keys() == now.keys()
    for key, value in {**after, **now}.items():
        assert {**rows, **tallies}[key] == pytest.approx(value, abs=1e-9)
    for tally in ClubTally.objects.all():
        assert tally.games == sum(player == tally.player_id for _game, player in rows)


def test_nothing_is_kept_unless_the_club_wishes(leagues, organiser):
    play(leagues[0], [make_player() for _place in range(4)], 0, organiser, hour=0)
    assert not ClubRating.objects.exists()
    assert not ClubTally.objects.exists()


def test_turning_it_on_rates_what_was_played_and_off_forgets_it(leagues, organiser, owner):
    four = [make_player() for _place in range(4)]
    for hour, league in enumerate(leagues):
        play(league, four, hour, organiser, hour=hour)
    change_club(rates_across_leagues=True, by=owner)
    assert ClubRating.objects.count() == 8
    assert_as_rebuilt()
    changed = AuditEntry.objects.get(action="change_club")
    assert changed.details["after"] == {"rates_across_leagues": True}
    # Saving another setting rates nothing anew.
    ClubTally.objects.update(mu=1)
    change_club(name="Our club", by=owner)
    assert ClubTally.objects.filter(mu=1).count() == 4
    change_club(rates_across_leagues=False, by=owner)
    assert not ClubRating.objects.exists()
    assert not ClubTally.objects.exists()


def test_only_owners_turn_it_on(organiser):
    with pytest.raises(PermissionDenied):
        change_club(rates_across_leagues=True, by=organiser)


@pytest.mark.parametrize("seed", range(3))
def test_any_history_is_as_rebuilt(leagues, organiser, owner, seed):
    chance = random.Random(seed)
    people = [make_player() for _person in range(6)]
    Club.objects.create(pk=1, rates_across_leagues=True)
    games = []
    for hour in range(14):
        act = chance.choice(["play", "play", "play", "correct", "withdraw", "restore", "reopen"])
        game = chance.choice(games) if games else None
        if act == "play" or game is None:
            four = chance.sample(people, 4)
            games.append(play(chance.choice(leagues), four, 0, organiser, hour=hour))
        elif act == "correct" and not game.withdrawn:
            hand, winner = game.hands.current().get(), chance.choice(game.players)
            entry = HandEntry(number=1, outcome="win", winner=winner.pk, claimed_final=200)
            if entry.winner != hand.winner_id:
                correct_hand(hand, entry, by=organiser, reason="Another one won")
        elif act == "withdraw" and not game.withdrawn:
            withdraw_game(game, by=organiser, reason="A trial")
        elif act == "restore" and game.withdrawn:
            restore_game(game, by=organiser, reason="It was none")
        elif act == "reopen" and not game.withdrawn:
            reopen_game(game, by=organiser, reason="We go on")
            finish_game(game, by=organiser, at=FIRST + timedelta(hours=hour))
        games = [Game.objects.get(pk=one.pk) for one in games]
        assert_as_rebuilt()
    assert list(verify()) == []


def test_merged_players_have_one_history(leagues, organiser, owner):
    people = [make_player() for _person in range(5)]
    play(leagues[0], people[:4], 0, organiser, hour=0)
    play(leagues[1], people[1:], 3, organiser, hour=1)
    change_club(rates_across_leagues=True, by=owner)
    merge_players(people[0], people[4], by=organiser)
    assert ClubTally.objects.get(player=people[0]).games == 2
    assert_as_rebuilt()
    assert list(verify()) == []


def test_verify_finds_and_repairs_what_is_stored_wrongly(leagues, organiser, owner):
    game = play(leagues[0], [make_player() for _place in range(4)], 0, organiser, hour=0)
    change_club(rates_across_leagues=True, by=owner)
    for spoil in (
        lambda: ClubRating.objects.filter(player=game.players[0]).update(mu=1),
        lambda: ClubTally.objects.filter(player=game.players[0]).update(games=7),
        lambda: ClubRating.objects.filter(game=game).delete(),
        lambda: Club.objects.update(rates_across_leagues=False),
    ):
        spoil()
        assert {one.field for one in verify()} <= {"club_rating", "club_tally"}
        assert list(verify()) != []
        repair_club_ratings()
        assert list(verify()) == []
    assert not ClubRating.objects.exists()
