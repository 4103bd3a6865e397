"""What each entry of the registry is called, what it is worth and where it is decided."""

import pytest

from scoring.evaluator.rules import (
    CLUB,
    CONSISTENCY_RULES,
    DOUBLE_RULES,
    LIMIT_RULES,
    POINT_RULES,
    RuleSet,
    has,
    traits_read,
)
from scoring.evaluator.rulesets import STRAIGHT_VARIANTS
from scoring.evaluator.traits import mask_of


def ids_names_and_worth(rules):
    return [(rule.id, rule.name, rule.worth) for rule in rules]


def test_the_registry_has_these_points():
    assert ids_names_and_worth(POINT_RULES) == [
        ("winning", "Winning", 20),
        ("chow", "Chow", 0),
        ("pung", "Pung", 4),
        ("kong", "Kong", 16),
        ("pair_dragons", "Pair of dragons", 2),
        ("pair_own_wind", "Pair of the own wind", 2),
        ("pair_prevailing_wind", "Pair of the prevailing wind", 2),
        ("pair_double_wind", "Pair of the double wind", 4),
        ("pair", "Any other pair", 0),
    ]


def test_the_registry_has_these_doubles():
    assert ids_names_and_worth(DOUBLE_RULES) == [
        ("lucky_sets", "Lucky sets", 1),
        ("groups", "Only pungs and kongs", 1),
        ("sequences", "Straight", 1),
        ("no_points", "No points", 1),
        ("all_green", "All Green", 2),
    ]
    assert {rule.group for rule in DOUBLE_RULES} == {""}


def test_the_registry_has_these_consistency_doubles():
    assert ids_names_and_worth(CONSISTENCY_RULES) == [
        ("all_simples", "All simples", 1),
        ("no_simples", "No simples", 1),
        ("terminal_or_honor_in_each", "A terminal or honor in every set", 1),
        ("one_suit_with_honors", "One suit with honors", 1),
        ("one_suit", "One suit only", 4),
        ("little_three_dragons", "Little Three Dragons", 1),
    ]
    assert {rule.group for rule in CONSISTENCY_RULES} == {"consistency"}
    assert {rule.source for rule in CONSISTENCY_RULES} == {
        "docs/rules.md, Doubles; the book’s consistency"
    }


def test_the_registry_has_these_limit_hands():
    assert ids_names_and_worth(LIMIT_RULES) == [
        ("big_three_dragons", "Big Three Dragons", 0),
        ("little_four_winds", "Little Four Winds", 0),
        ("big_four_winds", "Big Four Winds", 0),
        ("all_honors", "All Honors", 0),
        ("all_terminals", "All Terminals", 0),
        ("thirteen_orphans", "Thirteen Orphans", 0),
        ("nine_gates", "Nine Gates", 0),
    ]
    assert {rule.group for rule in LIMIT_RULES} == {"limit"}
    assert {rule.source for rule in LIMIT_RULES} == {"docs/rules.md, Limit hands"}


def test_only_all_green_and_straight_variants_belong_to_an_option():
    rules = (*DOUBLE_RULES, *CONSISTENCY_RULES, *LIMIT_RULES)
    assert {rule.id: rule.option for rule in rules if rule.option} == {"all_green": "all_green"}
    options = {case.option for rule in rules for case in rule.cases}
    assert options == {"", *STRAIGHT_VARIANTS}


def test_an_option_that_no_rule_set_has_is_refused():
    with pytest.raises(AttributeError, match="all_gren"):
        CLUB.plays("all_gren")


def test_every_entry_is_explained_in_a_sentence():
    for rule in (*POINT_RULES, *DOUBLE_RULES, *CONSISTENCY_RULES, *LIMIT_RULES):
        assert not rule.explanation[0].islower(), rule.id
        assert rule.explanation.endswith("."), rule.id
        assert rule.source.startswith("docs/rules.md, "), rule.id


def test_a_rule_whose_option_is_off_is_neither_played_nor_read():
    [rule] = [rule for rule in DOUBLE_RULES if rule.option == "all_green"]
    green = RuleSet(slug="green", all_green=True)
    assert (rule.played(CLUB), rule.played(green)) == ((), rule.cases)
    assert not traits_read(CLUB) & mask_of("suits_not_green")
    assert traits_read(green) == traits_read(CLUB) | mask_of("suits_not_green")


@pytest.mark.parametrize("trait", ["chow_ranks", "pung_ranks"])
def test_a_rule_set_reads_what_its_entries_read(trait):
    variant = f"same_rank_{trait.removesuffix('_ranks')}s"
    variants = RuleSet(slug="variants", straights=frozenset([variant]))
    assert not traits_read(CLUB) & mask_of(trait)
    assert traits_read(variants) == traits_read(CLUB) | mask_of(trait)


@pytest.mark.parametrize(
    ("trait", "value"), [("lucky", 16), ("points", 512), ("concealed", 2), ("suits", -1)]
)
def test_a_case_that_no_hand_can_have_is_refused(trait, value):
    with pytest.raises(ValueError, match=rf"^{trait} is from 0 to \d+ where "):
        has(**{trait: value})
