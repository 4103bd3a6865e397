"""The hands of the demo are played by the rules: real walls, real claims, real wins."""

from collections import Counter
from random import Random

import pytest

from scoring.demo.deal import play_hand
from scoring.demo.seat import DemoSeat, Strategy
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.scorecard import score
from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import Wind, tile

START = TableState.start()


@pytest.fixture(scope="module")
def endings():
    rng = Random(8)
    hands = []
    for _table in range(10):
        tempers = [Strategy.of(rng) for _place in range(4)]
        hands += [play_hand(START, tempers, rng) for _hand in range(30)]
    return hands


@pytest.fixture(scope="module")
def wins(endings):
    return [ending for ending in endings if ending.winner is not None]


def seat(text, **strategy):
    """South in the East round, with these tiles in hand."""
    return DemoSeat(parse_tiles(text), Strategy(**strategy), (Wind.SOUTH, Wind.EAST))


def codes(meld):
    return [one.code for one in meld.tiles]


def test_every_win_of_the_demo_is_a_winning_hand(wins):
    for ending in wins:
        seat_wind = START.seat_wind(ending.winner).value
        card = score(list(ending.tiles), seat_wind, "E", melds=list(ending.melds) or None)
        assert card.winning, ending


def test_some_hands_are_drawn_and_most_are_won(endings, wins):
    assert 0.65 < len(wins) / len(endings) < 0.95


def test_wins_come_from_the_wall_and_from_discards(wins):
    ways = Counter(ending.win.self_drawn for ending in wins)
    assert min(ways.values()) > len(wins) / 10
    assert all(ending.discarder != ending.winner for ending in wins)


def test_everybody_wins_somewhere_and_discards_somewhere(wins):
    assert {ending.winner for ending in wins} == {0, 1, 2, 3}
    assert {ending.discarder for ending in wins} == {0, 1, 2, 3, None}


def test_all_kinds_of_sets_are_declared(wins):
    declared = {
        (len(meld["tiles"]), len(set(meld["tiles"])), meld["concealed"])
        for ending in wins
        for meld in ending.melds
    }
    pung, chow, kong, concealed_kong = (3, 1, False), (3, 3, False), (4, 1, False), (4, 1, True)
    assert declared == {pung, chow, kong, concealed_kong}


def test_a_declared_set_is_part_of_the_hand(wins):
    for ending in wins:
        declared = Counter(code for meld in ending.melds for code in meld["tiles"])
        assert declared <= Counter(ending.tiles)
        assert max(Counter(ending.tiles).values()) <= 4


def test_the_same_seed_makes_the_same_demo_game():
    def game(seed):
        rng = Random(seed)
        return [play_hand(START, [Strategy()] * 4, rng) for _hand in range(3)]

    assert game(1) == game(1)
    assert game(1) != game(2)


class TestASimplePlayer:
    def test_a_simple_player_parts_with_the_tile_that_fits_nothing(self):
        assert seat("123B 456C 789D 55D 67B N").discard(0) is tile("N")

    def test_a_simple_player_parts_with_the_rest_when_going_for_one_suit(self):
        going_for_bamboo = seat("1123B 568B EE 234D W", ambition=9)
        assert going_for_bamboo.discard(0).code in ("2D", "3D", "4D")

    def test_a_simple_player_knows_mah_jongg(self):
        assert seat("123B 456C 789D 55D 67B").wins_with(tile("8B"))
        assert not seat("123B 456C 789D 55D 67B").wins_with(tile("9B"))

    def test_a_simple_player_keeps_a_claimed_winning_tile_and_leaves_another(self):
        ready = seat("123B 456C 789D 55D 67B")
        ready.wins_with(tile("9B"))
        assert tile("9B") not in ready.tiles
        ready.wins_with(tile("5B"))
        assert tile("5B") in ready.tiles

    def test_a_simple_player_claims_a_pung_of_dragons(self):
        player = seat("GG 135B 2468C 1479D")
        pung = player.claim_pung(tile("G"))
        assert (codes(pung), pung.concealed) == (["G", "G", "G"], False)
        assert len(player.tiles) == 14
        assert sum(player.counts) == 11

    def test_a_simple_player_claims_no_pung_with_a_single_tile(self):
        assert seat("G 135B 2468C 1479D E").claim_pung(tile("G")) is None

    def test_a_simple_player_claims_a_kong(self):
        kong = seat("GGG 135B 2468C 147D").claim_pung(tile("G"))
        assert (codes(kong), kong.concealed) == (["G"] * 4, False)

    def test_a_simple_player_claims_a_chow_for_a_gap(self):
        chow = seat("46B 159C 1479D EWRG", patience=8).claim_chow(tile("5B"))
        assert (sorted(codes(chow)), chow.concealed) == (["4B", "5B", "6B"], False)

    def test_a_patient_player_waits(self):
        assert seat("46B 159C 1479D EWRG", patience=9).claim_chow(tile("5B")) is None

    def test_no_chow_runs_over_the_end_of_a_suit(self):
        player = seat("89B 2C 1479D EWRG 5C", patience=0)
        assert player.claim_chow(tile("1C")) is None

    def test_who_goes_for_pungs_claims_no_chow(self):
        assert seat("46B 1199C 1199D EWR", patience=0, pairs=4).claim_chow(tile("5B")) is None

    def test_a_simple_player_declares_four_in_hand_as_a_concealed_kong(self):
        kong = seat("RRRR 135B 2468C 147D").kong()
        assert (codes(kong), kong.concealed) == (["R"] * 4, True)

    def test_a_simple_player_adds_the_fourth_tile_to_an_open_pung(self):
        player = seat("RR 135B 2468C 1479D")
        player.claim_pung(tile("R"))
        player.take(tile("R"))
        kong = player.kong()
        assert (codes(kong), kong.concealed) == (["R"] * 4, False)
        assert len(player.melds) == 1
        assert len(player.tiles) == 15

    def test_a_simple_player_keeps_four_that_serve_better_in_chows(self):
        assert seat("4444556B 123C 789D").kong() is None
