"""``rulesets/``: the options of every version."""

import pytest

from scoring.api.rulesets.serializers import OptionsSerializer
from scoring.evaluator.books.loader import as_data, shipped, whole
from scoring.evaluator.rules import BOOK, CLUB, DOUBLE_RULES, LIMIT_RULES
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.rulesets import install_rulesets

pytestmark = pytest.mark.django_db

URL = "/api/v1/rulesets/"


@pytest.fixture(autouse=True)
def _rulesets():
    install_rulesets()


def test_club_and_book_are_listed_with_their_options(visitor):
    book, club, *others = visitor.get(URL).json()["results"]
    assert (book["leagues"], club["leagues"]) == (True, True)
    assert not any(other["leagues"] for other in others)
    assert (book["slug"], book["options"]) == ("book", BOOK.options())
    assert (club["slug"], club["options"]) == ("club", CLUB.options())


def test_the_schema_names_every_option():
    assert set(OptionsSerializer().fields) == set(CLUB.options())


def test_a_rule_set_shows_the_newest_version_and_all(visitor):
    club = RuleSet.objects.get(slug="club")
    RuleSetVersion.objects.create(ruleset=club, number=2, options={"limit": 1000})
    answer = visitor.get(f"{URL}club/").json()
    assert (answer["name"], answer["version"], answer["options"]["limit"]) == ("Club", 2, 1000)
    assert [version["version"] for version in answer["versions"]] == [2, 1]
    assert [version["options"]["limit"] for version in answer["versions"]] == [1000, 500]


def test_the_books_that_ship_are_listed_after_them_page_by_page(visitor):
    found, url = [], f"{URL}?page_size=3"
    while url:
        page = visitor.get(url).json()
        found += [ruleset["slug"] for ruleset in page["results"]]
        url = page["next"]
    assert len(found) == page["count"]
    assert set(found) == set(shipped())
    assert found[:2] == ["book", "club"]


@pytest.mark.parametrize("slug", shipped())
def test_each_book_is_given_as_data(visitor, slug):
    answer = visitor.get(f"{URL}{slug}/").json()
    assert answer["book"] == _as_played(whole(as_data(slug)), answer["options"] or {})
    assert answer["leagues"] is (slug in ("club", "book"))
    assert (answer["options"] is None) is not answer["leagues"]


def _as_played(book, options):
    """``book`` without the patterns that the options leave out."""
    patterns = [one for one in book["pattern"] if options.get(one.get("option", ""), True)]
    return {**book, "pattern": patterns}


def test_a_pattern_is_listed_only_where_its_option_is_on(visitor):
    def patterns():
        return [entry["id"] for entry in visitor.get(f"{URL}club/").json()["book"]["pattern"]]

    assert "all_green" not in patterns()
    club = RuleSet.objects.get(slug="club")
    RuleSetVersion.objects.create(ruleset=club, number=2, options={"all_green": True})
    assert "all_green" in patterns()


def test_a_rule_set_made_of_options_has_no_book(visitor):
    ruleset = RuleSet.objects.create(slug="strict", name="Strict")
    RuleSetVersion.objects.create(ruleset=ruleset, number=1, options={"limit": 50})
    assert visitor.get(f"{URL}strict/").json()["book"] is None


@pytest.mark.parametrize("all_green", [True, False])
def test_what_a_rule_set_made_of_options_plays_is_listed(visitor, all_green):
    ruleset = RuleSet.objects.create(slug="greens", name="Greens")
    RuleSetVersion.objects.create(ruleset=ruleset, number=1, options={"all_green": all_green})
    patterns = {one["id"]: one for one in visitor.get(f"{URL}greens/").json()["patterns"]}
    assert ("all_green" in patterns) is all_green
    assert patterns["groups"]["name"] == "Only pungs and kongs"
    assert set(patterns) >= {rule.id for rule in (*DOUBLE_RULES[:3], *LIMIT_RULES)}


def test_what_a_book_plays_is_listed_as_in_its_data(visitor):
    answer = visitor.get(f"{URL}dmjl/").json()
    assert answer["patterns"] == answer["book"]["pattern"]


def test_a_stored_rule_set_takes_the_place_of_a_book_in_the_list(visitor):
    ruleset = RuleSet.objects.create(slug="dmjl", name="Ours")
    RuleSetVersion.objects.create(ruleset=ruleset, number=1, options={"limit": 50})
    assert visitor.get(f"{URL}dmjl/").json()["name"] == "Ours"
    listed = [one["slug"] for one in visitor.get(URL).json()["results"]]
    assert listed.count("dmjl") == 1


def test_an_unknown_rule_set_is_not_found(visitor):
    assert visitor.get(f"{URL}nothing/").status_code == 404


def test_a_version_that_came_in_between_is_a_conflict(organiser):
    ours = {**as_data("dmjl"), "slug": "ours", "name": "Ours"}
    first, second, third = (
        organiser.post(URL, {"book": {**ours, "edition": edition}, **seen}, format="json")
        for edition, seen in (("A", {}), ("B", {"seen": 1}), ("C", {"seen": 1}))
    )
    assert (first.status_code, second.status_code, third.status_code) == (201, 201, 409)
    assert third.json()["version"] == 2
    assert third.json()["type"].endswith("newer-version")
    assert RuleSetVersion.objects.filter(ruleset__slug="ours").count() == 2
