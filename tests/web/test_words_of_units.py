"""What figures are called: by each book its own word, one or many."""

import pytest
from django.template.loader import render_to_string

from scoring.services.book_drafts import ChangedHand, ChangedLine
from scoring.web.shared.book_steps import faan_in_words


@pytest.mark.parametrize(
    ("engine", "words"), [("", "5 faan"), ("PyMahjongGB", "5 fan"), ("mahjong", "5 han")]
)
def test_each_book_has_its_word_for_faan(engine, words):
    assert faan_in_words(5, engine) == words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (ChangedLine("No chow", "doubles", None, 1), "1 double<"),
        (ChangedLine("No chow", "doubles", 2, None), "2 doubles<"),
        (ChangedLine("Run of winds", "limit", None, 50), "50 % of the limit<"),
        (ChangedLine("Pung", "points", 4, 8), "8 points<"),
        (ChangedLine("One suit", "faan", 4, 8), "8 faan<"),
    ],
)
def test_a_changed_line_says_its_unit(line, words):
    change = ChangedHand("222B", 1, 2, [line])
    assert words in render_to_string("rules/_change.html", {"change": change})
