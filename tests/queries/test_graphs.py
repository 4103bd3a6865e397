"""What pictures are drawn of: the same figures as the tables beside them, also after a correction."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from scoring.models import Hand, club_day
from scoring.models.totals import totals
from scoring.queries.graphs import course_of_league, courses_of_evening, score_counts
from scoring.queries.standings import standings
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game, open_game
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import record_hand
from scoring.services.withdrawals import withdraw_game
from tests.factories import make_game, make_hand, make_league, make_player

pytestmark = pytest.mark.django_db

FIRST = datetime(2022, 3, 1, 19, tzinfo=UTC)


@pytest.fixture
def league(organiser):
    """Five evenings of two tables, some of whose hands are disputed, corrected or withdrawn."""
    league = make_league(starts_on=FIRST.date())
    eight = [make_player() for _place in range(8)]
    for day in range(5):
        for four in (eight[:4], eight[day % 4 : day % 4 + 4]):
            at = FIRST + timedelta(days=day)
            game = open_game(league, four, by=organiser, at=at, anyway=True)
            for number, winner in enumerate((four[day % 4], four[(day * 3 + 1) % 4]), 1):
                record_hand(game, win(number, winner, 10 * day + 20), by=organiser, at=at)
            finish_game(game, by=organiser, at=at + timedelta(hours=2))
    return league


def win(number, winner, points):
    return HandEntry(number=number, outcome="win", winner=winner.pk, claimed_final=points)


def changed(league, by):
    """Book, dispute, correct and withdraw something of ``league``."""
    one, *_others, last = league.games.order_by("pk")
    book_at_table(one, penalty(one, one.players[0], 30), by=by, reason="Late.")
    tonight = make_game(league=league, players=last.players, by=by)
    make_hand(tonight, winner=0, by=by)
    dispute_hand(make_hand(tonight, winner=1, by=by), by=by, player=tonight.players[0])
    wrong = Hand.objects.filter(game=one).earliest("number")
    right = win(1, next(p for p in one.players if p != wrong.winner), 200)
    correct_hand(wrong, right, by=by, reason="It was another one.")
    withdraw_game(last, by=by, reason="A joke.")


def test_a_course_ends_as_the_league_table_on_every_day(
    league, organiser, django_assert_num_queries
):
    for change in (lambda: None, lambda: changed(league, organiser)):
        change()
        for day in [*{game.evening for game in league.games.all()}, club_day(), None]:
            rows = standings(league, day)
            with django_assert_num_queries(2):
                course = course_of_league(league, [row.player.pk for row in rows], day)
            assert {pk: points[-1] for pk, points in course.totals.items()} == {
                row.player.pk: row.points for row in rows
            }
            assert course.steps == sorted(set(course.steps))
            assert {len(points) for points in course.totals.values()} == {len(course.steps) + 1}


def test_a_course_has_the_days_of_its_players_only(league):
    seventh = standings(league)[-1].player
    days = {game.evening for game in league.games.filter(seats__player=seventh)}
    course = course_of_league(league, [seventh.pk])
    assert set(course.steps) == days
    assert course_of_league(league, []).steps == []


def test_the_tables_of_an_evening_end_with_their_totals(
    league, organiser, django_assert_num_queries
):
    changed(league, organiser)
    for day in {game.evening for game in league.games.all()}:
        with django_assert_num_queries(2):
            courses = courses_of_evening(league, day)
        games = league.games.filter(evening=day, withdrawn_at=None)
        won = totals(games)
        assert {
            one.game: {pk: at[-1] for pk, at in one.course.totals.items()} for one in courses
        } == {game.pk: won[game.pk] for game in games}


def test_a_booking_is_the_last_step_of_its_table(game, organiser):
    make_hand(game, winner=0, by=organiser)
    book_at_table(game, penalty(game, game.players[1], 30), by=organiser, reason="Late.")
    (one,) = courses_of_evening(game.league, game.evening)
    assert list(one.course.steps) == [1, None]
    assert one.names == {player.pk: player.name for player in game.players}
    assert [sum(step) for step in zip(*one.course.totals.values(), strict=True)] == [0, 0, 0]


def test_a_table_without_a_hand_that_counts_has_no_course(game, organiser):
    assert courses_of_evening(game.league, game.evening) == []
    hand = make_hand(game, winner=0, by=organiser)
    dispute_hand(hand, by=organiser, player=game.players[1])
    assert courses_of_evening(game.league, game.evening) == []


def test_the_graph_of_scores_counts_hands_as_they_stand(
    league, organiser, django_assert_num_queries
):
    changed(league, organiser)
    make_hand(make_game(league=league), by=organiser)
    counted = Hand.objects.filter(
        game__league=league, game__withdrawn_at=None, status="live", outcome="win"
    )
    with django_assert_num_queries(1):
        counts = score_counts(league)
    assert counts == Counter(hand.final for hand in counted)
