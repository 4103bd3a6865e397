"""The house rules of docs/house-rules.md, entered on the page of the workshop: no code, no text."""

import pytest

from scoring.evaluator.books.loader import read
from scoring.models import RuleSetVersion
from tests.evaluator.books.test_house_rules import BOOKS as RECIPES
from tests.factories import make_organiser
from tests.web.test_workshop import sent

pytestmark = pytest.mark.django_db

CHOWS = "123B 456B 777D EEE RR; last=7D; won_by=discard"
SEASONS = "234B 456B 777D 333C 55C; last=7D; won_by=discard; seat=S; bonus="


def own(place, name, when, worth, has, nearly, **more):
    """A hand of one's own, as the inputs of its place say it."""
    value, unit = worth
    fields = {
        "name": name,
        "when": when,
        "value": value,
        "unit": unit,
        "has": has,
        "nearly": nearly,
    }
    return {f"own-{place}-{key}": one for key, one in {**fields, **more}.items()}


# What is entered for each, by the short name of the recipe.
ENTERED = {
    "seven_pairs": {"counting-limit": "1000"} | own(
        0, "Seven pairs of two suits", "suits == 2 and honors == 0", ("100", "limit"),
        "1133557799B 2244D; last=4D; won_by=self_drawn",
        "111222333B 44455D; last=5D; won_by=self_drawn", kind="pairs", concealed="1"),
    "round_wind_twice": {"p-round_wind-value": "2"},
    "clean_hands": {"f-four_sets-when": "suits <= 1"} | own(
        0, "Clean hand", "form(four_sets)", ("0", "points"),
        "123B 456B 777B EEE RR; last=7B; won_by=discard", CHOWS),
    "one_chow": {"f-four_sets-when": "chows <= 1"} | own(
        0, "Wins with one chow", "chows == 1", ("0", "points"),
        "123B 444B 777D EEE RR; last=7D; won_by=discard", CHOWS),
    "goulash": {"know-goulash": "1", "f-four_sets-when": "not goulash or chows == 0"} | own(
        0, "Goulash won", "goulash", ("1", "doubles"),
        "222B 444B 777D EEE RR; last=7D; won_by=discard; flags=goulash",
        "222B 456B 777D EEE RR; last=7D; won_by=discard; flags=goulash\n"
        "222B 456B 777D EEE RR; last=7D; won_by=discard"),
    "one_double": {"counting-minimum": "1"},
    "three_concealed_twice": {"p-three_concealed-value": "2"},
    "no_roof": {"counting-roof": None},
    "all_simples": own(
        0, "All simples", "every(simple)", ("1", "doubles"),
        "234B 456B 777D 333C 55C; last=7D; won_by=discard",
        "123B 456B 777D 333C 55C; last=7D; won_by=discard"),
    "drawn_pungs": {"p-buried_treasure-value": "50"},
    "discarder_double": {
        "book-losers_score": None, "settlement-discarder": "double", "settlement-losers_settle": None,
    },
    "wind_run": own(
        0, "Run of the winds", "", ("100", "limit"),
        "123456789C E S W N N; last=N; won_by=self_drawn",
        "123456789C E E E N N; last=N; won_by=self_drawn",
        kind="tiles", tiles="123456789B ESWN", again="1", concealed="1"),
    "own_bonus": {"p-own_flower_and_season-on": None, "own-count": "2"}
    | own(0, "Own flower", "own_flower", ("1", "doubles"), SEASONS + "F2", SEASONS + "F1", who="all")
    | own(1, "Own season", "own_season", ("1", "doubles"), SEASONS + "Y2", SEASONS + "F2", who="all"),
}  # fmt: skip


def test_each_recipe_is_entered():
    assert {read(text).slug for text in RECIPES.values()} == set(ENTERED)
    assert len(ENTERED) >= 12


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda text: read(text).slug)
def test_a_house_rule_entered_on_the_page_is_the_same_book(client, recipe):
    book = read(recipe)
    client.force_login(make_organiser())
    form = sent(client, "dmjl", name=book.name, publish="1", **ENTERED[book.slug])
    response = client.post("/rules/dmjl/new/", form)
    assert response.status_code == 302, response.context["summary"]
    entered = RuleSetVersion.objects.latest("pk").table_rules.book
    assert (entered.counting, entered.settlement) == (book.counting, book.settlement)
    assert (entered.circumstances, entered.losers_score) == (book.circumstances, book.losers_score)
    assert worth(entered) == worth(book)
    assert [(one.kind, one.tiles, one.again, one.concealed) for one in entered.forms] == [
        (one.kind, one.tiles, one.again, one.concealed) for one in book.forms
    ]


def worth(book):
    """Each pattern by its name: what it is worth, to whom, on which condition."""
    return {
        pattern.name: (pattern.unit, pattern.value.text, pattern.who, condition(pattern))
        for pattern in book.patterns
    }


def condition(pattern):
    """Forms of one's own are named after their hand: what they ask is compared by the forms."""
    text = pattern.times.text
    return "" if "form(" in text else text
