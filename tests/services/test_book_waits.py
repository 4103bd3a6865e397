"""What a hand that lacks one tile waits for, by a rule book."""

import pytest

from scoring.evaluator.books.loader import load
from scoring.evaluator.problems import HandError
from scoring.services.book_advice import offers_by_book, waits_by_book
from scoring.services.book_scores import card_by_book

WAITING = "222B 333B 55B 222D GG"


@pytest.mark.parametrize("slug", ["dmjl", "bmja", "hk", "zung-jung", "mcr", "riichi"])
def test_each_wait_scores_what_the_whole_hand_does(slug):
    book = load(slug)
    waits = waits_by_book(book, WAITING, "S", "E", won_by="self_drawn")
    assert [wait.tile.code for wait in waits] == ["5B", "G"]
    for wait in waits:
        tile = wait.tile.code
        card = card_by_book(
            book, f"{WAITING} {tile}", "S", "E", won_by="self_drawn", winning_tile=tile
        )
        assert wait.final == (card.verdict.final if card.winning else None)
        assert wait.left == 2


def test_a_tile_of_which_all_are_held_is_no_wait():
    waits = waits_by_book(load("dmjl"), "1111B 234B 567B 99D 99C", "S", "E")
    assert [wait.tile.code for wait in waits] == ["9C", "9D"]


def test_a_wait_that_is_worth_too_little_may_not_be_declared():
    [one, other] = waits_by_book(load("hk"), "123B 456B* 789D 34C 55D", "S", "E")
    assert (one.final, other.final) == (None, None)


def test_a_card_says_nothing_of_tiles():
    assert waits_by_book(load("card"), WAITING, "S", "E") == []


def test_a_hand_that_cannot_be_is_refused():
    with pytest.raises(HandError):
        waits_by_book(load("dmjl"), "222B 333B", "S", "E")


@pytest.mark.parametrize("slug", ["bmja", "hk", "riichi"])
def test_each_exchange_scores_what_the_exchanged_hand_does(slug):
    book = load(slug)
    how = {"won_by": "self_drawn", "winning_tile": "R"}
    offers = offers_by_book(card_by_book(book, f"{WAITING} R", "S", "E", **how))
    assert ("R", "G") in {(offer.given.code, offer.taken.code) for offer in offers}
    assert offers == sorted(offers, key=lambda offer: -offer.final)
    how["winning_tile"] = "G"
    card = card_by_book(book, f"{WAITING} G", "S", "E", **how)
    assert offers[0].final == card.verdict.final


def test_a_hand_that_wins_or_is_no_win_is_offered_nothing():
    book = load("dmjl")
    assert offers_by_book(card_by_book(book, f"{WAITING} G", "S", "E")) == []
    assert offers_by_book(card_by_book(book, WAITING, "S", "E", won_by="")) == []


IMPOSSIBLE_WITH_SOME = [
    {"won_by": "robbing_kong", "winning_tile": "R"},
    {"won_by": "discard", "flags": ["last_of_kind"], "winning_tile": "R"},
    {"won_by": "discard", "dora_indicators": ["G", "G"], "winning_tile": "R"},
]


@pytest.mark.parametrize("slug", ["dmjl", "mcr", "riichi"])
@pytest.mark.parametrize("how", IMPOSSIBLE_WITH_SOME)
def test_an_exchange_with_which_the_hand_cannot_be_is_passed_over(slug, how):
    book = load(slug)
    how = {name: value for name, value in how.items() if name != "flags" or slug == "mcr"}
    how = {
        name: value for name, value in how.items() if name != "dora_indicators" or slug == "riichi"
    }
    card = card_by_book(book, "222B 345C 55B 678D GG R", "S", "E", **how)
    offers = {offer.taken.code for offer in offers_by_book(card)}
    assert "G" not in offers or how["won_by"] != "robbing_kong"


@pytest.mark.parametrize("slug", ["dmjl", "mcr", "riichi"])
def test_a_robbed_tile_is_one_that_the_hand_does_not_hold(slug):
    waits = waits_by_book(load(slug), "222B 345C 55B 678D 34D", "S", "E", won_by="robbing_kong")
    assert [wait.tile.code for wait in waits] == ["2D", "5D"]
