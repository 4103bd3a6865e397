"""Random wins: each is worth here what the library says that is called directly.

``VARIANT_HANDS=10000`` tries as many of each family; a fiftieth of that is tried otherwise.
"""

import os
from collections import Counter
from random import Random

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.loader import load
from tests.variants import direct
from tests.variants.random_wins import ALL, Win, player_hand, random_win
from tests.variants.scorers import scorer

HANDS = int(os.environ.get("VARIANT_HANDS", "200"))
FAMILIES = {"mcr": True, "riichi": False}  # and whether it knows knitted hands


def wins(slug: str) -> list[Win]:
    rng, book = Random(f"{slug} 20261122"), load(slug)
    return [
        random_win(rng, book.circumstances, bonus=book.bonus, knitted=FAMILIES[slug])
        for _hand in range(HANDS)
    ]


def as_id(name: str) -> str:
    return name.lower().replace(" ", "_").replace("-", "_")


def test_mcr_is_what_its_library_says() -> None:
    judge, winning = scorer("mcr"), 0
    for win in wins("mcr"):
        expected, judged = direct.mcr(win), judge.judged(player_hand(win))
        assert bool(judged) is (expected is not None), win
        if expected is None:
            continue
        winning += 1
        verdict = judged[0].verdict
        lines = Counter(
            (line.pattern.id, line.value // line.times, line.times) for line in verdict.lines
        )
        assert lines == Counter((as_id(name), *rest) for name, *rest in expected), win
        total = sum(value * times for _name, value, times in expected)
        flowers = len(win.bonus)
        assert (verdict.faan, verdict.total, verdict.final) == (total, total, total), win
        assert verdict.meets_minimum is (total - flowers >= 8), win
    assert winning > 0.9 * HANDS


def test_riichi_is_what_its_library_says() -> None:
    judge, scored = scorer("riichi"), 0
    for win in wins("riichi"):
        expected, judged = direct.riichi(win), judge.judged(player_hand(win))
        assert bool(judged) is (expected.get("error") != "hand_not_winning"), win
        if not judged:
            continue
        verdict = judged[0].verdict
        assert verdict.meets_minimum is ("error" not in expected), win
        if "error" in expected:
            assert expected["error"] == "no_yaku", win
            assert (verdict.lines, verdict.total, verdict.final) == ((), 0, 0), win
            continue
        scored += 1
        assert (verdict.faan, verdict.points) == (expected["han"], expected["fu"]), win
        assert (*verdict.shares, verdict.total) == expected["cost"], win
        lines = Counter((line.pattern.id, line.value) for line in verdict.lines)
        yaku = expected["yaku"].items()
        assert lines == Counter({(as_id(name), han): times for (name, han), times in yaku}), win
    assert scored > 0.5 * HANDS


@pytest.mark.parametrize(
    ("slug", "none"), [("mcr", None), ("riichi", {"error": "hand_not_winning"})]
)
def test_hands_of_one_other_tile_win_here_where_they_do_there(slug: str, none: object) -> None:
    judge, rng, lost = scorer(slug), Random(7), 0
    for win in wins(slug):
        other = rng.choice([code for code in ALL if win.held[code] < 4])
        tiles = list(win.tiles)
        tiles[rng.randrange(len(tiles))] = other
        odd = win._replace(tiles=tuple(tiles), last=other, won_by="discard", indicators=())
        odd = odd._replace(flags=frozenset())
        wins_there = getattr(direct, slug)(odd) != none
        assert bool(judge.judged(player_hand(odd))) is wins_there, odd
        lost += not wins_there
    assert lost > 0.5 * HANDS


@pytest.mark.parametrize("slug", FAMILIES)
def test_arrangement_and_values_of_the_book_are_those_of_the_library(slug: str) -> None:
    """What the library found is had by the arrangement that is shown, for what the rules page says."""
    judge, book = scorer(slug), compiled(load(slug))
    for win in wins(slug):
        hand = player_hand(win)
        for judged in judge.judged(hand):
            shown = judged.groups, judged.form
            own = next(way for way in book.judged(hand) if (way.groups, way.form) == shown)
            values = {line.pattern.id: line.value // line.times for line in own.verdict.lines}
            for line in judged.verdict.lines:
                assert values.get(line.pattern.id) == line.value // line.times, (win, line)
