"""The rules in words: every rule has its anchor, every example is what it says, versions stay."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from scoring.evaluator.rules import (
    BOOK,
    CLUB,
    CONSISTENCY_RULES,
    DOUBLE_RULES,
    LIMIT_RULES,
    OPTIONS,
    POINT_RULES,
    RuleSet,
)
from scoring.evaluator.scorecard import score
from scoring.web.rules import rulebook
from scoring.web.rules.rulebook import HANDS, SELF_DRAWN, SETS, rulebook_of
from tests.factories import ruleset_version

pytestmark = pytest.mark.django_db

RULES = (*POINT_RULES, *DOUBLE_RULES, *CONSISTENCY_RULES, *LIMIT_RULES)
EVERYTHING = [*HANDS.values(), "EEE 1111B 345C SS 678D", "222B 345B 55B 222D 234D"]


@pytest.fixture
def club():
    return ruleset_version("club")


def shown(client, slug="club", status=200, **query):
    response = client.get(reverse("rules", args=[slug]), query)
    assert response.status_code == status
    return " ".join(response.content.decode().split())


def newer(version, **options):
    """The next version of the same rule set, with other options."""
    version.pk, version.number = None, version.number + 1
    version.options = {**version.options, **options}
    version.__dict__.pop("rules", None)
    version.save()
    return version


class TestAnchors:
    @pytest.mark.parametrize("slug", ["club", "book"])
    def test_every_rule_that_is_played_stands_on_the_page_once(self, client, club, slug):
        page = shown(client, slug)
        for rule in RULES:
            played = not getattr(rule, "option", "")
            assert page.count(f'id="{rule.id}"') == played, rule.id
            assert not played or rule.name in page

    def test_a_rule_of_an_option_stands_on_the_page_where_the_option_is_on(self, client, club):
        newer(club, all_green=True)
        page = shown(client)
        assert page.count('id="all_green"') == 1
        assert "Only 2, 3, 4, 6 and 8 of bamboo, and green dragons." in page
        assert 'id="all_green"' not in shown(client, version=1)

    @pytest.mark.parametrize("tiles", EVERYTHING)
    def test_every_line_of_a_scorecard_leads_somewhere(self, client, club, tiles):
        card = score(tiles, "S", "E").as_dict()
        lines = [line["rule"] for line in card["point_report"] + card["double_report"]]
        page = shown(client)
        for rule in [*lines, *card["limits"]]:
            assert f'id="{rule}"' in page

    def test_the_contents_lead_to_sections_of_the_page(self, client, club):
        page = shown(client)
        targets = set(re.findall(r'href="#([^"]+)"', page))
        assert len(targets) > 9
        assert [target for target in targets if f'id="{target}"' not in page] == []


class TestExamples:
    @pytest.mark.parametrize("base", [CLUB, BOOK], ids=lambda rules: rules.slug)
    @pytest.mark.parametrize(("rule", "tiles"), HANDS.items(), ids=HANDS)
    def test_a_hand_has_the_rule_that_it_explains(self, base, rule, tiles):
        every = {option.id: True for option in OPTIONS if option.default is False}
        rules = replace(base, slug="everything", **every)
        card = score(tiles, "S", "E", rules=rules, self_drawn=rule in SELF_DRAWN).as_dict()
        assert rule in [line["rule"] for line in card["double_report"]] + card["limits"]

    def test_every_double_and_limit_hand_has_an_example(self):
        explained = {rule.id for rule in (*DOUBLE_RULES, *CONSISTENCY_RULES, *LIMIT_RULES)}
        assert set(HANDS) == explained
        assert set(SETS) <= {rule.id for rule in POINT_RULES}

    def test_an_example_that_is_self_drawn_says_so(self, client, club, monkeypatch):
        monkeypatch.setattr(rulebook, "SELF_DRAWN", {"one_suit"})
        page = shown(client)
        assert page.count("self-drawn</span></p>") == 1

    def test_examples_of_sets_show_what_they_are_worth(self):
        points = {entry.id: entry for entry in rulebook_of(CLUB).points}
        assert points["pung"].worth == "4 or 8"
        assert points["kong"].sets == [("5555C", 16), ("1111B", 32), ("NNNN", 32)]
        assert points["pair_double_wind"].worth == "4"
        for rule in ("pair_dragons", "pair_own_wind", "pair_prevailing_wind"):
            assert points[rule].worth == "2"

    def test_the_hand_of_the_book_is_worked_out_line_by_line(self, client, club):
        page = shown(client)
        assert "Rounded to the nearest 10 <strong>70</strong>" in page
        worked = rulebook_of(CLUB).worked
        assert client.get(worked.url).context["result"].card["final"] == 70


class TestPayments:
    def paid(self, rules):
        return [
            (case.words, [share.amount for share in case.shares])
            for case in rulebook_of(rules).settlements
        ]

    def test_payments_of_80_are_shown_where_the_dealer_pays_double(self, client, club):
        assert self.paid(CLUB) == [
            ("South wins", [-160, 320, -80, -80]),
            ("East wins", [480, -160, -160, -160]),
        ]
        assert "+480" in shown(client)

    def test_examples_of_payments_are_shown_where_the_discarder_matters(self):
        rules = RuleSet(discarder="pays_for_all")
        assert self.paid(rules) == [
            ("South wins, self-drawn", [-160, 320, -80, -80]),
            ("South wins, on East’s discard", [-320, 320, 0, 0]),
            ("South wins, on West’s discard", [0, 320, -320, 0]),
            ("East wins, self-drawn", [480, -160, -160, -160]),
            ("East wins, on South’s discard", [480, -480, 0, 0]),
        ]

    def test_examples_of_payments_are_shown_where_the_dealer_pays_like_everybody(
        self, client, club
    ):
        newer(club, dealer_doubles=False)
        page = shown(client)
        assert "The dealer pays and is paid like everybody else." in page
        assert "+480" not in page


class TestOptions:
    def test_each_is_explained_with_what_these_rules_decide(self, client, club):
        page = shown(client)
        for option in OPTIONS:
            assert option.name in page
            assert str(option.explanation).replace("'", "&#x27;") in page
        assert "<strong>500</strong>" in page

    def test_what_is_not_the_usual_is_marked(self, client, club):
        assert "house variation" not in shown(client)
        assert shown(client, "book").count("house variation") == 2

    def test_options_change_the_words_of_the_rules_page(self, client, club):
        newer(
            club,
            limit=300,
            rounding=1,
            straights=["same_rank_chows"],
            dealer_stays_on_win=False,
            dealer_stays_on_draw=False,
        )
        page = shown(client)
        assert "These score 300, whatever their points." in page
        assert "300 points" in page
        assert "nothing is rounded" in page
        assert "also earned by: the same chow in all three suits" in page
        assert "After every hand the deal passes on" in page

    def test_the_rules_page_says_which_reading_and_which_consistency_double_counts(
        self, client, club
    ):
        assert "the reading with the highest final score counts" in shown(client)
        page = shown(client, "book")
        assert "the first reading counts" in page
        assert "the first, in this order, that it meets" in page


class TestVersions:
    def test_the_newest_is_shown(self, client, club):
        newer(club, limit=1000)
        page = shown(client)
        assert "Version 2, of" in page
        assert "These score 1,000" in page
        assert "older version" not in page

    def test_an_older_version_of_the_rules_stays_readable_and_says_so(self, client, club):
        newer(club, limit=1000)
        page = shown(client, version=1)
        assert "Version 1, of" in page
        assert "These score 500" in page
        assert "This is an older version. The newest is number 2:" in page

    @pytest.mark.parametrize("number", ["2", "0", "-1", "one", "", "1.0", "１"])
    def test_a_version_of_the_rules_that_never_was_is_not_found(self, client, club, number):
        shown(client, version=number, status=404)

    def test_all_versions_of_the_rules_are_listed(self, client, club):
        newer(club, limit=1000)
        page = shown(client)
        for number in (1, 2):
            assert f"?version={number}" in page


class TestIndex:
    def test_the_index_of_rules_leads_to_every_rule_set(self, client, club):
        page = client.get(reverse("rules_index")).content.decode()
        for slug in ("club", "book"):
            assert f'href="{reverse("rules", args=[slug])}"' in page

    def test_unknown_rules_have_no_page(self, client, club):
        shown(client, "chess", status=404)


@pytest.mark.parametrize("versions", [1, 3])
def test_the_rules_page_costs_a_fixed_number_of_queries(
    client, club, versions, django_assert_num_queries
):
    for number in range(1, versions):
        newer(club, limit=500 + number)
    with django_assert_num_queries(2):
        shown(client)
    with django_assert_num_queries(2):
        client.get(reverse("rules_index"))
