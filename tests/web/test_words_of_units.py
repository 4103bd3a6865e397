"""What figures are called: by each book its own word, one or many."""

import pytest
from django.template.loader import render_to_string

from scoring.evaluator.books.loader import load
from scoring.figures import faan_in_words
from scoring.services.book_drafts import ChangedHand, ChangedLine
from scoring.web.rules.books import page_of


@pytest.mark.parametrize(
    ("engine", "words"), [("", "5 faan"), ("PyMahjongGB", "5 fan"), ("mahjong", "5 han")]
)
def test_each_book_has_its_word_for_faan(engine, words):
    assert faan_in_words(5, engine) == words


@pytest.mark.parametrize(
    ("slug", "title", "counting"),
    [
        ("hk", "Faan", "The faan are added up, and a table says how many points they are."),
        ("mcr", "Fan", "Fan are added up."),
        (
            "riichi",
            "Han",
            "The han are added up; a table of han and fu says what the winner gets.",
        ),
    ],
)
def test_the_page_of_a_book_has_its_word_for_faan(slug, title, counting):
    page = page_of(load(slug))
    assert [section.title for section in page.sections if section.id == "faan"] == [title]
    assert page.counting[0] == counting


def test_a_card_has_the_word_of_its_book_for_faan():
    card = {
        "final": 8,
        "faan": 3,
        "faan_report": [{"rule": "riichi", "label": "Riichi", "faan": 1}],
        "winning": True,
    }
    shown = render_to_string("components/book_card.html", {"card": card, "engine": "mahjong"})
    assert "Han</th>" in shown
    assert "Han in all</th>" in shown


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
