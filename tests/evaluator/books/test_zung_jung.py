"""Zung Jung: sums of series, patterns that count alone, and who pays. Cards: the line that was claimed."""

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.counting import BookVerdict
from scoring.evaluator.books.examples import lines_of, parse_player_hand
from scoring.evaluator.books.loader import as_data, from_data, frozen, load, whole
from scoring.evaluator.books.settlement import HandResult, settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.table_rules import Paid
from scoring.variants.book_rules import BookTableRules

PLAIN = "234B* 345C 567C 777D 99B; last=9B; won_by=discard"
UNIFORM = {"base": "zung-jung", "slug": "uniform", "settlement": {"kind": "shares"}}
BONUS = {
    "base": "zung-jung",
    "slug": "family",
    "bonus": True,
    "counting": {"minimum": 5},
    "pattern": [
        {"id": "own_flower", "name": "Own flower", "when": "own_flower", "points": 4},
        {"id": "flower", "name": "Other flower", "times": "flowers - own_flower", "points": 2},
    ],
}


def verdict(text: str, book=None) -> BookVerdict:
    return compiled(book or load("zung-jung")).judged(parse_player_hand(text))[0].verdict


def lines(text: str, book=None) -> dict[str, int]:
    return {line.pattern.id: line.value for line in verdict(text, book).lines}


def test_zung_jung_has_forty_four_patterns() -> None:
    assert len(load("zung-jung").patterns) == 44


# Worked in published texts: the slides of the scoring system, and its list of patterns.
@pytest.mark.parametrize(
    ("hand", "value"),
    [
        ("222B* 444B* 666B GGG 55B; last=5B; won_by=discard", 85),
        ("222B 444C 666D 888B 33C; last=3C; won_by=self_drawn", 125 + 5 + 30 + 5),
        ("222B 444C 666D 999B 33C; last=3C; won_by=self_drawn", 160),
        ("RRR* GGG* WhWh 234B 567C; last=Wh; won_by=discard", 60),
        ("RRR* GGG* WhWhWh* 234B 55C; last=5C; won_by=discard", 160),
        ("234B 345C 678D 222D 99B; last=9B; won_by=heaven; seat=E", 160),
    ],
)
def test_published_hands_have_their_published_points(hand: str, value: int) -> None:
    assert verdict(hand).final == value


def test_a_series_counts_once() -> None:
    hand = "345D* 345D 345D 345B RR; last=R; won_by=discard"
    assert lines(hand) == {"all_sequences": 5, "three_identical_sequences": 120}


def test_each_set_of_value_honors_counts() -> None:
    hand = "RRR* GGG* SSS 234B 88B; last=8B; won_by=discard; seat=S"
    assert lines(hand)["value_honor"] == 30


def test_a_hand_without_a_pattern_scores_one() -> None:
    assert (verdict(PLAIN).lines, verdict(PLAIN).final) == ((), 1)


def test_a_sum_is_at_most_320() -> None:
    hand = "222B 333B 444B 555B 88B; last=8B; won_by=self_drawn"
    assert (verdict(hand).total, verdict(hand).final) == (445, 320)


def test_the_highest_of_the_patterns_of_320_and_more_counts_alone() -> None:
    hand = "EEE* SSS* WWW* NNN* RR; last=R; won_by=last_tile"
    assert lines(hand) == {"big_four_winds": 400}
    assert verdict(hand).final == 400


def test_seven_pairs_are_not_concealed_but_of_one_suit() -> None:
    hand = "11224455778899C; last=9C; won_by=discard"
    assert lines(hand) == {"seven_pairs": 30, "pure_one_suit": 80}
    hand = "2244B 2255C 3388D 77D; last=7D; won_by=discard"
    assert lines(hand) == {"seven_pairs": 30, "no_terminals": 5}


def test_thirteen_terminals_count_by_themselves() -> None:
    hand = "19B 19C 19D E S W N R G Wh 9D; last=9D; won_by=last_discard"
    assert lines(hand) == {"thirteen_terminals": 160, "final_discard": 10}


@pytest.mark.parametrize(
    ("value", "discarder", "amounts"),
    [
        (40, None, [-40, 120, -40, -40]),
        (5, 0, [-5, 15, -5, -5]),
        (25, 0, [-25, 75, -25, -25]),
        (40, 0, [-70, 120, -25, -25]),
    ],
)
def test_the_discarder_pays_what_lies_above_25(value, discarder, amounts) -> None:
    outcome = HandResult([0, value, 0, 0], 1, discarder=discarder)
    assert settle(load("zung-jung").settlement, outcome) == amounts


def test_nobody_pays_after_a_draw_by_zung_jung() -> None:
    assert settle(load("zung-jung").settlement, HandResult([0, 0, 0, 0], None)) == [0, 0, 0, 0]


def test_deal_passes_always() -> None:
    deal = load("zung-jung").deal
    assert not deal.stays_on_win
    assert not deal.stays_on_draw


class TestOptions:
    def test_everybody_pays_the_same(self) -> None:
        outcome = HandResult([0, 40, 0, 0], 1, discarder=0)
        assert settle(from_data(UNIFORM).settlement, outcome) == [-40, 120, -40, -40]

    def test_nobody_pays_for_everybody_by_a_stored_book_that_says_so(self) -> None:
        data = whole(as_data("zung-jung"))
        settlement = {**data["settlement"], "liability": True}
        rules = BookTableRules(frozen({**data, "slug": "ours", "settlement": settlement}))
        paid = Paid([0, 0, 160, 0], 2, 0, 1, 3)
        assert not rules.liability
        assert rules.outcome(paid).liable is None
        assert rules.settle(paid) == (-25, -430, 480, -25)

    def test_an_option_adds_bonus_tiles_and_a_minimum(self) -> None:
        family = from_data(BONUS)
        assert lines(f"{PLAIN}; bonus=F1,F2,F3", family) == {"own_flower": 4, "flower": 4}
        assert verdict(f"{PLAIN}; bonus=F1,F2", family).meets_minimum
        assert not verdict(f"{PLAIN}; bonus=F1", family).meets_minimum


class TestCard:
    @pytest.mark.parametrize(
        ("words", "value"),
        [
            ("won_by=discard", 25),
            ("won_by=self_drawn", 50),
            ("won_by=discard; flags=jokerless", 50),
            ("won_by=self_drawn; flags=jokerless", 100),
        ],
    )
    def test_a_line_is_doubled(self, words: str, value: int) -> None:
        assert verdict(f"; value=25; {words}", load("card")).final == value

    def test_a_hand_without_a_value_is_no_win(self) -> None:
        assert lines_of(load("card"), "; won_by=discard") == ()

    def test_what_the_card_does_not_know_is_refused(self) -> None:
        with pytest.raises(HandError, match="Card line does not know “heaven”"):
            lines_of(load("card"), "; value=25; won_by=heaven")

    @pytest.mark.parametrize(
        ("discarder", "amounts"), [(None, [-50, -50, 150, -50]), (3, [-50, -50, 200, -100])]
    )
    def test_the_discarder_pays_double(self, discarder, amounts) -> None:
        outcome = HandResult([0, 0, 50, 0], 2, discarder=discarder)
        assert settle(load("card").settlement, outcome) == amounts
