"""Before rules are published, the hands of their patterns show what they should."""

import pytest

from scoring.services import book_examples
from scoring.services.book_drafts import draft_of_data
from scoring.services.book_examples import checked_examples
from tests.support.wrong_examples import wrong_examples

pytestmark = pytest.mark.django_db


def draft(*patterns):
    return draft_of_data({"base": "dmjl", "slug": "ours", "name": "Ours", "pattern": [*patterns]})


def checked(*patterns):
    made = draft(*patterns)
    return checked_examples(made.book, made.base)


def problems(*patterns):
    return {problem.field: problem.code for problem in checked(*patterns).own}


def test_what_only_a_value_changes_needs_no_other_hand():
    assert problems({"id": "no_chow", "doubles": 2}) == {}


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"when": "(chows == 0) and concealed_hand"}, (0, 1)),
        ({"who": "losers"}, (0, 1)),
        ({"who": "all"}, (2, 1)),
    ],
    ids=str,
)
def test_hands_of_the_base_that_no_longer_show_a_changed_pattern_go(change, left):
    made = draft({"id": "no_chow", **change})
    pattern = made.book.by_id["no_chow"]
    assert (len(pattern.has), len(pattern.nearly)) == left
    assert wrong_examples(made.book) == []
    assert checked_examples(made.book, made.base).own == []


def test_a_new_condition_needs_a_hand():
    changed = {"id": "no_chow", "when": "chows == 0 and every(honor)"}
    assert problems(changed) == {"pattern no_chow: has": "wrong_example"}


def test_parentheses_alone_are_another_condition():
    hands = {"has": ["1155B"], "nearly": ["1155B"]}
    plum = {"id": "plum_blossom", "when": "drawn and kongs == 3 or won", **hands}
    other = {**plum, "when": "drawn and (kongs == 3 or won)"}
    for pattern in (plum, other):
        assert problems(pattern)["pattern plum_blossom: has"] == "wrong_example"


def test_a_pattern_that_takes_the_place_of_others_is_told_with_their_hands():
    hand = "222B* 345B 55B 222D GGG; last=5B; won_by=discard"
    mine = {"id": "mine", "name": "Mine", "points": 1, "when": "won", "alone": True}
    own, others = checked({**mine, "has": [hand], "nearly": [hand.partition(";")[0]]})
    assert own == []
    assert len(others) > 20


def test_many_examples_share_one_scorer_and_a_bound(monkeypatch):
    made, scorers, scorer_of = draft({"id": "no_chow", "who": "all"}), [], book_examples.scorer_of
    monkeypatch.setattr(
        book_examples, "scorer_of", lambda book: scorers.append(book) or scorer_of(book)
    )
    checked_examples(made.book, made.base)
    assert scorers == [made.book]
    monkeypatch.setattr(book_examples, "SECONDS", -1)
    [slow] = checked_examples(made.book, made.base).own
    assert slow.code == "too_slow"
