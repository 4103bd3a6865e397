"""A limit hand by its name: the tiles are gone, the table says what it was."""

import json
from io import BytesIO, StringIO

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse

from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import LIMIT_RULES, RuleSet
from scoring.models import Hand
from scoring.operations.csv import log_hands, read_rows, write_hands
from scoring.operations.dump import export_club
from scoring.operations.verify import verify
from scoring.operations.whatif import what_if
from scoring.queries.players import player_profile
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from tests.api.callers import caller
from tests.factories import (
    BOOK_HAND,
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_ruleset_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return make_game()


def claim(game, rule="big_three_dragons", **entry):
    return make_hand(game, winner=1, tiles="", claimed_limit=rule, **entry)


def refusal(game, **entry):
    with pytest.raises(ValidationError) as caught:
        claim(game, **entry)
    assert not Hand.objects.exists()
    return caught.value.message_dict


@pytest.mark.parametrize("rule", [rule.id for rule in LIMIT_RULES])
def test_claimed_limit_hand_keeps_its_name_and_counts_as_one(game, rule):
    hand = claim(game, rule)
    hand.refresh_from_db()
    assert (hand.claimed_limit, hand.limits, hand.limit) == (rule, [rule], True)
    assert (hand.final, hand.checked, hand.tiles) == (500, False, "")
    assert [payment.amount for payment in hand.payments.order_by("pk")] == [-1000, 2000, -500, -500]


def test_claimed_limit_hand_scores_the_limit_of_its_rules():
    league = make_league(ruleset_version=make_ruleset_version(limit=300))
    assert claim(make_game(league=league)).final == 300


def test_unknown_limit_hand_is_refused_with_the_names_that_there_are(game):
    sentence = refusal(game, rule="seven_pairs")["claimed_limit"][0]
    assert "There is no such limit hand" in sentence
    assert "nine_gates" in sentence


@pytest.mark.parametrize("more", [{"tiles": BOOK_HAND}, {"claimed_final": 120}])
def test_limit_hand_is_claimed_instead_of_tiles_and_score(game, more):
    with pytest.raises(ValidationError, match="one of them"):
        make_hand(game, winner=1, **{"tiles": "", "claimed_limit": "all_honors", **more})


def test_drawn_hand_claims_no_limit(game):
    with pytest.raises(ValidationError) as caught:
        make_hand(game, claimed_limit="all_honors")
    assert "claimed_limit" in caught.value.message_dict


@pytest.mark.each_database
@pytest.mark.parametrize("changes", [{"checked": True}, {"limit": False}])
def test_database_refuses_a_claimed_limit_that_cannot_be(game, changes):
    hand = claim(game)
    with pytest.raises(IntegrityError):
        Hand.objects.filter(pk=hand.pk).update(**changes)


def test_player_has_the_claimed_limit_hand_in_the_statistics(game):
    hand = claim(game)
    assert player_profile(hand.winner, make_organiser()).statistics.limits == 1


def test_verify_finds_a_claimed_limit_hand_as_it_should_be_and_not_otherwise(game):
    hand = claim(game)
    assert list(verify()) == []
    Hand.objects.filter(pk=hand.pk).update(final=490)
    assert "final" in {difference.field for difference in verify()}


def test_claimed_limit_hand_scores_the_limit_of_other_rules(game):
    claim(game)
    rules = RuleSet.from_options({"limit": 300}, slug="house", name="House", version=1)
    [again] = what_if(game.league, OptionTableRules(rules)).changed
    assert again.final == 300


def test_claimed_limit_hand_goes_out_and_comes_in_as_csv(game):
    claim(game, "nine_gates", self_drawn=True)
    sheet = StringIO()
    write_hands(sheet, lambda _hands: lambda _more: None)
    Hand.objects.update(played_at="2020-01-01T20:00Z")
    rows = list(read_rows(StringIO(sheet.getvalue())))
    logged = log_hands(rows, lambda _hands: lambda _more: None, by=make_organiser())
    assert logged.hands == 1
    assert set(Hand.objects.values_list("claimed_limit", "final")) == {("nine_gates", 500)}


def test_export_holds_the_claimed_limit(game):
    claim(game)
    out = BytesIO()
    export_club(out, lambda _rows: lambda _more: None)
    rows = [json.loads(line) for line in out.getvalue().splitlines()[1:]]
    [hand] = [row["fields"] for row in rows if row["model"] == "scoring.hand"]
    assert hand["claimed_limit"] == "big_three_dragons"


def test_correction_of_a_checked_hand_can_claim_a_limit(game):
    organiser = make_organiser()
    hand = make_hand(game, winner=1, by=organiser)
    entry = HandEntry(number=1, outcome="win", winner=hand.winner_id, claimed_limit="all_honors")
    new = correct_hand(hand, entry, by=organiser, reason="It was").hand
    assert (new.claimed_limit, new.limit, new.final) == ("all_honors", True, 500)


def test_later_claimed_limit_hand_keeps_its_name_when_its_winds_change(game):
    organiser = make_organiser()
    first = make_hand(game, winner=1, by=organiser)
    claim(game)
    entry = HandEntry(number=1, outcome="draw")
    correct_hand(first, entry, by=organiser, reason="Nobody won")
    assert Hand.objects.current().get(number=2).claimed_limit == "big_three_dragons"


class TestTheApi:
    @pytest.fixture
    def api(self, game):
        return caller(make_member(player=game.players[0]))

    def sent(self, game, **changes):
        sent = {"number": 1, "outcome": "win", "winner": game.players[1].pk}
        return {**sent, "claimed_limit": "big_three_dragons", **changes}

    def post(self, api, game, **changes):
        url = f"/api/v1/games/{game.pk}/hands/"
        return api.post(url, self.sent(game, **changes), headers={"Idempotency-Key": "k"})

    def test_the_api_takes_a_claimed_limit_hand(self, api, game):
        answer = self.post(api, game)
        assert answer.status_code == 201
        hand = answer.json()
        assert (hand["final"], hand["checked"], hand["limits"]) == (
            500,
            False,
            ["big_three_dragons"],
        )
        assert hand["scorecard"]["limits"] == ["big_three_dragons"]
        assert hand["scorecard"]["final"] == 500

    def test_the_api_refuses_an_unknown_limit_hand_by_its_field(self, api, game):
        answer = self.post(api, game, claimed_limit="seven_pairs")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "claimed_limit"

    def test_the_api_names_the_limit_of_a_checked_hand(self, api, game):
        answer = self.post(api, game, claimed_limit="", tiles="RRR GGG WhWhWh 222B 55C")
        assert answer.json()["limits"] == ["big_three_dragons"]

    def test_correction_of_something_else_keeps_the_claimed_limit(self, api, game):
        hand = self.post(api, game).json()
        url = f"/api/v1/hands/{hand['id']}/correct/"
        body = {"winner": game.players[2].pk, "reason": "West won"}
        new = api.post(url, body, headers={"Idempotency-Key": "l"}).json()
        assert (new["limits"], new["winner"]) == (["big_three_dragons"], game.players[2].pk)

    @pytest.mark.parametrize("change", [{"claimed_final": 90}, {"tiles": BOOK_HAND}])
    def test_correction_can_take_the_claimed_limit_back(self, api, game, change):
        hand = self.post(api, game).json()
        url = f"/api/v1/hands/{hand['id']}/correct/"
        new = api.post(url, {**change, "reason": "No"}, headers={"Idempotency-Key": "l"}).json()
        assert new["limits"] == []


class TestPages:
    @pytest.fixture
    def scorer(self, client, game):
        scorer = make_member(player=game.players[0])
        client.force_login(scorer)
        return scorer

    def sent(self, game, **changes):
        sent = {"number": 1, "key": "k", "winner": game.players[1].pk, "discarder": "self"}
        return {**sent, "claimed_limit": "little_four_winds", **changes}

    @pytest.mark.usefixtures("scorer")
    def test_table_takes_a_claimed_limit_hand_and_shows_its_name(self, client, game):
        url = reverse("preview_hand", args=[game.pk])
        shown = client.post(url, self.sent(game), headers={"HX-Request": "true"}).content.decode()
        assert "Little Four Winds" in shown
        assert "not checked" in shown
        client.post(reverse("log_hand", args=[game.pk]), self.sent(game))
        hand = Hand.objects.get()
        assert hand.claimed_limit == "little_four_winds"
        for page in (game.get_absolute_url(), hand.get_absolute_url(), "/"):
            assert "Little Four Winds" in client.get(page).content.decode()
        history = client.get(f"/hands/{hand.pk}/history/").content.decode()
        assert "Little Four Winds" in history

    @pytest.mark.usefixtures("scorer")
    def test_correction_begins_with_the_claimed_limit(self, client, game):
        hand = claim(game, "nine_gates")
        page = client.get(reverse("correct_hand", args=[hand.pk])).content.decode()
        assert '<option value="nine_gates" selected>' in page
