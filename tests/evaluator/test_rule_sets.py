"""Rule sets as validated data: options in, options out, and every refusal names its option."""

import re
from pathlib import Path

import pytest

from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import BOOK, BUILT_IN, CLUB, RuleSet
from scoring.evaluator.rulesets import BY_ID, OPTIONS

EVERYTHING = {
    "limit": 300,
    "rounding": 1,
    "interpretation": "first",
    "consistency": "listed",
    "straights": ["same_rank_chows", "same_rank_pungs"],
    "dealer_doubles": False,
    "dealer_stays_on_win": False,
    "dealer_stays_on_draw": False,
    "discarder": "pays_for_all",
    "all_green": True,
}


def made(options) -> RuleSet:
    return RuleSet.from_options(options, slug="house", name="House", version=3)


def refused(options) -> dict[str, str]:
    with pytest.raises(HandError) as error:
        made(options)
    return {problem.field: problem.message for problem in error.value.problems}


def test_options_go_in_and_come_out():
    assert made(EVERYTHING).options() == EVERYTHING
    assert (made(EVERYTHING).slug, made(EVERYTHING).version) == ("house", 3)


def test_what_is_missing_has_its_default():
    assert made({}).options() == CLUB.options()
    assert made({"limit": 400}).options() == CLUB.options() | {"limit": 400}


@pytest.mark.parametrize("rules", BUILT_IN)
def test_the_built_in_rule_sets_are_made_of_options(rules):
    again = RuleSet.from_options(
        rules.options(), slug=rules.slug, name=rules.name, version=rules.version
    )
    assert again == rules
    assert hash(again) == hash(rules)


def test_rule_sets_of_equal_name_and_version_differ_by_their_options():
    assert made({}) != made({"limit": 400})
    assert len({made({}), made({"limit": 400}), CLUB, BOOK}) == 4


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("limit", 19, "between 20 and 100000"),
        ("limit", 100_001, "between 20 and 100000"),
        ("limit", "500", "between 20 and 100000"),
        ("limit", True, "between 20 and 100000"),
        ("rounding", 5, "one of 10, 1"),
        ("rounding", 10.0, "one of 10, 1"),
        ("rounding", True, "one of 10, 1"),
        ("interpretation", "worst", "one of best, first"),
        ("interpretation", ["best"], "one of best, first"),
        ("consistency", None, "one of highest, listed"),
        ("straights", "same_rank_chows", "any of same_rank_chows, same_rank_pungs"),
        ("straights", ["same_rank_pairs"], "any of same_rank_chows, same_rank_pungs"),
        ("straights", [["same_rank_chows"]], "any of same_rank_chows, same_rank_pungs"),
        ("dealer_doubles", 1, "true or false"),
        ("dealer_stays_on_win", "yes", "true or false"),
        ("discarder", "pays", "one of equal, double"),
        ("flowers", True, "There is no option “flowers”"),
    ],
)
def test_what_an_option_cannot_be_is_refused_at_the_option(option, value, words):
    assert words in refused({option: value})[option]


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("limit", 1, "“Limit” lies between 20 and 100000."),
        ("rounding", 5, "“Rounding” is one of 10, 1."),
        (
            "straights",
            ["pairs"],
            "“Straight variants” is a list of any of same_rank_chows, same_rank_pungs.",
        ),
        ("dealer_doubles", 1, "“Dealer doubles” is true or false."),
        ("flowers", True, None),
    ],
)
def test_a_refusal_names_the_option_and_the_way_out(option, value, sentence):
    sentence = (
        sentence or f"There is no option “flowers”: choose from {', '.join(made({}).options())}."
    )
    assert refused({option: value}) == {option: sentence}


@pytest.mark.parametrize("value", [20, 100_000])
def test_the_least_and_the_most_limit_are_allowed(value):
    assert made({"limit": value}).limit == value


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            [("limit", 400)],
            ("options", "not_options", "Give the options as names with values."),
        ),
        (
            {"rounding": 5},
            ("rounding", "no_such_value", "“Rounding” is one of 10, 1."),
        ),
        (
            {7: 5},
            ("7", "unknown_option", f"There is no option “7”: choose from {', '.join(BY_ID)}."),
        ),
    ],
)
def test_a_refusal_has_a_code(options, problem):
    with pytest.raises(HandError) as error:
        made(options)
    assert [(refusal.field, refusal.code, refusal.message) for refusal in error.value.problems] == [
        problem
    ]


def test_every_wrong_option_is_named_at_once():
    assert set(refused({"limit": 1, "flowers": 1, "discarder": ""})) == {
        "limit",
        "flowers",
        "discarder",
    }


@pytest.mark.parametrize("options", [None, [], "limit", 7])
def test_options_are_names_with_values(options):
    assert "names with values" in refused(options)["options"]


def test_every_option_stands_in_the_rules():
    text = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()
    listed = re.findall(
        r"`(\w+)`", text.partition("Every rule set decides:")[2].partition("\n#")[0]
    )
    assert listed == [option.id for option in OPTIONS]


def test_every_option_is_explained_and_allows_its_default():
    for option in OPTIONS:
        assert option.allows(option.default), option.id
        assert option.explanation.endswith("."), option.id
