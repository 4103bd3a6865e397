"""Hong Kong: faan, the minimum, the table, and who pays."""

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.counting import BookVerdict, highest
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import BookError, from_data, load
from scoring.evaluator.books.settlement import HandResult, settle

PLAIN = "234B* 345B 567C 777D RR; last=R"
NO_BONUS = "bonus=F3"  # of nobody at the seats used here, so that nothing counts for bonus tiles
SEVEN_PAIRS = {
    "base": "hk",
    "slug": "house",
    "name": "House",
    "form": [{"id": "seven_pairs", "name": "Seven pairs", "kind": "pairs", "concealed": True}],
    "pattern": [
        {"id": "seven_pairs", "name": "Seven pairs", "when": "form(seven_pairs)", "faan": 3},
        {"id": "man", "off": True},
    ],
    "counting": {"minimum": 0, "maximum": 13},
}
HALF = {"base": "hk", "settlement": {"discarder": "half"}}


def verdict(text: str, book=None) -> BookVerdict:
    judged = compiled(book or load("hk")).judged(parse_player_hand(text))
    return judged[0].verdict


def lines(text: str, book=None) -> dict[str, int]:
    return {line.pattern.id: line.value for line in verdict(text, book).lines}


# Sums that the ruling log of Mahjong SG Calculator quotes from Chinese Wikipedia and the Association.
@pytest.mark.parametrize(
    ("hand", "faan"),
    [
        ("RRR* GGG* WhWh 234B 567C; last=Wh; won_by=discard", 5),
        ("RRR* GGG* WhWhWh* 234B 55C; last=5C; won_by=discard", 8),
        ("WWW* NNN* SSS EE 222B; last=E; won_by=discard", 9),
        ("WWW* NNN* SSS EE 234B; last=E; won_by=discard", 6),
        ("111B* 999C* WWW 999D NN; last=N; won_by=discard", 4),
        ("2222B* 345B 567C 777D 88D; last=8D; won_by=replacement", 2),
        (f"{PLAIN}; won_by=last_tile", 2),
        ("2222B* 3333B# 567C 777D 88D; last=8D; won_by=kong_on_kong", 9),
        ("1479B 258C 369D E S W; won_by=self_drawn; bonus=F1,F2,F3,F4,Y1,Y2,Y3", 3),
        ("1479B 258C 369D E S W; won_by=self_drawn; bonus=F1,F2,F3,F4,Y1,Y2,Y3,Y4", 8),
    ],
)
def test_published_hands_have_their_published_faan(hand: str, faan: int) -> None:
    if "bonus" not in hand:
        hand += f"; seat=E; prevailing=E; {NO_BONUS}"
    assert verdict(hand).faan == faan


def test_a_wind_of_seat_and_round_counts_twice() -> None:
    hand = f"SSS* 234B 567C 789D 55B; last=5B; won_by=discard; seat=S; prevailing=S; {NO_BONUS}"
    assert lines(hand) == {"own_wind": 1, "round_wind": 1}


def test_a_limit_hand_takes_the_place_of_what_its_tiles_have_besides() -> None:
    hand = "EEE* RRR* GGG* WhWhWh NN; last=N; won_by=last_discard; seat=E; prevailing=E; bonus=F1"
    assert lines(hand) == {"all_honors": 10, "last_discard": 1, "own_flower": 1}


def test_the_better_of_two_limit_hands_counts() -> None:
    hand = f"1111B* 9999B* 1111C* 9999C# 11D; last=1D; won_by=discard; {NO_BONUS}"
    assert lines(hand) == {"four_kongs": 13}


def test_four_concealed_pungs_are_not_all_pungs_besides() -> None:
    hand = f"222B 444B 666B 888B 99B; last=9B; won_by=discard; {NO_BONUS}"
    assert lines(hand) == {"four_concealed_pungs": 8, "one_suit": 7, "concealed_hand": 1}


@pytest.mark.parametrize(
    ("hand", "faan", "final"),
    [
        ("234B* 345B 567C 777D RR; last=R; won_by=discard", 0, 1),
        ("RRR* GGG* WhWh 234B 567C; last=Wh; won_by=discard", 5, 24),
        ("234B* 456B 999B 678B 55B; last=5B; won_by=discard", 7, 48),
        ("EEE* SSS* WWW* NNN 22B; last=2B; won_by=discard", 13, 128),
    ],
)
def test_faan_are_looked_up_in_the_table_up_to_the_maximum(hand, faan, final) -> None:
    scored = verdict(f"{hand}; seat=E; prevailing=S; {NO_BONUS}")
    assert (scored.total, scored.final) == (faan, final)


def test_full_spicy_doubles_all_the_way() -> None:
    hand = f"RRR* GGG* WhWh 234B 567C; last=Wh; won_by=discard; {NO_BONUS}"
    assert verdict(hand, load("hk-spicy")).final == 32
    assert load("hk-spicy").name != load("hk").name  # both stand in one list
    assert load("hk-spicy").edition == "full spicy"


@pytest.mark.parametrize(
    ("hand", "meets"),
    [
        ("SSS* RRR* 567C 777D 88D; last=8D; won_by=self_drawn; seat=S; bonus=F1", True),
        ("SSS* RRR* 567C 777D 88D; last=8D; won_by=discard; seat=S; bonus=F2,Y2", False),
        ("SSS* RRR* 567C 777D 88D; last=8D; won_by=discard; seat=S", False),
        ("1479B 258C 369D E S W; won_by=self_drawn; bonus=F1,F2,F3,F4,Y1,Y2,Y3", True),
    ],
)
def test_bonus_tiles_do_not_help_to_reach_the_minimum(hand: str, meets: bool) -> None:
    assert verdict(hand).meets_minimum is meets


def test_seven_pairs_do_not_win() -> None:
    hand = parse_player_hand("1144B 2277C 3388D RR; last=R; won_by=discard")
    assert compiled(load("hk")).judged(hand) == []


class TestOptions:
    def test_seven_pairs_from_no_faan_to_thirteen(self) -> None:
        house = from_data(SEVEN_PAIRS)
        assert lines(f"1144B 2277C 3388D RR; last=R; won_by=discard; {NO_BONUS}", house) == {
            "seven_pairs": 3,
            "concealed_hand": 1,
        }
        assert verdict(f"{PLAIN}; won_by=discard; {NO_BONUS}", house).meets_minimum
        assert verdict("EEE* SSS* WWW* NNN 22B; last=2B; won_by=discard", house).final == 384
        assert "man" not in house.by_id

    def test_half_responsibility_charges_the_discarder_more(self) -> None:
        settlement = from_data({**HALF, "slug": "half"}).settlement
        assert settle(settlement, HandResult([0, 0, 32, 0], 2, discarder=3)) == [-16, -16, 64, -32]

    def test_half_of_one_point_is_refused(self) -> None:
        with pytest.raises(BookError) as error:
            from_data({**HALF, "slug": "half", "counting": {"minimum": 0}})
        assert [problem.field for problem in error.value.problems] == ["settlement: base"]


class TestSettlement:
    # Two worked examples of Kimeiga's guide: 4 faan drawn, 7 faan on a discard.
    def test_everybody_pays_a_drawn_tile(self) -> None:
        outcome = HandResult([16, 0, 0, 0], 0)
        assert settle(load("hk").settlement, outcome) == [48, -16, -16, -16]

    def test_the_discarder_pays_two_portions_alone(self) -> None:
        outcome = HandResult([48, 0, 0, 0], 0, discarder=1)
        assert settle(load("hk").settlement, outcome) == [96, -96, 0, 0]

    @pytest.mark.parametrize(
        ("discarder", "amounts"), [(None, [0, -48, 48, 0]), (3, [0, -32, 32, 0])]
    )
    def test_who_is_liable_pays_for_all(self, discarder, amounts) -> None:
        outcome = HandResult([0, 0, 16, 0], 2, discarder=discarder, liable=1)
        assert settle(load("hk").settlement, outcome) == amounts

    def test_nobody_pays_after_a_draw_by_the_hong_kong_book(self) -> None:
        assert settle(load("hk").settlement, HandResult([0, 0, 0, 0], None)) == [0, 0, 0, 0]

    def test_a_false_win_pays_each_three_times_the_highest_score(self) -> None:
        book = load("hk")
        outcome = HandResult([0, highest(book.counting), 0, 0], None, false_win=1)
        assert settle(book.settlement, outcome) == [384, -1152, 384, 384]


def test_the_highest_score_is_the_limit_or_the_maximum() -> None:
    assert highest(load("dmjl").counting) == 500
    assert highest(load("zung-jung").counting) == 320


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        (
            {"pattern": [{"id": "four_kongs", "replaces_kind": "cards"}]},
            "pattern four_kongs: replaces_kind",
        ),
        (
            {"pattern": [{"id": "four_kongs", "kind": "tiles"}]},
            "pattern four_kongs: replaces_kind",
        ),
        (
            {"form": [{"id": "seven_bonus_tiles", "bonus": 0}]},
            "form seven_bonus_tiles: bonus",
        ),
    ],
)
def test_a_bad_book_is_refused(changes, field) -> None:
    with pytest.raises(BookError) as error:
        from_data({"base": "hk", "slug": "bad", **changes})
    assert [problem.field for problem in error.value.problems] == [field]


def test_the_limit_hand_of_two_arrangements_at_the_maximum_is_named() -> None:
    changes = {"id": "four_concealed_pungs", "limit": 100, "alone": True}
    house = from_data({"base": "hk", "slug": "house", "pattern": [changes]})
    hand = "222B 333B 444B 888B 55B; last=5B; won_by=self_drawn; seat=E; bonus=F1"
    assert lines(hand, house) == {"four_concealed_pungs": 100}
