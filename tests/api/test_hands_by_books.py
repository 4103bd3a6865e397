"""Hands of a league that plays by a rule book: all that it asks goes in, and comes out as on the page."""

import pytest

from scoring.models import Hand
from scoring.services.rulesets import shipped_version
from tests.api.callers import caller
from tests.factories import make_game, make_league, make_member, make_organiser, make_player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("all_adds_up")]

TILES = "222B* 345B 55B 222D GGG"


@pytest.fixture
def table():
    """Makes a game by the book of a slug, and who calls for its first player."""

    def table(slug):
        version = shipped_version(slug, by=make_organiser())
        game = make_game(league=make_league(ruleset_version=version))
        return game, caller(make_member(player=game.players[0]))

    return table


def entry(game, **entered):
    players = [player.pk for player in game.players]
    win = {"number": 1, "outcome": "win", "winner": players[1], "discarder": players[0]}
    return {**win, "tiles": TILES, **entered}


def test_a_classical_hand_goes_in_and_comes_out(table):
    game, player = table("dmjl")
    third, fourth = game.players[2].pk, game.players[3].pk
    entered = {"won_by": "robbing_kong", "winning_tile": "3B", "bonus": ["F1", "Y2"]}
    others = [
        {"player": third, "tiles": "RRR* 5C", "bonus": "F3"},
        {"player": fourth, "claimed": 24},
    ]
    sent = entry(game, **entered, flags=["original_call"], others=others)
    posted = player.post(f"/api/v1/games/{game.pk}/hands/", sent)
    assert posted.status_code == 201, posted.json()
    answer = player.get(f"/api/v1/hands/{posted.json()['id']}/").json()
    assert {name: answer[name] for name in entered} == entered
    assert answer["flags"] == ["original_call"]
    assert [(other["player"], other["final"]) for other in answer["others"]] == [
        (third, 16),
        (fourth, 24),
    ]
    assert set(answer["scorecards"]) == {str(answer["winner"]), str(third)}
    assert answer["scorecards"][str(third)]["final"] == 16
    assert sum(payment["amount"] for payment in answer["payments"]) == 0
    page = player.get(f"/hands/{answer['id']}/").content.decode()
    assert f'<strong class="final__figure">{answer["scorecard"]["final"]}</strong>' in page


def test_a_hong_kong_hand_says_who_is_liable(table):
    game, player = table("hk")
    liable = game.players[3].pk
    entered = {"tiles": "222B 3333B# 55B 222D GGG", "discarder": None, "won_by": "replacement"}
    sent = entry(game, **entered, liable=liable)
    answer = player.post(f"/api/v1/games/{game.pk}/hands/", sent).json()
    assert (answer["liable"], answer["won_by"], answer["self_drawn"]) == (
        liable,
        "replacement",
        True,
    )
    assert {line["rule"] for line in answer["scorecard"]["faan_report"]} >= {"replacement"}


def test_a_hand_that_no_claimed_tile_gives_its_score_is_refused_by_name(table):
    game, player = table("dmjl")
    sent = entry(game, tiles="222B 345B 555D 222D NN")
    answer = player.post(f"/api/v1/games/{game.pk}/hands/", sent)
    assert answer.status_code == 400
    [refusal] = answer.json()["errors"]
    assert (refusal["field"], refusal["code"]) == ("winning_tile", "required")


@pytest.mark.parametrize("slug", ["dmjl", "bmja", "cc"])
def test_a_classical_hand_says_who_played_a_dangerous_game(table, slug):
    game, player = table(slug)
    west = game.players[2].pk
    entered = {"tiles": "222B 333B* 55B 222D GGG", "winning_tile": "G", "discarder": west}
    answer = player.post(f"/api/v1/games/{game.pk}/hands/", entry(game, **entered, liable=west))
    assert answer.status_code == 201, answer.content
    final = answer.json()["scorecard"]["final"]
    paid = sorted(payment["amount"] for payment in answer.json()["payments"])
    assert answer.json()["liable"] == west
    assert paid in ([-4 * final, 0, 0, 4 * final], [-6 * final, 0, 0, 6 * final])


@pytest.mark.parametrize("slug", ["hk", "riichi"])
def test_a_call_with_somebody_liable_from_elsewhere_is_refused(table, slug):
    game, player = table(slug)
    for liable in (make_player().pk, 10**9, 2**63 - 1, 10**30):
        sent = entry(game, tiles="222B 333B 55B 222D GGG", liable=liable)
        answer = player.post(f"/api/v1/games/{game.pk}/hands/", sent)
        assert answer.status_code == 400
        refusals = {(one["field"], one["code"]) for one in answer.json()["errors"]}
        assert ("liable", "not_at_the_table") in refusals
    assert not Hand.objects.exists()


def test_the_version_of_a_card_is_that_of_its_rules(table):
    game, _player = table("hk")
    by = make_organiser()
    version = game.ruleset_version
    version.pk, version.number = None, 2
    version.created_by = by
    version.save(force_insert=True)
    second = make_game(league=make_league(ruleset_version=version), by=by)
    sent = entry(second, tiles="222B 333B 55B 222D GGG")
    answer = caller(by).post(f"/api/v1/games/{second.pk}/hands/", sent).json()
    assert answer["scorecard"]["version"] == 2


@pytest.mark.parametrize(
    ("entered", "refusal"),
    [
        ({"flags": ["original_call"]}, ("flags", "not_in_book")),
        ({"others": [{"player": 0, "claimed": 8}]}, ("others", "not_in_book")),
        ({"value": 25}, ("value", "not_in_book")),
        ({"winning_tile": "9C"}, ("winning_tile", "not_there")),
        ({"won_by": "luck"}, ("won_by", "unknown")),
        ({"claimed_limit": "moon", "tiles": None}, ("claimed_limit", "not_a_limit")),
    ],
)
def test_what_the_book_does_not_know_is_refused_by_name(table, entered, refusal):
    game, player = table("hk")
    for other in entered.get("others", ()):
        other["player"] = game.players[2].pk
    answer = player.post(f"/api/v1/games/{game.pk}/hands/", entry(game, **entered))
    assert answer.status_code == 400
    assert refusal in {(one["field"], one["code"]) for one in answer.json()["errors"]}
    assert not Hand.objects.exists()


def test_the_schema_says_what_a_hand_takes_and_answers(visitor):
    schemas = visitor.get("/api/schema/?format=json").json()["components"]["schemas"]
    asked = {"won_by", "winning_tile", "bonus", "flags", "value", "liable", "others"}
    assert asked <= set(schemas["HandEntryRequest"]["properties"])
    assert asked | {"scorecards"} <= set(schemas["Hand"]["properties"])
    assert {"player", "tiles", "melds", "bonus", "claimed"} <= set(
        schemas["OtherEntryRequest"]["properties"]
    )
