"""``rulesets/``: the options of every version."""

import pytest

from scoring.api.rulesets.serializers import OptionsSerializer
from scoring.evaluator.rules import BOOK, CLUB
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.rulesets import install_rulesets

pytestmark = pytest.mark.django_db

URL = "/api/v1/rulesets/"


@pytest.fixture(autouse=True)
def _rulesets():
    install_rulesets()


def test_both_rule_sets_are_listed_with_their_options(visitor):
    book, club = visitor.get(URL).json()["results"]
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
