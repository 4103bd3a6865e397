"""How a hand was won must fit its seat and its tiles, in every book and for every engine."""

import pytest

from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import load
from scoring.evaluator.books.possible import check_for
from scoring.evaluator.problems import HandError

HAND = "222B 345B 55B 222D GGG; last=5B; seat={seat}; won_by={way}"
DEALER = "The dealer wins by heaven, everybody else by earth."
NOTHING = "Who wins by the first tiles has declared nothing."
KONG = "Who wins on the replacement of a kong has declared a kong."
KONGS = "Who wins by a kong upon a kong has declared two."
ROBBED = "The other three of the robbed tile are in another player’s kong."


@pytest.mark.parametrize(
    ("slug", "hand", "sentence"),
    [
        *((slug, HAND.format(seat="S", way="heaven"), DEALER) for slug in ("dmjl", "bmja", "cc")),
        ("american-1922", HAND.format(seat="S", way="heaven"), DEALER),
        ("zung-jung", HAND.format(seat="W", way="heaven"), DEALER),
        ("hk", HAND.format(seat="E", way="earth_draw"), DEALER),
        ("hk", HAND.format(seat="E", way="earth_discard"), DEALER),
        ("dmjl", "222B* 345B 55B 222D GGG; last=5B; seat=E; won_by=heaven", NOTHING),
        ("hk", "2222B# 345B 55B 222D GGG; last=5B; seat=S; won_by=earth_draw", NOTHING),
        ("dmjl", HAND.format(seat="S", way="replacement"), KONG),
        ("hk", HAND.format(seat="S", way="replacement") + "; bonus=F1", KONG),
        ("dmjl", HAND.format(seat="S", way="kong_on_kong"), KONGS),
        ("hk", "2222B* 345B 55B 222D GGG; last=5B; seat=S; won_by=kong_on_kong", KONGS),
        ("dmjl", "222B 345B 55B 222D GGG; last=2D; seat=S; won_by=robbing_kong", ROBBED),
        ("dmjl", "222B 345B 55B 222D GGG; last=5B; seat=S; won_by=discard; flags=nine_wins",
         "Only wins of the dealer are counted in a row."),
    ],
)  # fmt: skip
def test_impossible_hands_are_refused_with_a_sentence(slug: str, hand: str, sentence: str) -> None:
    with pytest.raises(HandError) as refused:
        check_for(load(slug), parse_player_hand(hand))
    assert [str(problem.message) for problem in refused.value.problems] == [sentence]


@pytest.mark.parametrize(
    ("slug", "hand"),
    [
        ("dmjl", HAND.format(seat="E", way="heaven")),
        ("hk", HAND.format(seat="N", way="earth_draw")),
        # A bonus tile is replaced, too, unless the book says that this is no such win.
        ("dmjl", HAND.format(seat="S", way="replacement") + "; bonus=F1"),
        ("hk", "2222B* 345B 55B 2222D# GGG; last=5B; seat=S; won_by=kong_on_kong"),
        ("dmjl", "222B* 345B 55B 222D GGG; last=3B; seat=S; won_by=robbing_kong"),
    ],
)
def test_what_can_be_is_not_refused(slug: str, hand: str) -> None:
    check_for(load(slug), parse_player_hand(hand))
