"""What a hand that is being entered still lacks, in words."""

import pytest

from scoring.web.shared.preview import missing


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "four sets and a pair"),
        ("222B", "three more sets and a pair"),
        ("222B* 345B", "two more sets and a pair"),
        ("222B 345B RRRR 789D", "a pair"),
        ("22B", "four sets"),
        ("22B 345B 222D GGG", "one more set"),
        ("222B 345B 55B 222D GGG", ""),
        ("111B 222B 333B 444B 555B", ""),
        ("2B", "13 more tiles"),
        ("222B 34B", "9 more tiles"),
        ("222B 55B 66B", "7 more tiles"),
        ("123456789B 1234C", "1 more tile"),
        ("222B 345X", ""),
    ],
)
def test_what_is_missing_from_a_hand_is_said_in_words(text, words):
    assert missing(text) == words
