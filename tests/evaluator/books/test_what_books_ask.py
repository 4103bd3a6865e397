"""What is asked of a win is what a book can use, and no more."""

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.hands import ALWAYS_KNOWN
from scoring.evaluator.books.loader import BookError, from_data, frozen, load, shipped, whole
from scoring.variants.book_rules import BookTableRules

HOUSE = {"base": "dmjl", "slug": "house", "name": "House"}


@pytest.mark.parametrize("slug", [slug for slug in shipped() if not load(slug).engine])
def test_a_book_knows_what_its_patterns_use(slug):
    slots = compiled(load(slug)).layout.slots
    used = {slot.name.removeprefix("won_by_") for slot in slots if slot.kind == "hand"}
    assert load(slug).circumstances - ALWAYS_KNOWN <= used


def test_a_book_goes_without_a_circumstance_of_its_base():
    data = whole({**HOUSE, "without": ["only_place"]})
    assert "only_place" not in frozen(data).circumstances
    assert "without" not in data
    assert len(data["circumstances"]) == len(set(data["circumstances"]))


@pytest.mark.parametrize("without", ["only_place", ["riichi"], [3]])
def test_what_the_base_does_not_know_cannot_be_left_out(without):
    with pytest.raises(BookError) as refused:
        from_data({**HOUSE, "without": without})
    assert [problem.field for problem in refused.value.problems] == ["without"]


def test_a_stored_book_asks_for_nothing_that_it_cannot_use_and_still_knows_it():
    off = [{"id": name, "off": True} for name in ("only_place", "earth")]
    rules = BookTableRules(from_data({**HOUSE, "pattern": off}))
    assert "only_place" in rules.book.circumstances
    assert "only_place" not in rules.flags
    assert "earth_discard" not in rules.won_by
    assert "nine_wins" in rules.flags


@pytest.mark.parametrize("kind", ["pattern", "form", "set"])
def test_a_change_of_one_id_twice_is_refused(kind):
    with pytest.raises(BookError) as refused:
        from_data({**HOUSE, kind: [{"id": "mine"}, {"id": "mine"}]})
    assert [problem.field for problem in refused.value.problems] == [f"{kind} mine"]


def test_a_score_above_the_limit_is_claimed_where_the_limit_is_no_roof():
    roof = BookTableRules(from_data(HOUSE)).claims
    none = BookTableRules(from_data({**HOUSE, "counting": {"roof": False}})).claims
    share = {"id": "mine", "name": "Mine", "limit": 200}
    twice = BookTableRules(from_data({**HOUSE, "pattern": [share]})).claims
    assert (roof.most, none.most, twice.most) == (500, 1_000_000, 1000)


def test_limit_hands_of_certain_tiles_tell_these_where_one_tile_names_their_suits():
    by_name = BookTableRules(load("bmja")).limit_tiles
    assert {name: len(choices) for name, choices in by_name.items()} == {
        "gates_of_heaven": 3,
        "wriggling_snake": 3,
    }
    own = [("fixed", "123456789B E S W N R", 1), ("both", "1199a 1199b R R G G Wh Wh", 0)]
    forms = [{"id": name, "name": name, "kind": "tiles", "tiles": spec} for name, spec, _n in own]
    patterns = [
        {"id": name, "name": name, "when": f"form({name})", "limit": 100} for name, _spec, _n in own
    ]
    by_name = BookTableRules(from_data({**HOUSE, "form": forms, "pattern": patterns})).limit_tiles
    assert {name: len(choices) for name, choices in by_name.items()} == {"fixed": 1}
