"""Points that move without a hand: penalties, other bookings, and taking them back."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from scoring.models import Adjustment, Game, Tally, Transfer
from scoring.models.game_tables import with_table
from scoring.models.permissions import PermissionDenied
from scoring.queries.games import game_results
from scoring.queries.standings import standings
from scoring.services.adjustments import (
    TransferEntry,
    book_at_table,
    book_in_league,
    penalty,
    reverse,
)
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from tests.factories import make_game, make_member, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

FALSE = "False mah jongg"


def points(game, **as_of):
    won = {row.player: row.points for row in standings(game.league, **as_of)}
    return [won.get(player) for player in game.players]


def totals(game):
    (standing,) = game_results([with_table(Game.objects).get(pk=game.pk)])
    return [standing.score_of(player).total for player in game.players]


class TestAPenalty:
    def test_a_penalty_is_paid_to_each_of_the_other_players(self, game, organiser):
        book_at_table(game, penalty(game, game.players[0], 100), by=organiser, reason=FALSE)
        assert points(game) == [-140 - 300, 280 + 100, -70 + 100, -70 + 100]
        assert totals(game) == points(game)

    def test_a_penalty_counts_on_the_day_it_was_booked(self, game, organiser):
        book_at_table(game, penalty(game, game.players[0], 100), by=organiser, reason=FALSE)
        assert points(game, as_of=game.evening) == points(game)

    def test_a_penalty_before_the_first_hand_stands_in_the_table(self, organiser):
        game = make_game(by=organiser)
        book_at_table(game, penalty(game, game.players[2], 10), by=organiser, reason="Late")
        assert points(game) == points(game, as_of=game.evening) == [10, 10, -30, 10]
        assert set(Tally.objects.values_list("hands", "games")) == {(0, 0)}

    def test_a_penalty_in_a_finished_game_moves_its_ratings(self, game, organiser):
        finish_game(game, by=organiser)
        before = list(game.ratings.order_by("player").values_list("mu", flat=True))
        booked = book_at_table(
            game, penalty(game, game.players[1], 300), by=organiser, reason=FALSE
        )
        assert before != list(game.ratings.order_by("player").values_list("mu", flat=True))
        reverse(booked, by=organiser, reason="It was right")
        assert before == list(game.ratings.order_by("player").values_list("mu", flat=True))

    def test_a_penalty_alone_rates_nobody(self, organiser):
        game = make_game(by=organiser)
        book_at_table(game, penalty(game, game.players[2], 10), by=organiser, reason="Late")
        finish_game(game, by=organiser)
        assert not game.ratings.exists()

    def test_a_penalty_can_be_booked_by_the_table(self, game):
        member = make_member(player=game.players[3])
        booked = book_at_table(game, penalty(game, game.players[0], 5), by=member, reason=FALSE)
        assert (booked.made_by, booked.league, booked.reason) == (member, game.league, FALSE)

    def test_a_penalty_is_for_organisers_once_the_evening_is_closed(self, game, organiser):
        member = make_member(player=game.players[3])
        close_evening(game.league, game.evening, by=organiser)
        lines = penalty(game, game.players[0], 5)
        with pytest.raises(PermissionDenied, match="closed"):
            book_at_table(game, lines, by=member, reason=FALSE)
        book_at_table(game, lines, by=organiser, reason=FALSE)

    def test_a_penalty_is_not_booked_by_strangers(self, game):
        lines = penalty(game, game.players[0], 5)
        with pytest.raises(PermissionDenied):
            book_at_table(game, lines, by=make_member(), reason=FALSE)


class TestAnAdjustmentOfALeague:
    def test_an_adjustment_of_a_league_moves_points_from_one_to_another(self, game, organiser):
        east, south, *_rest = game.players
        book_in_league(
            game.league, [TransferEntry(south, east, 40)], by=organiser, reason="Wrong sum"
        )
        assert points(game) == [-100, 240, -70, -70]
        assert totals(game) == [-140, 280, -70, -70]

    def test_an_adjustment_of_a_league_is_for_organisers(self, game):
        east, south, *_rest = game.players
        player = make_member(player=east)
        with pytest.raises(PermissionDenied):
            book_in_league(game.league, [TransferEntry(south, east, 40)], by=player, reason="Mine")


class TestReversing:
    def test_reversing_an_adjustment_books_the_same_the_other_way_round(self, game, organiser):
        booked = book_at_table(game, penalty(game, game.players[0], 9), by=organiser, reason=FALSE)
        back = reverse(booked, by=organiser, reason="It did win")
        assert points(game) == [-140, 280, -70, -70]
        assert (back.reverses, back.reason, back.game) == (booked, "It did win", game)
        assert Adjustment.objects.count() == 2

    def test_reversing_an_adjustment_happens_once(self, game, organiser):
        booked = book_at_table(game, penalty(game, game.players[0], 9), by=organiser, reason=FALSE)
        back = reverse(booked, by=organiser, reason="It did win")
        for which, message in ((booked, "reversed already"), (back, "reverses another")):
            with pytest.raises(ValidationError, match=message):
                reverse(which, by=organiser, reason="Again")
        assert Adjustment.objects.count() == 2

    def test_reversing_an_adjustment_is_for_who_may_book_there(self, game, organiser):
        east, south, *_rest = game.players
        member = make_member(player=east)
        at_table = book_at_table(game, penalty(game, south, 9), by=organiser, reason=FALSE)
        in_league = book_in_league(
            game.league, [TransferEntry(south, east, 40)], by=organiser, reason="Wrong sum"
        )
        reverse(at_table, by=member, reason="We agree")
        with pytest.raises(PermissionDenied):
            reverse(in_league, by=member, reason="I disagree")


class TestWhatIsRefused:
    def refused(self, game, organiser, lines, code, reason=FALSE, field="transfers"):
        with pytest.raises(ValidationError) as refused:
            book_at_table(game, lines, by=organiser, reason=reason)
        assert code in {error.code for error in refused.value.error_dict[field]}
        assert not Adjustment.objects.exists()

    def test_an_adjustment_without_a_reason_is_refused(self, game, organiser):
        lines = penalty(game, game.players[0], 9)
        self.refused(game, organiser, lines, "required", reason=" ", field="reason")

    def test_an_adjustment_without_lines_is_refused(self, game, organiser):
        self.refused(game, organiser, [], "no_lines")

    @pytest.mark.parametrize(
        ("amount", "code"), [(0, "min_value"), (-5, "min_value"), (100_001, "max_value")]
    )
    def test_an_adjustment_of_an_invalid_amount_is_refused(self, game, organiser, amount, code):
        self.refused(game, organiser, penalty(game, game.players[0], amount), code)

    def test_an_adjustment_that_pays_oneself_is_refused(self, game, organiser):
        east = game.players[0]
        self.refused(game, organiser, [TransferEntry(east, east, 5)], "pays_themselves")

    def test_a_penalty_for_a_player_of_another_table_is_refused(self, game, organiser):
        self.refused(
            game, organiser, [TransferEntry(game.players[0], make_player(), 5)], "not_here"
        )

    def test_two_lines_of_an_adjustment_between_the_same_two_are_refused(self, game, organiser):
        east, south, *_rest = game.players
        lines = [TransferEntry(east, south, 5), TransferEntry(east, south, 7)]
        self.refused(game, organiser, lines, "transfer_once")


class TestTheDatabase:
    """What the functions never do, it does not take from anybody else either."""

    @pytest.fixture
    def booked(self, game, organiser):
        return book_at_table(game, penalty(game, game.players[0], 9), by=organiser, reason=FALSE)

    @pytest.mark.each_database
    @pytest.mark.parametrize(
        "change", [{"amount": 0}, {"payee": "payer"}], ids=["nothing", "to oneself"]
    )
    def test_the_database_takes_no_transfer_that_moves_nothing(self, booked, change):
        transfer = booked.transfers.first()
        if "payee" in change:
            change = {"payee": transfer.payer}
        with pytest.raises(IntegrityError), transaction.atomic():
            Transfer.objects.filter(pk=transfer.pk).update(**change)

    @pytest.mark.each_database
    def test_the_database_takes_no_booking_without_a_reason(self, booked):
        with pytest.raises(IntegrityError), transaction.atomic():
            Adjustment.objects.filter(pk=booked.pk).update(reason="")

    @pytest.mark.each_database
    def test_the_database_takes_no_second_reversal(self, booked, game, organiser):
        reverse(booked, by=organiser, reason="It did win")
        with pytest.raises(IntegrityError), transaction.atomic():
            Adjustment.objects.create(league=game.league, reason="Again", reverses=booked)
