"""Correcting a hand: what hangs on it follows, and nothing that was there is lost."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from scoring.models import Game, Hand, Payment, Tally
from scoring.models.permissions import PermissionDenied
from scoring.queries.standings import standings
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.errors import Conflict
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import (
    correct_hand,
    preview_correction,
    preview_void,
    void_hand,
)
from scoring.services.hands.entry import HandEntry
from tests.factories import BOOK_HAND, make_game, make_hand, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

WHY = "It was somebody else's"
# Where who writes waits for a lock, it takes a statement of its own; so does keeping the accounts that
# notices name.
LOCKS = 2 * int(connection.features.has_select_for_update)
ALL_SOUTH = "SSS 345B 55B 222D GGG"


@pytest.fixture
def game(organiser):
    return make_game(by=organiser)


@pytest.fixture
def log(game, organiser):
    def log(*winners, **entry):
        return [make_hand(game, winner=winner, by=organiser, **entry) for winner in winners]

    return log


def won_by(game, place, **changes):
    entry = {"outcome": "win", "winner": game.players[place].pk, "tiles": BOOK_HAND, **changes}
    return HandEntry.from_json({"number": 0, **entry})


DRAWN = HandEntry(number=0, outcome="draw")


def standing(game):
    return list(game.hands.current().order_by("number"))


def points(game):
    return {row.player: row.points for row in standings(game.league)}


@contextmanager
def moved(game):
    """What each player has more, or less, in the standings at the end of the block, by id."""
    differences, before = {}, points(game)
    yield differences
    after = points(game)
    for player in game.players:
        differences[player.pk] = after.get(player, 0) - before.get(player, 0)


class TestTheLastHand:
    def test_the_corrected_last_hand_is_scored_and_paid_again(self, game, log, organiser):
        (hand,) = log(1)
        revised = correct_hand(hand, won_by(game, 0), by=organiser, reason=WHY)
        assert revised.hand.final == 70
        assert points(game) == dict(zip(game.players, (420, -140, -140, -140), strict=True))

    def test_the_corrected_last_hand_moves_the_deal(self, game, log, organiser):
        (hand,) = log(1)
        correct_hand(hand, won_by(game, 0), by=organiser, reason=WHY)
        game.refresh_from_db()
        assert (game.dealer_place, game.next_number) == (0, 2)

    def test_the_corrected_last_hand_can_turn_out_to_be_drawn(self, game, log, organiser):
        (hand,) = log(1)
        correct_hand(hand, DRAWN, by=organiser, reason=WHY)
        assert Tally.objects.filter(league=game.league, points=0, wins=0, hands=1).count() == 4

    def test_the_corrected_last_hand_keeps_when_it_was_played(self, game, log, organiser):
        (hand,) = log(1)
        new = correct_hand(hand, DRAWN, by=organiser, reason=WHY).hand
        new.refresh_from_db()
        assert new.played_at == hand.played_at
        assert new.logged_at > hand.logged_at


class TestTheOldVersion:
    def test_the_old_version_stays_with_its_payments(self, game, log, organiser):
        (hand,) = log(1)
        paid = list(hand.payments.values_list("player", "amount"))
        new = correct_hand(hand, DRAWN, by=organiser, reason="Nobody had  won.").hand
        hand.refresh_from_db()
        assert (hand.status, hand.final) == (Hand.Status.SUPERSEDED, 70)
        assert list(hand.payments.values_list("player", "amount")) == paid
        assert (new.version, new.supersedes, new.reason) == (2, hand, "Nobody had won.")
        assert new.logged_by == organiser

    def test_the_old_version_cannot_be_corrected_again(self, game, log, organiser):
        (hand,) = log(1)
        new = correct_hand(hand, DRAWN, by=organiser, reason=WHY).hand
        with pytest.raises(Conflict, match="was corrected since") as refused:
            correct_hand(hand, won_by(game, 2), by=organiser, reason=WHY)
        assert (refused.value.code, refused.value.hand) == ("no_longer_stands", new)

    def test_a_void_hand_cannot_be_corrected(self, game, log, organiser):
        (hand,) = log(1)
        void_hand(hand, by=organiser, reason=WHY)
        with pytest.raises(Conflict, match="was declared void") as refused:
            correct_hand(hand, DRAWN, by=organiser, reason=WHY)
        assert refused.value.hand is None


class TestLaterHands:
    def test_hands_after_a_corrected_one_follow_the_deal(self, game, log, organiser):
        first, *_later = log(1, 2, 3)
        correct_hand(first, won_by(game, 0), by=organiser, reason=WHY)
        second, third = standing(game)[1:]
        assert [hand.dealer for hand in (second, third)] == game.players[:2]
        assert (second.version, second.seat, third.seat) == (2, "W", "W")
        assert (second.reason, second.follows) == (WHY, 1)
        assert second.why == f"Follows hand 1: {WHY}"
        with translation.override("nl"):
            assert second.why != f"Follows hand 1: {WHY}"
            assert second.why.endswith(WHY)

    def test_hands_after_a_corrected_one_are_scored_by_their_new_winds(self, game, log, organiser):
        (first,) = log(1)
        # South wins with a pung of South. With the second deal still East's it is South's own wind.
        make_hand(game, winner=1, by=organiser, tiles=ALL_SOUTH)
        before = standing(game)[1]
        assert (before.seat, before.doubles) == ("E", 1)
        correct_hand(first, won_by(game, 0), by=organiser, reason=WHY)
        after = standing(game)[1]
        assert (after.seat, after.doubles) == ("S", 2)

    def test_hands_after_a_corrected_one_that_come_out_the_same_are_left_alone(
        self, game, log, organiser
    ):
        hands = log(1, 2, 3)
        correct_hand(hands[0], won_by(game, 2), by=organiser, reason=WHY)
        assert standing(game)[1:] == hands[1:]

    def test_hands_after_a_corrected_one_keep_their_claimed_scores(self, game, log, organiser):
        (first,) = log(1)
        make_hand(game, winner=3, by=organiser, tiles="", claimed_final=120)
        correct_hand(first, DRAWN, by=organiser, reason=WHY)
        after = standing(game)[1]
        assert (after.final, after.checked, after.version) == (120, False, 2)

    def test_hands_after_a_corrected_one_stay_disputed(self, game, log, organiser):
        first, second = log(1, 2)
        doubter = make_member(player=game.players[3])
        dispute_hand(second, by=doubter, reason="No")
        correct_hand(first, DRAWN, by=organiser, reason=WHY)
        after = standing(game)[1]
        assert (after.status, after.version) == (Hand.Status.DISPUTED, 2)
        (dispute,) = after.events.all()
        assert (dispute.player, dispute.by, dispute.reason) == (game.players[3], doubter, "No")

    def test_hands_after_a_corrected_one_stay_confirmed_where_nobody_pays_another_sum(
        self, game, log, organiser
    ):
        first, second = log(1, None)
        south, west = (make_member(player=game.players[place]) for place in (1, 2))
        confirm_hand(second, by=south)
        confirm_hand(second, by=west)
        correct_hand(first, DRAWN, by=organiser, reason=WHY)
        after = standing(game)[1]
        assert after.version == 2
        events = after.events.values_list("kind", "player", "by")
        assert list(events) == [("confirmed", one.player.pk, one.pk) for one in (south, west)]

    def test_hands_after_a_corrected_one_stay_confirmed_by_who_logged_them(self, game, organiser):
        scorer = make_member(player=game.players[0])
        first, _second = make_hand(game, winner=1, by=scorer), make_hand(game, by=scorer)
        correct_hand(first, DRAWN, by=organiser, reason=WHY)
        assert standing(game)[1].events.get().player == game.players[0]

    def test_hands_after_a_corrected_one_are_asked_about_again_where_others_pay(
        self, game, log, organiser
    ):
        first, second = log(1, 2)
        confirm_hand(second, by=make_member(player=game.players[3]))
        correct_hand(first, DRAWN, by=organiser, reason=WHY)
        after = standing(game)[1]
        assert (after.version, after.events.count()) == (2, 0)

    def test_hands_after_a_corrected_one_stay_settled(self, game, log, organiser):
        first, second = log(1, 2)
        dispute_hand(second, by=make_member(player=game.players[3]), reason="No")
        settle_hand(second, by=organiser, reason="Looked at it")
        correct_hand(first, DRAWN, by=organiser, reason=WHY)
        after = standing(game)[1]
        assert (after.status, after.version) == (Hand.Status.COUNTED, 2)
        assert [event.kind for event in after.events.all()] == ["disputed", "settled"]

    def test_open_the_round_they_now_belong_to(self, game, log, organiser):
        hands = log(1, 2, 3, 3, 0, 1)
        assert [hand.prevailing for hand in hands] == ["E", "E", "E", "E", "E", "S"]
        correct_hand(hands[3], won_by(game, 0), by=organiser, reason=WHY)
        assert standing(game)[4].prevailing == "S"
        assert list(game.rounds.order_by("started_at").values_list("wind", flat=True)) == ["E", "S"]

    def test_hands_after_a_corrected_one_cannot_lie_beyond_the_end(self, organiser):
        game = make_game(by=organiser)
        # The dealer wins once, so that the game takes a hand more than the sixteen it needs. Nobody
        # else wins whose deal it would be one hand earlier.
        hands = [make_hand(game, winner=0, by=organiser)]
        while not game.finished:
            hands.append(make_hand(game, winner=(game.dealer_place + 2) % 4, by=organiser))
            game.refresh_from_db()
        with pytest.raises(ValidationError, match="over before hand 17") as refused:
            correct_hand(hands[0], won_by(game, 1), by=organiser, reason=WHY)
        assert refused.value.error_dict["__all__"][0].code == "game_over_before"
        assert standing(game) == hands


class TestAFinishedGame:
    @pytest.fixture
    def finished(self, organiser):
        game = make_game(by=organiser)
        while not game.finished:
            make_hand(game, winner=(game.dealer_place + 1) % 4, by=organiser)
            game.refresh_from_db()
        return game

    def test_a_finished_game_can_be_corrected(self, finished, organiser):
        last = standing(finished)[-1]
        correct_hand(last, won_by(finished, 2), by=organiser, reason=WHY)
        finished.refresh_from_db()
        assert finished.finished

    def test_a_finished_game_goes_on_when_its_last_hand_did_not_end_it(self, finished, organiser):
        last = standing(finished)[-1]
        correct_hand(last, won_by(finished, 3), by=organiser, reason=WHY)
        finished.refresh_from_db()
        assert (finished.finished, finished.next_number, finished.round) == (False, 17, "N")
        assert not finished.ratings.exists()
        assert set(Tally.objects.values_list("rating_mu", flat=True)) == {25.0}

    def test_a_finished_game_whose_evening_is_closed_stays_over(self, finished, organiser):
        close_evening(finished.league, finished.evening, by=organiser)
        last = standing(finished)[-1]
        correct_hand(last, won_by(finished, 3), by=organiser, reason=WHY)
        finished.refresh_from_db()
        assert (finished.finished, finished.ended_early) == (True, True)

    def test_a_finished_game_that_ended_early_is_still_over_after_a_correction(
        self, game, log, organiser
    ):
        log(1)
        finish_game(game, by=organiser)
        (hand,) = standing(game)
        correct_hand(hand, won_by(game, 0), by=organiser, reason=WHY)
        game.refresh_from_db()
        assert game.finished

    def test_a_finished_game_is_ended_by_a_correction_that_makes_its_last_hand_the_last(
        self, organiser
    ):
        game = make_game(by=organiser)
        for _hand in range(15):
            make_hand(game, winner=(game.dealer_place + 1) % 4, by=organiser)
            game.refresh_from_db()
        last = make_hand(game, winner=3, by=organiser)
        game.refresh_from_db()
        assert not game.finished
        correct_hand(last, won_by(game, 0), by=organiser, reason=WHY)
        game.refresh_from_db()
        assert game.finished_at == last.played_at
        assert game.ratings.count() == 4


class TestThePreview:
    def test_the_preview_of_a_correction_says_what_changes_and_changes_nothing(
        self, game, log, organiser
    ):
        first, second = log(1, 2)
        seen = preview_correction(first, won_by(game, 0), by=organiser)
        east, south, west, north = game.players
        assert [change.number for change in seen.changes] == [1, 2]
        assert seen.changes[0].differences == {
            east.pk: 560,
            south.pk: -420,
            west.pk: -70,
            north.pk: -70,
        }
        # In the second hand East deals instead of South, and pays double instead.
        assert seen.later[0].differences == {east.pk: -70, south.pk: 70, west.pk: 0, north.pk: 0}
        assert seen.differences[east.pk] == 490
        assert seen.state.dealer == 1
        assert standing(game) == [first, second]

    def test_a_correction_does_what_its_preview_showed(self, game, log, organiser):
        first, *_later = log(1, 2, None, 3, 0)
        seen = preview_correction(first, won_by(game, 0), by=organiser)
        before = points(game)
        done = correct_hand(
            first, won_by(game, 0), by=organiser, reason=WHY, expected_etag=seen.etag
        )
        assert [change.differences for change in done.changes] == [
            change.differences for change in seen.changes
        ]
        after = points(game)
        assert {player: after[player] - before[player] for player in game.players} == {
            player: seen.differences[player.pk] for player in game.players
        }

    def test_the_preview_of_a_correction_that_is_out_of_date_is_shown_again(
        self, game, log, organiser
    ):
        (first,) = log(1)
        seen = preview_correction(first, won_by(game, 0), by=organiser)
        log(2)
        with pytest.raises(Conflict, match="look at what changes now"):
            correct_hand(first, won_by(game, 0), by=organiser, reason=WHY, expected_etag=seen.etag)
        assert standing(game)[0] == first


class TestRatings:
    def test_ratings_of_later_games_follow_a_correction(self, game, log, organiser):
        log(1, 1)
        finish_game(game, by=organiser)
        second = make_game(league=game.league, players=game.players, by=organiser)
        make_hand(second, winner=2, by=organiser)
        finish_game(second, by=organiser)
        before = list(second.ratings.order_by("player").values_list("mu", flat=True))
        for hand in standing(game):
            correct_hand(hand, won_by(game, 3), by=organiser, reason=WHY)
        after = list(second.ratings.order_by("player").values_list("mu", flat=True))
        assert before != after
        assert after == list(
            Tally.objects.filter(league=game.league)
            .order_by("player")
            .values_list("rating_mu", flat=True)
        )

    def test_ratings_that_come_out_the_same_are_not_touched(
        self, game, log, organiser, django_assert_num_queries
    ):
        (hand,) = log(1)
        finish_game(game, by=organiser)
        for _game in range(3):
            later = make_game(league=game.league, players=game.players, by=organiser)
            make_hand(later, winner=2, by=organiser)
            finish_game(later, by=organiser)
        entry = won_by(game, 1, tiles="333B 345B 55B 222D GGG", discarder=game.players[3].pk)
        before = list(game.ratings.values_list("mu", flat=True))
        with django_assert_num_queries(31 + LOCKS):
            correct_hand(hand, entry, by=organiser, reason=WHY)
        assert list(game.ratings.values_list("mu", flat=True)) == before

    def test_the_best_hand_is_looked_up_again_after_a_correction(self, game, log, organiser):
        log(1)
        (best,) = log(1, tiles="", claimed_final=500)
        player = game.players[1]
        correct_hand(best, DRAWN, by=organiser, reason=WHY)
        assert Tally.objects.get(league=game.league, player=player).best_hand == 70


class TestWhoMayCorrect:
    def test_any_of_the_four_may_correct_a_hand(self, game, log):
        (hand,) = log(1)
        member = make_member(player=game.players[3])
        assert correct_hand(hand, DRAWN, by=member, reason=WHY).hand.logged_by == member

    def test_nobody_but_the_four_may_correct_a_hand(self, game, log):
        (hand,) = log(1)
        with pytest.raises(PermissionDenied):
            correct_hand(hand, DRAWN, by=make_member(), reason=WHY)

    def test_an_organiser_may_correct_a_hand_once_the_evening_is_closed(self, game, log, organiser):
        (hand,) = log(1)
        member = make_member(player=game.players[3])
        close_evening(game.league, game.evening, by=organiser)
        with pytest.raises(PermissionDenied, match="is closed: ask an organiser"):
            correct_hand(hand, DRAWN, by=member, reason=WHY)
        assert correct_hand(hand, DRAWN, by=organiser, reason=WHY).hand.outcome == "draw"


class TestWhatIsRefused:
    @pytest.mark.parametrize("reason", ["", "  ", "x" * 301])
    def test_a_correction_without_a_reason_or_with_too_long_a_one_is_refused(
        self, game, log, organiser, reason
    ):
        (hand,) = log(1)
        with pytest.raises(ValidationError) as refused:
            correct_hand(hand, DRAWN, by=organiser, reason=reason)
        assert list(refused.value.error_dict) == ["reason"]

    def test_a_correction_to_a_winner_who_discarded_the_tile_is_refused(self, game, log, organiser):
        (hand,) = log(1, discarder=game.players[2].pk)
        entry = won_by(game, 2, discarder=game.players[2].pk)
        with pytest.raises(ValidationError, match="did not discard"):
            correct_hand(hand, entry, by=organiser, reason=WHY)

    def test_a_correction_to_a_hand_that_does_not_win_is_refused(self, game, log, organiser):
        (hand,) = log(1)
        entry = won_by(game, 1, tiles="222B 345B 55B 222D GG 9C")
        with pytest.raises(ValidationError) as refused:
            correct_hand(hand, entry, by=organiser, reason=WHY)
        assert list(refused.value.error_dict) == ["tiles"]
        assert standing(game) == [hand]
        assert Payment.objects.count() == 4

    def test_a_correction_that_changes_nothing_is_refused(self, game, log, organiser):
        (hand,) = log(1)
        with pytest.raises(ValidationError, match="as it stands"):
            correct_hand(hand, won_by(game, 1), by=organiser, reason=WHY)


def test_a_correction_costs_the_same_queries_in_a_long_evening(
    game, log, organiser, django_assert_num_queries
):
    """The same number of queries for three hands back among 8 and among 60."""
    counts = []
    for hands in (8, 52):
        log(*[0] * hands)
        third_last = standing(Game.objects.get(pk=game.pk))[-3]
        with django_assert_num_queries(25 + LOCKS) as captured:
            correct_hand(third_last, DRAWN, by=organiser, reason=WHY)
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_a_correction_of_last_week_keeps_its_day(game, organiser):
    long_ago = timezone.now() - timedelta(days=7)
    hand = make_hand(game, winner=1, by=organiser)
    day = timezone.localdate(long_ago)
    Hand.objects.filter(pk=hand.pk).update(played_at=long_ago)
    Game.objects.filter(pk=game.pk).update(evening=day)
    correct_hand(hand, won_by(game, 0), by=organiser, reason=WHY)
    assert game.hands.latest("version").played_at == long_ago
    rows = standings(game.league, as_of=day)
    assert rows[0].points == 420


def test_the_queries_of_a_second_correction_do_not_grow_with_the_later_hands(four):
    """Who entered each later hand is asked about all of them at once, also once they are later versions."""

    def second_correction(later):
        game = make_game(players=four, by=four[0].user)
        first = make_hand(game, winner=1, by=four[0].user)
        for _hand in range(later):
            make_hand(game, by=four[0].user)
        corrected = correct_hand(first, won_by(game, 0), by=four[0].user, reason=WHY)
        with CaptureQueriesContext(connection) as queries:
            again = correct_hand(corrected.hand, won_by(game, 2), by=four[1].user, reason=WHY)
        assert len(corrected.changes) == len(again.changes) == later + 1
        return len(queries)

    assert second_correction(2) == second_correction(12)


class TestThePreviewOfDisputedHands:
    """What it says that each player has more, or less, is what the standings have then."""

    @pytest.fixture
    def disputed(self, game, log):
        first, _second, third = log(1, 2, 3)
        doubter = make_member(player=game.players[0])
        for hand in (first, third):
            dispute_hand(hand, by=doubter, about="winner")
        return first

    def test_a_correction_that_ends_the_dispute_gives_the_points(self, game, disputed, organiser):
        entry = won_by(game, 2)
        preview = preview_correction(disputed, entry, by=organiser)
        assert preview.changes[0].ends_dispute
        with moved(game) as differences:
            correct_hand(disputed, entry, by=organiser, reason=WHY)
        assert any(differences.values())
        assert differences == preview.differences

    def test_a_correction_that_leaves_what_is_disputed_moves_nothing(self, game, disputed):
        scorer, entry = make_member(player=game.players[1]), won_by(game, 1, tiles=ALL_SOUTH)
        preview = preview_correction(disputed, entry, by=scorer)
        assert not preview.changes[0].ends_dispute
        with moved(game) as differences:
            correct_hand(disputed, entry, by=scorer, reason=WHY)
        assert not any(differences.values())
        assert differences == preview.differences

    def test_a_disputed_hand_that_is_void_takes_nothing_away(self, game, disputed, organiser):
        preview = preview_void(disputed, by=organiser)
        with moved(game) as differences:
            void_hand(disputed, by=organiser, reason=WHY)
        assert differences == preview.differences
