"""The search finds exactly as many one-suit hands as there are.

Not in ``tests/evaluator``: there every line is counted, which takes three times as long.
"""

import pytest

from tests.evaluator.exact_counts import by_interpretations


@pytest.mark.slow
def test_the_exact_count_of_winning_hands_of_14_tiles_by_interpretations():
    counts = by_interpretations(14)
    assert counts.total() == 118_800
    assert {ways: counts[ways] for ways in counts if ways} == {1: 11_984, 2: 1_087, 3: 172, 4: 16}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "winning", "hands"),
    [
        (15, 15_643, 142_740),
        pytest.param(16, 9_435, 162_585, marks=pytest.mark.thorough),
        pytest.param(17, 3_360, None, marks=pytest.mark.thorough),
        (18, 630, None),
    ],
)
def test_the_exact_count_of_winning_hands_with_kongs(size, winning, hands):
    counts = by_interpretations(size)
    assert counts.total() - counts[0] == winning
    assert hands in (None, counts.total())
