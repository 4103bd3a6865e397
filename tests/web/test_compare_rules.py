"""Two versions of rules, line by line, and the form that makes a new one."""

from dataclasses import fields

import pytest
from django.urls import reverse

from scoring.evaluator.books.book import UNITS, Counting, Deal, SettlementRules
from scoring.evaluator.books.loader import as_data, load, on_top, whole
from scoring.evaluator.books.parts import FORM, PATTERN, SET
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.models import RuleSetVersion
from scoring.services.rulesets import add_book
from scoring.variants.book_rules import BookTableRules
from scoring.web.rules.comparison import compare
from scoring.web.rules.draft_changes import LABELS, TABLES, rule_changes
from tests.factories import make_league, make_member, make_organiser
from tests.support.pages import text

pytestmark = pytest.mark.django_db


class TestComparing:
    def test_comparing_rules_says_which_options_differ_and_what_comes_of_it(self):
        comparison = compare(OptionTableRules(CLUB), OptionTableRules(BOOK))
        assert {line.name for line in comparison.options if line.differs} == {
            "Interpretation",
            "Consistency",
        }
        finals = {" ".join(line.hand): (line.one, line.other) for line in comparison.hands}
        assert finals["222B 345B 666B 777B 88B"] == (500, 60)
        assert finals["111222333B 789B 99C"] == (80, 40)
        assert comparison.payments == []

    def test_comparing_rules_names_the_payments_that_differ(self):
        comparison = compare(
            OptionTableRules(CLUB), OptionTableRules(RuleSet(slug="all", discarder="pays_for_all"))
        )
        assert [(line.one, line.other) for line in comparison.payments] == [
            ((-160, 320, -80, -80), (-320, 320, 0, 0)),
            ((-160, 320, -80, -80), (0, 320, -320, 0)),
            ((480, -160, -160, -160), (480, -480, 0, 0)),
        ]
        assert comparison.hands == []

    def test_comparing_rules_says_that_losers_settle_in_one_only(self):
        bmja = BookTableRules(load("bmja"))
        lines = compare(bmja, OptionTableRules(BOOK)).payments
        assert any("West’s hand has 16" in line.words for line in lines)

    def test_comparing_rules_finds_no_difference_between_equal_rules(self):
        comparison = compare(OptionTableRules(CLUB), OptionTableRules(CLUB))
        assert not comparison.differs
        assert (comparison.hands, comparison.payments) == ([], [])


DMJL = whole(as_data("dmjl"))


def changes_of(**changes):
    changed = on_top(DMJL, changes)
    return {(one.name, one.before, one.after) for one in rule_changes(DMJL, changed)}


class TestTwoBooks:
    @pytest.mark.parametrize(
        ("changes", "line"),
        [
            ({"bonus": False}, ("Flowers and seasons count", "yes", "no")),
            ({"losers_score": False}, ("The losers’ hands score, too", "yes", "no")),
            ({"counting": {"best": False}}, ("The best arrangement of the tiles counts", "yes", "no")),
            ({"counting": {"limit": 1000}}, ("Limit, in points (0: none)", "500", "1,000")),
            ({"deal": {"rounds": 1}}, ("Rounds of a game, one to four", "4", "1")),
            (
                {"settlement": {"liability": False}},
                ("A player may have to pay for everybody", "yes", "no"),
            ),
            (
                {"pattern": [{"id": "no_chow", "for_minimum": False}]},
                ("No chow – Helps to reach the minimum", "yes", "no"),
            ),
            ({"circumstances": ["riichi"]}, ("The table may say: riichi", "no", "yes")),
        ],
    )  # fmt: skip
    def test_two_books_differ_in_all_that_is_played(self, changes, line):
        assert line in changes_of(**changes)

    def test_two_books_with_the_same_play_do_not_differ_by_their_words(self):
        pattern = {"id": "no_chow", "name": "Chowless", "explanation": "No chow at all.", "has": []}
        assert changes_of(name="Ours", pattern=[pattern]) == set()

    def test_two_books_of_two_kinds_say_how_their_scores_come_about(self):
        card = whole(as_data("card"))
        names = [one.name for one in rule_changes(DMJL, card)]
        assert "From points to score" in names

    def test_two_books_have_a_name_for_everything(self):
        tables = {"counting": Counting, "settlement": SettlementRules, "deal": Deal}
        for key, kind in tables.items():
            assert {one.name for one in fields(kind)} - {"kind"} == set(TABLES[key])
        shown_otherwise = {"id", "line", "source", "off", "open", "has_open", *UNITS}
        assert {*PATTERN, *FORM, *SET} - shown_otherwise == set(LABELS)


class TestThePage:
    URL = "/rules/compare/"

    def test_the_page_that_compares_rules_tells_what_two_versions_of_a_book_play_otherwise(
        self, client
    ):
        organiser = make_organiser()
        add_book(DMJL, by=organiser)
        add_book(on_top(DMJL, {"counting": {"roof": False}}), by=organiser)
        page = text(client.get(self.URL, {"one": "dmjl:1", "other": "dmjl:2"}))
        assert "The limit is the highest score of every hand" in page
        assert "a choice of house options" not in page
        page = text(client.get(self.URL, {"one": "dmjl:1", "other": "club:1"}))
        assert "a choice of house options" in page

    def test_the_page_that_compares_rules_shows_club_and_book_at_first(self, client):
        response = client.get(self.URL)
        assert (response.context["one"].ruleset.slug, response.context["other"].ruleset.slug) == (
            "club",
            "book",
        )
        assert "differs" in text(response)

    def test_the_page_that_compares_rules_shows_what_is_chosen(self, client):
        response = client.get(self.URL, {"one": "book:1", "other": "book:1"})
        assert "No differences." in text(response)

    @pytest.mark.parametrize("name", ["club:9", "none:1", "club", "x"])
    def test_a_comparison_of_what_is_not_there_is_not_found(self, client, name):
        assert client.get(self.URL, {"one": name}).status_code == 404


class TestANewVersion:
    URL = "/rules/club/new/"

    @pytest.fixture
    def organiser(self, client):
        organiser = make_organiser()
        client.force_login(organiser)
        return organiser

    def chosen(self, **changed):
        options = CLUB.options() | changed
        return {name: value for name, value in options.items() if value is not False}

    def test_a_new_version_starts_from_the_newest(self, client, organiser):
        form = client.get(self.URL).context["form"]
        assert form.initial == CLUB.options()

    def test_a_new_version_is_tried_before_it_is_made(self, client, organiser):
        response = client.post(self.URL, self.chosen(limit=300) | {"try": "1"})
        assert response.status_code == 200
        assert {(line.one, line.other) for line in response.context["comparison"].hands} == {
            (500, 300),
            (420, 300),
        }
        assert RuleSetVersion.objects.filter(ruleset__slug="club").count() == 1

    def test_a_new_version_is_tried_while_one_chooses(self, client, organiser):
        response = client.post(self.URL, self.chosen(rounding=1), headers={"HX-Request": "true"})
        page = text(response)
        assert "Hands that score differently" in page
        assert "<html" not in page

    def test_a_new_version_is_made_and_leagues_keep_theirs(self, client, organiser):
        league = make_league()
        response = client.post(
            self.URL, self.chosen(dealer_doubles=False, discarder="double") | {"save": "1"}
        )
        assert response.url == "/rules/club/"
        version = RuleSetVersion.objects.get(ruleset__slug="club", number=2)
        assert version.rules.options() == CLUB.options() | {
            "dealer_doubles": False,
            "discarder": "double",
        }
        assert version.created_by == organiser
        league.refresh_from_db()
        assert league.ruleset_version.number == 1
        assert "Version 2 of Club is published." in text(client.get(response.url))

    def test_a_new_version_that_changes_nothing_is_refused(self, client, organiser):
        response = client.post(self.URL, self.chosen() | {"save": "1"})
        assert response.status_code == 422
        assert "Nothing is changed" in text(response)

    @pytest.mark.parametrize(
        ("changed", "field"),
        [({"limit": 5}, "limit"), ({"limit": ""}, "limit"), ({"discarder": "x"}, "discarder")],
    )
    def test_a_new_version_that_cannot_be_is_refused_at_its_option(
        self, client, organiser, changed, field
    ):
        response = client.post(self.URL, self.chosen(**changed) | {"save": "1"})
        assert response.status_code == 422
        assert list(response.context["form"].errors) == [field]
        assert RuleSetVersion.objects.filter(ruleset__slug="club").count() == 1

    def test_a_new_version_is_for_organisers(self, client):
        assert client.get(self.URL).status_code == 302
        client.force_login(make_member())
        assert client.get(self.URL).status_code == 403
        assert reverse("new_rules", args=["club"]) not in text(client.get("/rules/club/"))

    def test_a_new_version_is_offered_on_the_rules_page(self, client, organiser):
        page = text(client.get("/rules/club/"))
        assert reverse("new_rules", args=["club"]) in page
        assert reverse("compare_rules") in page

    def test_a_new_version_of_no_rule_set_is_not_found(self, client, organiser):
        assert client.get("/rules/none/new/").status_code == 404
