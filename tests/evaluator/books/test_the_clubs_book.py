"""Club and Book are files, too: what the general engine reads in them is what the fast one scores."""

from contextlib import suppress

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.hands import PlayerHand
from scoring.evaluator.books.loader import load
from scoring.evaluator.books.vocabulary import Group
from scoring.evaluator.cases import cases_of
from scoring.evaluator.hand import Hand
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import POINT_RULES
from scoring.evaluator.rulesets import BOOK, CLUB
from scoring.evaluator.sets import Set, sets_from
from scoring.evaluator.tiles import TILES, WINDS
from tests.evaluator.random_hands import random_case

SEEDS = range(400)


def player_hand(hand: Hand) -> PlayerHand:
    melds = tuple(
        Group(meld.kind, tuple(tile.index for tile in meld.tiles), meld.concealed)
        for meld in hand.melds
    )
    return PlayerHand(
        hand.counts - sum(meld.counts for meld in hand.melds),
        melds,
        won_by="self_drawn" if hand.self_drawn else "discard",
        seat=hand.seat_wind,
        prevailing=hand.prevailing_wind,
    )


def hands():
    """Random hands; what is said about their being concealed is left to the declared sets."""
    for seed in SEEDS:
        case = random_case(seed)
        winds = case.hand.seat, case.hand.prevailing
        with suppress(HandError):
            yield Hand.from_notation(case.typed_tiles, *winds, case.typed_melds)


@pytest.mark.parametrize(("slug", "rules"), [("club", CLUB), ("book", BOOK)])
def test_the_options_and_the_clubs_book_score_any_hand_alike(slug, rules):
    book, winning = compiled(load(slug)), 0
    for hand in hands():
        judged = book.judged(player_hand(hand))
        assert bool(judged) == hand.mahjongg(), hand
        if judged:
            winning += 1
            expected, found = hand.chosen(rules).verdict, judged[0].verdict
            if not expected.limits:
                assert (found.points, found.doubles) == (expected.points, expected.doubles), hand
            assert found.final == expected.final, hand
            limits = [line.pattern.id for line in found.lines if line.pattern.unit == "limit"]
            assert sorted(limits) == sorted(expected.limits), hand
    assert winning > len(SEEDS) // 4


@pytest.mark.parametrize("tile_set", [one for tile in TILES for one in sets_from(tile)], ids=str)
def test_a_set_is_worth_what_the_file_says(tile_set: Set):
    values = {pattern.each: pattern.value(()) for pattern in load("club").patterns if pattern.each}
    for seat in WINDS:
        for prevailing in WINDS:
            [rule] = [rule for rule in POINT_RULES if rule.test(tile_set, prevailing, seat)]
            assert tile_set.points(prevailing, seat) in (
                rule.worth,
                2 * rule.worth if rule.id in ("pung", "kong") else rule.worth,
            )
    assert values


@pytest.mark.parametrize(
    "expression",
    [
        "last(simple)",
        "chows == suits",
        "simples == 2",
        "count(pung) == 1",
        "chows + 1 == 2",
        "flowers",
    ],
)
def test_conditions_that_no_trait_tells_have_no_cases(expression):
    with pytest.raises(ValueError, match="No traits tell whether"):
        cases_of(expression)


def test_conditions_that_contradict_each_other_have_no_cases():
    assert cases_of("chows == 1 and chows == 2") == ()
