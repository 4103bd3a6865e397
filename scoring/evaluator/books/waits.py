"""For which tiles a hand was waiting before its last."""

from dataclasses import replace
from functools import lru_cache

from scoring.evaluator.counts import BITS, MOST, ONE

from .book import Form
from .forms import arrangements
from .hands import PlayerHand


def waits(forms: tuple[Form, ...], hand: PlayerHand) -> tuple[int, ...]:
    """The indexes of all kinds that would have won in place of the winning tile; itself among them.

    A kind whose four copies are in the hand already is none.
    """
    return _waits(
        forms,
        replace(hand, counts=hand.counts - ONE[hand.last], last=-1, bonus=(), flags=frozenset()),
    )


@lru_cache(maxsize=2**13)
def _waits(forms: tuple[Form, ...], waiting: PlayerHand) -> tuple[int, ...]:
    held = waiting.all_counts()
    return tuple(
        index
        for index in range(len(ONE))
        if held >> BITS * index & MOST < 4
        and any(
            next(arrangements(form, replace(waiting, counts=waiting.counts + ONE[index])), None)
            for form in forms
        )
    )
