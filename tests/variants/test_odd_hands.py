"""No hand, however odd, reaches a library that it could upset: it is judged, or refused in words.

``ODD_HANDS=20000`` tries as many of each family.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from scoring.evaluator.books.hands import BONUS_TILES, PlayerHand
from scoring.evaluator.books.loader import load
from scoring.evaluator.books.vocabulary import FLAGS, WON_BY, Group
from scoring.evaluator.counts import ONE
from scoring.evaluator.problems import HandError
from scoring.evaluator.tiles import Wind
from tests.variants.random_wins import player_hand, random_win
from tests.variants.scorers import scorer

ODD = int(os.environ.get("ODD_HANDS", "400"))
KINDS = ("chow", "pung", "kong", "pair", "single", "knitted", "luck", "")
INDEXES = (-40, -2, -1, 0, 1, 8, 9, 26, 27, 33, 34, 99)


def odd_meld(rng: Random) -> Group:
    first = rng.choice((*INDEXES, *range(34)))
    tiles = rng.choice(
        [
            (),
            (first,),
            (first,) * 3,
            (first,) * 4,
            (first,) * 5,
            (first, first + 1, first + 2),
            (first + 2, first, first + 1),
            (first, first + 9, first + 18),
        ]
    )
    return Group(rng.choice(KINDS), tiles, *(rng.random() < 0.4 for _flag in range(3)))


def odd_counts(rng: Random, counts: int) -> int:
    one = rng.choice(ONE)
    return rng.choice(
        [
            counts + one,
            counts - one,
            counts + one - rng.choice(ONE),
            counts + 31 * one,
            counts + (1 << rng.choice((169, 170, 200))),
            -counts,
            0,
            rng.getrandbits(170),
            2 * counts,
        ]
    )


def odd_melds(rng: Random, hand: PlayerHand) -> tuple[Group, ...]:
    melds = [*hand.melds, odd_meld(rng)]
    if rng.random() < 0.5:
        melds.pop(rng.randrange(len(melds)))
    return tuple(melds)


ODD_PARTS: dict[str, Callable[[Random, PlayerHand], object]] = {
    "counts": lambda rng, hand: odd_counts(rng, hand.counts),
    "melds": odd_melds,
    "last": lambda rng, _hand: rng.choice(INDEXES),
    "won_by": lambda rng, _hand: rng.choice(["", "luck", *WON_BY]),
    "flags": lambda rng, hand: hand.flags | set(rng.sample([*FLAGS, "luck"], rng.randrange(4))),
    "bonus": lambda rng, _hand: tuple(rng.choices([*BONUS_TILES, "F5"], k=rng.randrange(4))),
    "dora_indicators": lambda rng, _hand: tuple(rng.choices(INDEXES, k=rng.randrange(13))),
    "seat": lambda rng, _hand: rng.choice(["Q", "", *Wind]),
    "prevailing": lambda rng, _hand: rng.choice(["Q", "", *Wind]),
}


def made_odd(rng: Random, hand: PlayerHand) -> PlayerHand:
    """``hand`` with one thing about it changed."""
    part = rng.choice(list(ODD_PARTS))
    return replace(hand, **{part: ODD_PARTS[part](rng, hand)})


@pytest.mark.parametrize("slug", ["mcr", "riichi"])
def test_an_odd_hand_is_judged_or_refused_in_words(slug: str) -> None:
    book, judge, rng = load(slug), scorer(slug), Random(f"odd {slug}")
    refused: list[HandError] = []
    for _hand in range(ODD):
        win = random_win(rng, book.circumstances, bonus=book.bonus, knitted=True)
        hand = player_hand(win)
        for _change in range(rng.choice((1, 1, 2, 4))):
            hand = made_odd(rng, hand)
        try:
            judged = judge.judged(hand)
        except HandError as error:
            refused.append(error)
        else:
            assert all(one.verdict.total >= 0 for one in judged)
    assert 0.3 * ODD < len(refused) < ODD
    assert all(
        one.field and one.code and one.message for error in refused for one in error.problems
    )
