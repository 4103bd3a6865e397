"""The calculator by the rule books that ship: it asks what the book knows, and shows the book's card."""

import pytest
from django.urls import reverse

from tests.factories import ruleset_version

pytestmark = pytest.mark.django_db

URL = "/calculator/"
HAND = {"tiles": "222B* 345B 55B 222D GGG", "seat": "S", "prevailing": "E", "ruleset": "dmjl"}


@pytest.fixture(autouse=True)
def _club():
    ruleset_version("club")


def ask(client, status=200, url=URL, **fields):
    response = client.get(url, fields)
    assert response.status_code == status
    return response


def live(client, **fields):
    return ask(client, url=reverse("calculator_result"), **fields)


def test_the_card_of_the_book_is_shown_with_links_to_its_rules(client):
    asked = {"won_by": "robbing_kong", "winning_tile": "3B", "bonus": ["F1", "Y2"]}
    response = ask(client, **HAND, **asked, flags=["original_call"])
    card = response.context["result"].card
    assert (card["ruleset"], card["bonus"]) == ("dmjl", ["F1", "Y2"])
    rules = [line["rule"] for line in card["double_report"]]
    assert {"robbing_kong", "original_call"} <= set(rules)
    page = response.content.decode()
    for rule in rules:
        assert f'href="/rules/dmjl/#{rule}"' in page


def test_enough_bonus_tiles_need_no_others(client):
    flowers = {"bonus": ["F1", "F2", "F3", "F4", "Y1", "Y2", "Y3"], "won_by": "self_drawn"}
    asked = {"tiles": "", "seat": "S", "prevailing": "E", "ruleset": "hk"}
    assert ask(client, **asked, **flowers).context["result"].card["final"] == 8
    assert live(client, **asked, **flowers).context["result"].card["final"] == 8
    assert "Tap or type the tiles" in ask(client, 422, **asked, bonus=["F1"]).content.decode()


def test_the_form_asks_what_the_book_knows_and_keeps_what_was_entered(client):
    response = ask(client, **HAND, bonus=["F1"])
    form = response.context["form"]
    assert set(form.fields) >= {"won_by", "winning_tile", "bonus", "flags"}
    assert not {"self_drawn", "concealed", "value"} & set(form.fields)
    assert form["bonus"].value() == ["F1"]
    again = ask(client, ruleset="dmjl").context["form"]
    assert set(again.fields) == set(form.fields)


@pytest.mark.parametrize(
    ("ruleset", "limits", "worth"),
    [("club", True, "Each scores 500."), ("bmja", True, "· 1,000"), ("hk", False, "")],
)
def test_the_pad_has_the_limit_hands_of_the_chosen_rules(client, ruleset, limits, worth):
    for page in (ask(client, ruleset=ruleset), live(client, ruleset=ruleset, asked="dmjl")):
        text = page.content.decode()
        assert ("data-limit=" in text) is limits
        assert worth in text
        assert ("Big Three Dragons" in text) is (ruleset == "club")


def test_the_pad_stays_while_the_rules_do(client):
    assert "data-limit=" not in live(client, **HAND, asked="dmjl").content.decode()


def test_a_line_of_a_card_has_a_value_and_no_tiles(client):
    asked = {"ruleset": "card", "tiles": "222B 345B", "asked": "card"}
    assert live(client, **asked, value="25").context["result"].card["final"] == 25
    lacking = live(client, **asked).content.decode()
    assert "Enter the value of the line." in lacking
    assert "14 tiles" not in lacking
    assert "Enter the value of the line." in ask(client, ruleset="card").content.decode()


def test_the_clubs_own_rules_ask_what_they_did(client):
    form = ask(client).context["form"]
    assert [field.name for field in form.asked] == ["self_drawn", "concealed"]


def test_a_loser_has_a_score_without_winning(client):
    response = ask(client, **{**HAND, "tiles": "222B* 345B 55B"}, won_by="loser")
    assert response.context["result"].card["winning"] is False
    assert response.context["result"].card["final"] > 0


def test_a_hand_that_does_not_win_says_what_would(client):
    page = ask(client, **{**HAND, "tiles": "222B* 345B 55B 222D GG R"}).content.decode()
    assert "This is no hand that wins in DMJL" in page


def test_the_exchanges_lead_to_what_the_hand_then_scores(client):
    fields = {**HAND, "tiles": "2222C*# 345B 55B 222D GG R", "won_by": "self_drawn"}
    [*_, best] = reversed(ask(client, **fields).context["result"].near.exchanges)
    assert (best.given.code, best.taken.code) == ("R", "G")
    card = client.get(best.url).context["result"].card
    assert (card["final"], card["sets"][0]["kind"]) == (best.final, "kong")


def test_thirteen_tiles_wait(client):
    fields = {**HAND, "tiles": "222B* 345B 55B 222D GG", "won_by": "self_drawn"}
    [_two, five, green] = ask(client, **fields).context["result"].waiting.waits
    assert (five.tile.code, green.tile.code, green.left) == ("5B", "G", 2)
    assert client.get(green.url).context["result"].card["final"] == green.final


def test_a_hand_that_waits_for_too_little_says_so(client):
    fields = {**HAND, "tiles": "123B 456B* 789D 34C 55D", "ruleset": "hk"}
    assert "worth too little to declare" in ask(client, **fields).content.decode()


def test_a_whole_hand_worth_too_little_is_not_said_to_lack_a_tile(client):
    fields = {**HAND, "tiles": "123B 456B* 789D 234C 55D", "ruleset": "hk", "won_by": "discard"}
    page = ask(client, **fields).content.decode()
    assert "worth too little" in page
    assert "No single exchange would make it worth enough." in page


def test_the_tiles_of_a_card_line_are_not_asked(client):
    fields = {**HAND, "tiles": "222B* 345B 55B 222D GG", "ruleset": "card", "value": 25}
    response = client.get(URL, fields)
    assert response.context["result"].waiting is None
    assert "exchange" not in response.content.decode()


def test_an_unfinished_hand_is_no_mistake_yet(client):
    result = live(client, **{**HAND, "tiles": "222B* 345B"}).context["result"]
    assert "Still needed" in result.preview.todo


@pytest.mark.parametrize(
    ("field", "value"),
    [("won_by", "heavenly"), ("winning_tile", "9D"), ("bonus", "F9"), ("flags", "goulash")],
)
def test_what_the_book_does_not_know_is_told_at_its_field(client, field, value):
    response = ask(client, 422, **{**HAND, field: value})
    assert list(response.context["form"].errors) == [field]


def test_the_questions_change_only_with_the_rules(client):
    assert 'id="calculator-asked"' in live(client, **HAND).content.decode()
    assert 'id="calculator-asked"' not in live(client, **HAND, asked="dmjl").content.decode()
    back = live(client, **{**HAND, "ruleset": "club"}, asked="dmjl").content.decode()
    assert 'name="self_drawn"' in back


def test_watching_the_calculator_think_is_for_the_clubs_own_rules(client):
    response = client.get(reverse("calculator_think"), HAND)
    assert (response.status_code, response.url.partition("?")[0]) == (302, URL)
