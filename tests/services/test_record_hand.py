"""Recording a hand: scored, paid, counted, and the table moved on, in one step."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from scoring.evaluator import scorecard
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import CLUB
from scoring.models import Hand, Payment, Round, Tally
from scoring.models.permissions import PermissionDenied
from scoring.services.errors import Conflict
from scoring.services.games import finish_game
from scoring.services.hands.entry import HandEntry, Worth, score, validate, worth
from scoring.services.hands.record import preview_hand, record_hand
from scoring.services.late_hands import ask_for_late_hand, take_in_late_hand
from tests.factories import make_game, make_member

pytestmark = pytest.mark.django_db

SEED_HAND = "222B 345B 55B 222D GGG"


@pytest.fixture
def game():
    return make_game()


def win(game, place, number=1, **changes):
    entry = {"outcome": "win", "winner": game.players[place].pk, "tiles": SEED_HAND, **changes}
    return HandEntry.from_json({"number": number, **entry})


def draw(number=1, **changes):
    return HandEntry(number=number, outcome="draw", **changes)


def amounts(recorded):
    return [amount for _player, amount in recorded.payments]


def refusals(error):
    return {(field, e.code) for field, errors in error.value.error_dict.items() for e in errors}


class TestAWin:
    def test_a_win_is_scored_and_paid(self, game, organiser):
        recorded = record_hand(game, win(game, 1), by=organiser)
        hand = Hand.objects.get()
        assert (hand.points, hand.doubles, hand.total, hand.final) == (36, 1, 72, 70)
        assert amounts(recorded) == [-140, 280, -70, -70]
        assert [p.amount for p in Payment.objects.order_by("pk")] == [-140, 280, -70, -70]

    def test_a_win_keeps_tiles_canonical_and_the_card(self, game, organiser):
        record_hand(game, win(game, 1, tiles="ggg,222d 55B 345b 222B"), by=organiser)
        hand = Hand.objects.get()
        assert sorted(hand.tiles.split()) == sorted(
            ["2B", "2B", "2B", "3B", "4B", "5B", "5B", "5B", "2D", "2D", "2D", "G", "G", "G"]
        )
        assert hand.card["final"] == 70
        assert (
            worth(hand, hand.seat, hand.prevailing, OptionTableRules(CLUB)).card.as_dict()
            == hand.card
        )

    def test_a_win_is_kept_short_however_long_it_was_typed(self, game, organiser):
        typed = ",   ".join(
            " ".join(word) if word.isalpha() else word for word in SEED_HAND.split()
        )
        recorded = record_hand(game, win(game, 1, tiles=f"{typed}{' ' * 200}"), by=organiser)
        assert recorded.hand.tiles == "2B 2B 2B 3B 4B 5B 5B 5B 2D 2D 2D G G G"

    def test_a_win_of_the_dealer_keeps_the_deal_and_is_paid_double(self, game, organiser):
        recorded = record_hand(game, win(game, 0), by=organiser)
        assert amounts(recorded) == [420, -140, -140, -140]
        game.refresh_from_db()
        assert (game.round, game.dealer_place, game.next_number) == ("E", 0, 2)

    def test_a_win_of_another_passes_the_deal_on(self, game, organiser):
        record_hand(game, win(game, 2), by=organiser)
        game.refresh_from_db()
        assert (game.dealer_place, game.next_number) == (1, 2)

    def test_a_win_is_counted_in_the_tallies(self, game, organiser):
        east, south, *_rest = game.players
        record_hand(game, win(game, 1, discarder=east.pk), by=organiser)
        record_hand(game, win(game, 1, number=2, self_drawn=True), by=organiser)
        tally = Tally.objects.get(player=south)
        assert (tally.hands, tally.wins, tally.self_drawn, tally.games) == (2, 2, 1, 1)
        assert tally.best_hand == 70
        assert Tally.objects.get(player=east).discards == 1

    def test_a_win_with_a_claimed_score_is_marked_as_not_checked(self, game, organiser):
        entry = win(game, 1, tiles="", claimed_final=120)
        recorded = record_hand(game, entry, by=organiser)
        hand = Hand.objects.get()
        assert (hand.final, hand.checked, hand.card, hand.points) == (120, False, None, None)
        assert amounts(recorded) == [-240, 480, -120, -120]

    def test_a_win_keeps_open_sets(self, game, organiser):
        record_hand(game, win(game, 1, tiles="222B* 345B 55B 222D GGG"), by=organiser)
        hand = Hand.objects.get()
        assert not hand.concealed
        assert (
            hand.card["sets"][[s["tiles"][0] for s in hand.card["sets"]].index("2B")]["concealed"]
            is False
        )

    def test_a_win_belongs_to_the_round(self, game, organiser):
        record_hand(game, win(game, 1), by=organiser)
        assert Hand.objects.get().round == Round.objects.get(game=game, wind="E")


class TestValidatingAndScoring:
    def test_validating_and_scoring_are_two_steps(self, game):
        hand = win(game, 1, tiles="ggg,222d 55B 345b 222B*").to_hand(game)
        validate(hand)
        assert {name: getattr(hand, name) for name in Worth._fields} == Worth().columns()
        assert (hand.tiles[:5], len(hand.melds), hand.concealed) == ("G G G", 1, False)
        score(hand)
        assert (hand.points, hand.doubles, hand.total, hand.final) == (36, 1, 72, 70)
        assert (hand.limit, hand.card["final"]) == (False, 70)

    @pytest.mark.parametrize(
        ("claim", "limit", "final"),
        [({"claimed_final": 120}, False, 120), ({"claimed_limit": "nine_gates"}, True, 500)],
    )
    def test_validating_and_scoring_of_a_claim_leaves_points_empty(self, game, claim, limit, final):
        hand = win(game, 1, tiles="", **claim).to_hand(game)
        validate(hand)
        score(hand)
        assert (hand.checked, hand.limit, hand.final) == (False, limit, final)
        assert (hand.points, hand.doubles, hand.total, hand.card) == (None,) * 4

    def test_validating_and_scoring_happen_once_in_a_save(self, game, organiser, monkeypatch):
        scored = []
        once = scorecard.score
        monkeypatch.setattr(
            scorecard, "score", lambda *args, **more: scored.append(args) or once(*args, **more)
        )
        record_hand(game, win(game, 1), by=organiser)
        assert len(scored) == 1
        finish_game(game, by=organiser)
        ask_for_late_hand(game, win(game, 1, number=2), by=make_member(player=game.players[0]))
        scored.clear()
        take_in_late_hand(game.late_hands.get(), by=organiser)
        assert len(scored) == 1


class TestADraw:
    def test_a_draw_pays_nobody_and_keeps_the_deal(self, game, organiser):
        recorded = record_hand(game, draw(), by=organiser)
        assert amounts(recorded) == [0, 0, 0, 0]
        assert Payment.objects.count() == 4
        game.refresh_from_db()
        assert (game.dealer_place, game.next_number) == (0, 2)
        assert Tally.objects.filter(hands=1, points=0).count() == 4


class TestAGame:
    def test_a_game_ends_after_the_north_round_and_rates_its_players(self, game, organiser):
        for number in range(1, 17):
            dealer = game.dealer_place
            record_hand(game, win(game, (dealer + 1) % 4, number=number), by=organiser)
            game.refresh_from_db()
        assert game.finished
        assert game.ratings.count() == 4
        assert list(game.rounds.order_by("pk").values_list("wind", flat=True)) == list("ESWN")
        with pytest.raises(Conflict, match="over"):
            record_hand(game, draw(17), by=organiser)

    def test_a_game_names_the_hand_that_is_there_when_the_number_is_taken(self, game, organiser):
        first = record_hand(game, win(game, 1), by=organiser).hand
        with pytest.raises(Conflict) as refused:
            record_hand(game, draw(1), by=organiser)
        assert refused.value.hand == first
        assert refused.value.state.number == 2
        assert Hand.objects.count() == 1

    def test_a_game_refuses_a_number_that_lies_ahead(self, game, organiser):
        with pytest.raises(Conflict) as refused:
            record_hand(game, draw(3), by=organiser)
        assert refused.value.hand is None


class TestWhoMayLog:
    def test_a_player_of_the_table(self, game):
        member = make_member(player=game.players[2])
        assert record_hand(game, draw(), by=member).hand.logged_by == member

    def test_nobody_but_the_four_and_organisers_may_log(self, game):
        with pytest.raises(PermissionDenied):
            record_hand(game, draw(), by=make_member())
        assert not Hand.objects.exists()

    @pytest.mark.parametrize("key", ["", "a key of the phone"])
    def test_no_visitor_may_log(self, game, key):
        with pytest.raises(PermissionDenied, match="Sign in"):
            record_hand(game, draw(), by=AnonymousUser(), key=key)


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("changes", "refusal"),
        [
            ({"tiles": "222B 345B 55B 222D GG 9C"}, ("tiles", "does_not_win")),
            ({"tiles": "22222B 345B 55B 222D GG"}, ("tiles", "too_many_copies")),
            ({"tiles": "222B"}, ("tiles", "wrong_count")),
            ({"tiles": "0X 345B"}, ("tiles", "unknown_tile")),
            ({"winner": None}, ("winner", "required")),
            ({"winner": 999_999}, ("winner", "not_at_the_table")),
            ({"discarder": 999_999}, ("discarder", "not_at_the_table")),
            ({"claimed_final": 80}, ("claimed_final", "not_a_score")),
            ({"tiles": "", "claimed_final": 510}, ("claimed_final", "not_a_score")),
            ({"tiles": "", "claimed_final": 73}, ("claimed_final", "not_a_score")),
        ],
    )
    def test_a_refused_hand_names_its_field_and_stores_nothing(
        self, game, organiser, changes, refusal
    ):
        with pytest.raises(ValidationError) as error:
            record_hand(game, win(game, 1, **changes), by=organiser)
        assert refusal in refusals(error)
        assert not Hand.objects.exists()
        game.refresh_from_db()
        assert game.next_number == 1

    def test_the_winner_as_discarder(self, game, organiser):
        entry = win(game, 1, discarder=game.players[1].pk)
        with pytest.raises(ValidationError) as error:
            record_hand(game, entry, by=organiser)
        assert refusals(error) == {("discarder", "discarder_is_winner")}

    def test_a_discarder_of_a_self_drawn_win(self, game, organiser):
        entry = win(game, 1, discarder=game.players[2].pk, self_drawn=True)
        with pytest.raises(ValidationError) as error:
            record_hand(game, entry, by=organiser)
        assert refusals(error) == {("discarder", "self_drawn")}

    def test_tiles_of_a_drawn_hand(self, game, organiser):
        with pytest.raises(ValidationError) as error:
            record_hand(game, draw(tiles=SEED_HAND), by=organiser)
        assert refusals(error) == {("tiles", "not_in_a_draw")}

    def test_every_problem_at_once(self, game, organiser):
        entry = win(game, 1, discarder=999_999, tiles="222B 345B 55B 222D GG 9C")
        with pytest.raises(ValidationError) as error:
            record_hand(game, entry, by=organiser)
        assert set(error.value.error_dict) == {"discarder", "tiles"}


def test_a_preview_of_a_hand_is_the_same_and_stores_nothing(game, organiser):
    before = preview_hand(game, win(game, 1))
    assert not Hand.objects.exists()
    assert not Round.objects.exists()
    after = record_hand(game, win(game, 1), by=organiser)
    assert before.hand.card == after.hand.card
    assert before.payments == after.payments
    assert before.state == after.state
