"""``POST rulesets/``, ``POST leagues/``, ``PATCH leagues/{slug}/``: organisers set up a league by API."""

import pytest

from scoring.models import AuditEntry, League, RuleSet
from scoring.services.rulesets import install_rulesets

pytestmark = pytest.mark.django_db

RULESETS, LEAGUES = "/api/v1/rulesets/", "/api/v1/leagues/"
OURS = """
base = "dmjl"
slug = "ours"
name = "Ours"

[[pattern]]
id = "all_simples"
name = "All simples"
when = "every(simple)"
doubles = 1
has = ["234B 456B 777D 333C 55C; last=7D; won_by=discard"]
nearly = ["123B 456B 777D 333C 55C; last=7D; won_by=discard"]
"""


@pytest.fixture(autouse=True)
def _rulesets():
    install_rulesets()


def errors(response):
    assert response.status_code == 400, response.json()
    return {error["field"]: error["message"] for error in response.json()["errors"]}


def test_a_book_is_taken_in_and_a_league_plays_by_it(organiser):
    taken = organiser.post(RULESETS, {"book": OURS})
    assert taken.status_code == 201
    answer = taken.json()
    assert (answer["slug"], answer["version"], answer["leagues"]) == ("ours", 1, True)
    changed = organiser.post(RULESETS, {"book": {**answer["book"], "name": "Ours, again"}})
    assert changed.json()["version"] == 2
    league = organiser.post(
        LEAGUES, {"name": "Spring", "slug": "spring", "ruleset": "ours:1", "ends_on": "2099-01-01"}
    )
    assert league.status_code == 201
    assert (league.json()["ruleset"], league.json()["ruleset_version"]) == ("ours", 1)
    later = organiser.patch(f"{LEAGUES}spring/", {"ruleset": "ours", "hours_to_answer": None})
    assert (later.json()["ruleset_version"], later.json()["name"]) == (2, "Spring")
    calls = AuditEntry.objects.values_list("action", flat=True)
    assert {"add_ruleset", "add_version", "add_league", "change_league"} <= set(calls)


def test_a_new_league_may_play_by_a_book_that_ships_or_by_the_usual_rules(organiser):
    usual = organiser.post(LEAGUES, {"name": "Spring", "slug": "spring"}).json()
    assert (usual["ruleset"], usual["visibility"]) == ("club", "public")
    dmjl = {"name": "Autumn", "slug": "autumn", "ruleset": "dmjl"}
    assert organiser.post(LEAGUES, dmjl).json()["ruleset"] == "dmjl"
    assert RuleSet.objects.filter(slug="dmjl").exists()


@pytest.mark.parametrize(
    ("book", "field", "sentence"),
    [
        (
            OURS.replace("every(simple)", "every(simpel)"),
            "book.pattern all_simples: when",
            "Line 9",
        ),
        (
            OURS.split("has =", maxsplit=1)[0],
            "book.pattern all_simples: has",
            "needs a hand that has it",
        ),
        (7, "book", "TOML"),
    ],
)
def test_a_bad_book_is_refused_at_its_place_and_nothing_is_stored(organiser, book, field, sentence):
    found = errors(organiser.post(RULESETS, {"book": book}))
    assert sentence in found[field]
    assert not RuleSet.objects.filter(slug="ours").exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"slug": "spring"}, "name"),
        ({"name": "Spring", "slug": "new"}, "slug"),
        ({"name": "Spring", "slug": "spring", "ruleset": "nothing"}, "ruleset"),
        ({"name": "Spring", "slug": "spring", "hours_to_answer": 0}, "hours_to_answer"),
        ({"name": "Spring", "slug": "spring", "colour": "red"}, "colour"),
    ],
)
def test_a_bad_league_is_refused_at_its_field(organiser, body, field):
    assert field in errors(organiser.post(LEAGUES, body))
    assert not League.objects.exists()
