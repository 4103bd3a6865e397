"""The API's sentences in the caller's language; everything that programs read stays as it is."""

import pytest

pytestmark = pytest.mark.django_db

DUTCH = {"HTTP_ACCEPT_LANGUAGE": "nl"}
HAND = {"seat": "S", "prevailing": "E"}


def score(visitor, tiles, **language):
    return visitor.post("/api/v1/score/", {"tiles": tiles, **HAND}, **language)


def test_a_problem_is_told_in_dutch_under_the_same_code(visitor):
    english = score(visitor, "22222B 345B 55B 22D GG").json()
    dutch = score(visitor, "22222B 345B 55B 22D GG", **DUTCH).json()
    assert english["errors"][0]["message"] == "Five 2 of Bamboo: a wall has four."
    assert dutch["errors"][0]["message"] == "Vijf keer Bamboe 2: een muur heeft er vier."
    for response in (english, dutch):
        del response["errors"][0]["message"]
        del response["detail"]
    assert english.pop("title") != dutch.pop("title")
    assert english == dutch


def test_a_scorecard_differs_by_its_labels_only(visitor):
    english = score(visitor, "222B 345B 55B 222D GGG").json()
    dutch = score(visitor, "222B 345B 55B 222D GGG", **DUTCH).json()
    assert dutch["point_report"][1]["label"] == "Pung: Bamboe 2"
    for card in (english, dutch):
        for line in [*card["point_report"], *card["double_report"]]:
            del line["label"]
    assert english == dutch


def test_the_api_says_in_dutch_why_a_hand_does_not_win(visitor):
    assert (
        score(visitor, "222B 345B 55B 222D GG9C", **DUTCH)
        .json()["why"]
        .startswith("Deze hand wint niet.")
    )


def test_an_answer_says_that_it_varies_by_language(visitor):
    assert "Accept-Language" in score(visitor, "GGG")["Vary"]


def test_a_refusal_of_the_framework_is_translated(visitor):
    refused = visitor.post("/api/v1/games/", {}, **DUTCH).json()
    assert refused["status"] == 401
    assert refused["detail"] == "Dit is voor leden: log in of stuur een token mee."
