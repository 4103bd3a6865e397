"""``hands/{id}/correct/``, ``void/``, ``restore/`` and ``undo/``: the outside of what play does."""

import pytest

from scoring.models import Hand
from scoring.services.confirmations import dispute_hand
from tests.api.callers import caller
from tests.factories import BOOK_HAND, make_hand, make_member, make_organiser

pytestmark = pytest.mark.django_db

KEY = {"HTTP_IDEMPOTENCY_KEY": "0b9d7c1e-8f5b-4a55-9d0c-1e8c1b1f7a11"}
WHY = {"reason": "It was somebody else"}


@pytest.fixture
def hand(game, scorer):
    make_hand(game, winner=1, by=make_organiser())
    make_hand(game, winner=2, by=make_organiser())
    return game.hands.get(number=1)


def address(hand, call):
    return f"/api/v1/hands/{hand.pk}/{call}/"


def winning(game, place, **changes):
    return {"outcome": "win", "winner": game.players[place].pk, "tiles": BOOK_HAND, **changes}


class TestCorrect:
    def test_a_correction_answers_with_what_stands_now(self, scorer, game, hand):
        response = scorer.post(address(hand, "correct"), winning(game, 0, **WHY))
        answer = response.json()
        assert response.status_code == 200
        assert (answer["number"], answer["version"], answer["supersedes"]) == (1, 2, hand.pk)
        assert (answer["status"], answer["reason"]) == ("live", WHY["reason"])
        assert [paid["amount"] for paid in answer["payments"]] == [420, -140, -140, -140]
        assert answer["state"]["next_number"] == 3

    @pytest.mark.parametrize("call", ["correct", "correct/preview"])
    def test_a_correction_by_which_a_later_hand_pays_too_much_names_it(
        self, scorer, game, call, monkeypatch
    ):
        monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 400)
        first = make_hand(game, winner=0, tiles="", claimed_final=20)
        make_hand(game, winner=1, tiles="", claimed_final=90)
        entered = winning(game, 2, tiles="", claimed_final=20, **WHY)
        answer = scorer.post(address(first, call), entered)
        assert answer.status_code == 400
        assert "Hand 2 would then pay more than 400 points" in answer.content.decode()
        assert game.hands.count() == 2

    def test_a_correction_tells_what_became_of_later_hands(self, scorer, game, hand):
        answer = scorer.post(address(hand, "correct"), winning(game, 0, **WHY)).json()
        first, second = answer["changes"]
        assert (first["number"], second["number"]) == (1, 2)
        assert (second["before"]["seat"], second["after"]["seat"]) == ("S", "W")
        assert [share["amount"] for share in second["differences"]] == [-70, 70, 0, 0]
        there = scorer.get(f"/api/v1/games/{game.pk}/").json()
        assert [row["version"] for row in there["hands"]] == [2, 2]
        assert [row["total"] for row in there["tally"]] == [280, -210, 140, -210]

    def test_a_correction_of_one_thing_leaves_the_rest(self, scorer, game, hand):
        answer = scorer.post(address(hand, "correct"), {"winner": game.players[3].pk, **WHY}).json()
        assert (answer["outcome"], answer["winner"], answer["final"]) == (
            "win",
            game.players[3].pk,
            70,
        )

    @pytest.mark.parametrize("won_by", ["discard", "robbing_kong", None])
    def test_how_it_was_won_is_corrected_together_with_the_discarder(
        self, scorer, game, hand, won_by
    ):
        discarder = game.players[3].pk
        change = {"won_by": won_by, "self_drawn": None, "discarder": discarder, **WHY}
        if won_by is not None:
            del change["self_drawn"]
        for call in ("correct/preview", "correct"):
            response = scorer.post(address(hand, call), change)
            # Only some rule books know of robbed kongs.
            expected = 400 if won_by == "robbing_kong" else 200
            assert response.status_code == expected, response.content
        if won_by != "robbing_kong":
            assert response.json()["discarder"] == discarder

    @pytest.mark.parametrize(
        ("change", "expected"),
        [
            ({"claimed_final": 90}, {"final": 90, "checked": False, "tiles": []}),
            ({"tiles": "SSS 345B 55B 222D GGG"}, {"final": 160, "checked": True}),
            ({"self_drawn": True}, {"self_drawn": True, "discarder": None}),
            ({"discarder": None}, {"discarder": None, "final": 70}),
        ],
    )
    def test_a_correction_of_one_thing_takes_away_what_contradicts_it(
        self, game, scorer, change, expected
    ):
        hand = make_hand(game, winner=1, by=make_organiser(), discarder=game.players[2].pk)
        answer = scorer.post(address(hand, "correct"), {**change, **WHY}).json()
        assert {name: answer[name] for name in expected} == expected

    def test_a_correction_of_a_score_without_tiles_can_bring_the_tiles(self, game, scorer):
        hand = make_hand(game, winner=1, by=make_organiser(), tiles="", claimed_final=90)
        answer = scorer.post(address(hand, "correct"), {"tiles": BOOK_HAND, **WHY}).json()
        assert (answer["final"], answer["checked"]) == (70, True)

    def test_a_correction_keeps_open_sets_that_are_not_named(self, game, scorer):
        tiles = "222B* 345B 55B 222D GGG"
        hand = make_hand(game, winner=1, by=make_organiser(), tiles=tiles)
        answer = scorer.post(address(hand, "correct"), {"winner": game.players[2].pk, **WHY}).json()
        assert (answer["melds"], answer["concealed"]) == (hand.melds, False)

    def test_a_correction_may_repeat_the_number_but_not_change_it(self, scorer, game, hand):
        response = scorer.post(address(hand, "correct"), winning(game, 0, number=2, **WHY))
        assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "number")
        response = scorer.post(address(hand, "correct"), winning(game, 0, number=1, **WHY))
        assert response.status_code == 200

    def test_a_correction_sent_twice_with_one_key_is_one_correction(self, scorer, game, hand):
        body = winning(game, 0, **WHY)
        first = scorer.post(address(hand, "correct"), body, **KEY)
        second = scorer.post(address(hand, "correct"), body, **KEY)
        assert (first.json(), second["Idempotent-Replay"]) == (second.json(), "true")
        assert Hand.objects.filter(number=1).count() == 2

    def test_a_correction_of_a_version_that_no_longer_stands_names_the_one_that_does(
        self, scorer, game, hand
    ):
        new = scorer.post(address(hand, "correct"), winning(game, 0, **WHY)).json()
        response = scorer.post(address(hand, "correct"), winning(game, 3, **WHY))
        answer = response.json()
        assert (response.status_code, answer["type"]) == (409, "/api/docs/#no-longer-stands")
        assert (answer["hand"]["id"], answer["state"]["next_number"]) == (new["id"], 3)

    @pytest.mark.parametrize("reason", [None, "", "   ", 7, "x" * 301])
    def test_a_correction_wants_a_reason(self, scorer, game, hand, reason):
        body = winning(game, 0) if reason is None else winning(game, 0, reason=reason)
        response = scorer.post(address(hand, "correct"), body)
        assert response.status_code == 400
        assert [error["field"] for error in response.json()["errors"]] == ["reason"]

    def test_a_correction_names_everything_that_is_wrong(self, scorer, game, hand):
        body = winning(game, 0, discarder=game.players[0].pk, tiles="22222B", **WHY)
        response = scorer.post(address(hand, "correct"), body)
        assert response.status_code == 400
        assert {error["field"] for error in response.json()["errors"]} >= {"discarder", "tiles"}

    def test_a_correction_that_a_later_hand_forbids_names_it(self, game, organiser):
        by = make_organiser()
        first = make_hand(game, winner=0, by=by)
        while not game.finished:
            make_hand(game, winner=(game.dealer_place + 2) % 4, by=by)
            game.refresh_from_db()
        response = organiser.post(address(first, "correct"), winning(game, 1, **WHY))
        (error,) = response.json()["errors"]
        assert (response.status_code, error["field"], error["code"]) == (
            *(400, None),
            "game_over_before",
        )
        assert "hand 17" in error["message"]


class TestTheirPreviews:
    def test_previews_of_changes_say_what_would_change_and_save_nothing(self, scorer, game, hand):
        seen = scorer.post(address(hand, "correct/preview"), winning(game, 0)).json()
        assert Hand.objects.filter(version=2).count() == 0
        done = scorer.post(address(hand, "correct"), winning(game, 0, **WHY)).json()
        for shown, carried_out in zip(seen["changes"], done["changes"], strict=True):
            assert shown == carried_out
        assert [share["amount"] for share in seen["differences"]] == [490, -350, -70, -70]
        assert seen["state"] == done["state"]

    def test_a_preview_of_a_void_hand_says_that_it_is_void(self, scorer, game, hand):
        seen = scorer.post(address(hand, "void/preview")).json()
        assert seen["changes"][0]["after"] is None
        assert [paid["amount"] for paid in seen["changes"][0]["payments"]] == [0, 0, 0, 0]

    @pytest.mark.parametrize("call", ["correct/preview", "void/preview"])
    def test_previews_of_changes_are_for_who_may_correct(self, member, game, hand, call):
        assert member.post(address(hand, call), winning(game, 0)).status_code == 403


class TestVoid:
    def test_voiding_a_hand_answers_with_the_hand_and_the_table(self, scorer, game, hand):
        response = scorer.post(address(hand, "void"), WHY)
        answer = response.json()
        assert (response.status_code, answer["id"], answer["status"]) == (200, hand.pk, "void")
        assert [row["number"] for row in answer["changes"]] == [1, 2]
        assert answer["state"]["next_number"] == 3

    def test_voiding_a_hand_that_somebody_else_disputes_is_refused(self, scorer, game, hand):
        dispute_hand(hand, by=make_member(player=game.players[3]), about="score")
        for call in ("void", "void/preview"):
            response = scorer.post(address(hand, call), WHY)
            problem = response.json()
            assert (response.status_code, problem["errors"][0]["code"]) == (400, "disputed")
            assert "or an organiser declares it void" in problem["detail"]
        assert game.hands.disputed().exists()

    def test_voiding_a_hand_twice_without_a_key_is_a_conflict(self, scorer, hand):
        scorer.post(address(hand, "void"), WHY)
        response = scorer.post(address(hand, "void"), WHY)
        assert (response.status_code, response.json()["hand"]) == (409, None)


class TestRestore:
    @pytest.fixture
    def void(self, scorer, hand):
        scorer.post(address(hand, "void"), WHY)
        return hand

    def test_restoring_a_hand_answers_with_the_new_version_and_the_table(self, scorer, game, void):
        seen = scorer.post(address(void, "restore/preview")).json()
        response = scorer.post(address(void, "restore"), WHY)
        answer = response.json()
        assert (response.status_code, answer["number"], answer["version"]) == (200, 1, 2)
        assert (answer["supersedes"], answer["status"]) == (void.pk, "live")
        assert (answer["reason"], answer["follows"]) == (WHY["reason"], None)
        assert answer["changes"] == seen["changes"]
        first, second = answer["changes"]
        assert [share["amount"] for share in first["differences"]] == [-140, 280, -70, -70]
        assert (second["before"]["seat"], second["after"]["seat"]) == ("W", "S")
        there = scorer.get(f"/api/v1/games/{game.pk}/").json()
        assert [row["number"] for row in there["hands"]] == [1, 2]

    def test_restoring_a_hand_twice_with_one_key_is_done_once(self, scorer, void):
        first = scorer.post(address(void, "restore"), WHY, **KEY)
        second = scorer.post(address(void, "restore"), WHY, **KEY)
        assert (first.json(), second["Idempotent-Replay"]) == (second.json(), "true")
        without = scorer.post(address(void, "restore"), WHY)
        assert (without.status_code, without.json()["hand"]["id"]) == (409, first.json()["id"])
        assert without.json()["type"] == "/api/docs/#no-longer-stands"

    def test_restoring_what_cannot_be_is_a_conflict_of_its_own_kind(self, scorer, game, hand):
        for call in ("restore", "restore/preview"):
            problem = scorer.post(address(hand, call), WHY).json()
            assert (problem["status"], problem["type"]) == (409, "/api/docs/#not-void")
        last = make_hand(game, winner=1, by=make_organiser())
        scorer.post(address(last, "void"), WHY)
        other = make_hand(game, winner=2, by=make_organiser())
        problem = scorer.post(address(last, "restore"), WHY).json()
        assert (problem["type"], problem["hand"]["id"]) == ("/api/docs/#place-taken", other.pk)

    @pytest.mark.parametrize("body", [{}, {"reason": " "}, {"reason": "x" * 301}])
    def test_restoring_a_hand_wants_a_reason(self, scorer, void, body):
        response = scorer.post(address(void, "restore"), body)
        assert [error["field"] for error in response.json()["errors"]] == ["reason"]


class TestUndo:
    def test_undoing_a_hand_takes_back_what_the_caller_just_logged(self, game):
        user = make_member(player=game.players[2])
        phone, hand = caller(user), make_hand(game, winner=1, by=user)
        response = phone.post(address(hand, "undo"))
        answer = response.json()
        assert (response.status_code, answer["status"]) == (200, "void")
        assert answer["state"]["next_number"] == 1

    def test_undoing_an_older_hand_is_a_conflict_that_holds_the_hand(self, organiser, game):
        by = make_organiser()
        hand = make_hand(game, by=by)
        make_hand(game, by=by)
        response = caller(by).post(address(hand, "undo"))
        assert (response.status_code, response.json()["hand"]["id"]) == (409, hand.pk)
