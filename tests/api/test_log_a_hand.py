"""``POST games/{id}/hands/``: a hand is scored and paid, and the table moves on."""

import pytest

from scoring.models import Game, Hand, Payment
from tests.factories import BOOK_CODES, BOOK_HAND, make_hand

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(game):
    return f"/api/v1/games/{game.pk}/hands/"


@pytest.fixture
def win(game):
    """A win of South, the first hand of the game."""
    return {"number": 1, "outcome": "win", "winner": game.players[1].pk, "tiles": BOOK_HAND}


def errors(response):
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"
    return {(error["field"], error["code"]) for error in response.json()["errors"]}


class TestAWin:
    @pytest.mark.parametrize("mark", ["*", "#"])
    def test_a_win_without_a_set_is_refused_though_one_is_marked(self, scorer, url, win, mark):
        short = {**win, "tiles": f"123B{mark} 456B 789B 55D"}
        assert errors(scorer.post(url, short)) == {("tiles", "wrong_count")}
        assert not Hand.objects.exists()
        assert not Payment.objects.exists()

    def test_a_win_is_answered_with_scorecard_payments_and_the_next_state(
        self, scorer, url, win, game
    ):
        response = scorer.post(url, win)
        assert response.status_code == 201
        answer = response.json()
        east, south, west, north = (player.pk for player in game.players)
        assert answer["scorecard"]["final"] == 70
        assert answer["payments"] == [
            {"player": east, "amount": -140},
            {"player": south, "amount": 280},
            {"player": west, "amount": -70},
            {"player": north, "amount": -70},
        ]
        assert answer["state"] == {
            "finished": False,
            "round": "E",
            "dealer": south,
            "seat_winds": {str(east): "N", str(south): "E", str(west): "S", str(north): "W"},
            "next_number": 2,
            "counters": 0,
            "sticks": 0,
        }

    def test_a_win_has_the_shape_of_the_contract(self, scorer, url, win, game):
        answer = scorer.post(url, win).json()
        east, south = game.players[0].pk, game.players[1].pk
        figures = (answer["game"], answer["number"], answer["version"], answer["status"])
        assert figures == (game.pk, 1, 1, "live")
        assert (answer["round"], answer["prevailing"], answer["seat"]) == ("E", "E", "S")
        assert (answer["dealer"], answer["winner"], answer["discarder"]) == (east, south, None)
        assert (answer["outcome"], answer["self_drawn"], answer["concealed"]) == (
            "win",
            False,
            True,
        )
        assert sorted(answer["tiles"]) == sorted(BOOK_CODES)
        assert (answer["melds"], answer["checked"], answer["logged_by"]) == ([], True, east)

    def test_a_win_is_the_same_hand_when_it_is_read_again(self, scorer, visitor, url, win):
        answer = scorer.post(url, win).json()
        answer.pop("state")
        assert visitor.get(f"/api/v1/hands/{answer['id']}/").json() == answer
        assert visitor.get(url).json()["results"] == [answer]

    def test_a_win_scores_what_the_public_calculator_scores(self, scorer, visitor, url, win):
        asked = {"tiles": BOOK_HAND, "seat": "S", "prevailing": "E"}
        assert scorer.post(url, win).json()["scorecard"] == (
            visitor.post("/api/v1/score/", asked).json()
        )

    def test_a_win_may_be_written_as_lists_with_melds_and_a_discarder(self, scorer, url, win, game):
        west = game.players[2].pk
        answer = scorer.post(
            url,
            win
            | {
                "tiles": [
                    "2B",
                    "2B",
                    "2B",
                    "3B",
                    "4B",
                    "5B",
                    "5B",
                    "5B",
                    "2D",
                    "2D",
                    "2D",
                    "G",
                    "G",
                    "G",
                ],
                "melds": [["2B", "2B", "2B"]],
                "discarder": west,
            },
        ).json()
        assert (answer["discarder"], answer["concealed"]) == (west, False)
        assert [(meld["tiles"], meld["concealed"]) for meld in answer["melds"]] == [
            (["2B", "2B", "2B"], False)
        ]

    def test_a_win_with_a_score_of_the_table_s_own_is_not_checked(self, scorer, url, win):
        answer = scorer.post(url, win | {"tiles": None, "claimed_final": 120}).json()
        assert (answer["checked"], answer["final"], answer["scorecard"]) == (False, 120, None)
        assert (answer["tiles"], [p["amount"] for p in answer["payments"]]) == (
            [],
            [-240, 480, -120, -120],
        )


def test_a_draw_is_answered_with_four_payments_of_nothing(scorer, url, game):
    answer = scorer.post(url, {"number": 1, "outcome": "draw"}).json()
    assert [payment["amount"] for payment in answer["payments"]] == [0, 0, 0, 0]
    assert (answer["winner"], answer["seat"], answer["scorecard"]) == (None, None, None)
    assert answer["state"]["dealer"] == game.players[0].pk


class TestANumberThatIsNotTheNext:
    def test_a_number_that_is_not_the_next_is_answered_with_the_hand_that_stands_there(
        self, scorer, url, win, game
    ):
        first = scorer.post(url, win).json()
        state = first.pop("state")
        response = scorer.post(url, {"number": 1, "outcome": "draw"})
        assert response.status_code == 409
        problem = response.json()
        assert problem["type"] == "/api/docs/#not-the-next-hand"
        assert (problem["hand"], problem["state"]) == (first, state)
        assert "already logged" in problem["detail"]
        assert Hand.objects.count() == 1

    def test_a_number_that_lies_ahead_comes_with_the_state_alone(self, scorer, url, game):
        problem = scorer.post(url, {"number": 7, "outcome": "draw"}).json()
        assert (problem["status"], problem["hand"]) == (409, None)
        assert problem["state"]["next_number"] == 1


def test_a_finished_game_takes_no_more_hands(scorer, url, game, win):
    scorer.post(f"/api/v1/games/{game.pk}/finish/")
    response = scorer.post(url, win)
    assert response.status_code == 409
    problem = response.json()
    assert problem["type"] == "/api/docs/#finished"
    assert problem["state"]["finished"] is True
    assert not Hand.objects.exists()


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("change", "refusal"),
        [
            ({"tiles": "222B 345B 55B 222D GG 9C"}, ("tiles", "does_not_win")),
            ({"tiles": "22222B 345B 55B 222D GG"}, ("tiles", "too_many_copies")),
            ({"tiles": "222B"}, ("tiles", "wrong_count")),
            ({"tiles": "0X 345B"}, ("tiles", "unknown_tile")),
            ({"winner": None}, ("winner", "required")),
            ({"winner": 999_999}, ("winner", "not_at_the_table")),
            ({"winner": 10**30}, ("winner", "not_at_the_table")),
            ({"discarder": 999_999}, ("discarder", "not_at_the_table")),
            ({"claimed_final": 80}, ("claimed_final", "not_a_score")),
            ({"tiles": "", "claimed_final": 73}, ("claimed_final", "not_a_score")),
            ({"number": None}, ("number", "null")),
            ({"number": "one"}, ("number", "invalid")),
            ({"number": True}, ("number", "invalid")),
            ({"number": 1.5}, ("number", "invalid")),
            ({"number": 0}, ("number", "min_value")),
            ({"number": -1}, ("number", "min_value")),
            ({"number": 10**30}, ("number", "max_value")),
            ({"number": [1]}, ("number", "invalid")),
            ({"outcome": "abandoned"}, ("outcome", "invalid_choice")),
            ({"outcome": 5}, ("outcome", "invalid_choice")),
            ({"outcome": ["win"]}, ("outcome", "invalid_choice")),
            ({"winner": "Ann"}, ("winner", "invalid")),
            ({"winner": True}, ("winner", "invalid")),
            ({"winner": {}}, ("winner", "invalid")),
            ({"tiles": 5}, ("tiles", "invalid")),
            ({"tiles": "2B\u0000"}, ("tiles", "null_characters_not_allowed")),
            ({"melds": "222B"}, ("melds", "not_a_list")),
            ({"melds": [7]}, ("melds.0", "invalid")),
            # Was a set left out, or is the chow there twice? No tiles are made up.
            ({"tiles": "123B 456B 789B 55D", "melds": ["123B"]}, ("melds", "held_already")),
            (
                {"tiles": "123B 789B 55D", "melds": [{"tiles": "123B"}, "789B"]},
                ("melds", "held_already"),
            ),
            ({"concealed": "perhaps"}, ("concealed", "invalid")),
            ({"self_drawn": 7}, ("self_drawn", "invalid")),
            ({"claimed_final": "much"}, ("claimed_final", "invalid")),
            ({"claimed_final": 10**30}, ("claimed_final", "max_value")),
        ],
        ids=lambda value: str(value)[:50],
    )
    def test_a_refused_hand_is_answered_with_its_field_and_not_stored(
        self, scorer, url, win, change, refusal
    ):
        assert refusal in errors(scorer.post(url, win | change))
        assert not Hand.objects.exists()
        assert not Payment.objects.exists()
        assert Game.objects.get().next_number == 1

    def test_the_winner_as_discarder_is_refused(self, scorer, url, win):
        refused = scorer.post(url, win | {"discarder": win["winner"]})
        assert errors(refused) == {("discarder", "discarder_is_winner")}

    def test_a_discarder_of_a_self_drawn_win_is_refused(self, scorer, url, win, game):
        refused = scorer.post(url, win | {"discarder": game.players[2].pk, "self_drawn": True})
        assert errors(refused) == {("discarder", "self_drawn")}

    def test_a_winner_of_a_drawn_hand_is_refused(self, scorer, url, win):
        refused = scorer.post(url, win | {"outcome": "draw"})
        assert errors(refused) == {("winner", "not_in_a_draw"), ("tiles", "not_in_a_draw")}

    def test_a_player_of_another_table_as_winner_is_told_who_sits_here(
        self, scorer, url, win, game
    ):
        problem = scorer.post(url, win | {"winner": 999_999}).json()
        assert game.players[3].name in problem["errors"][0]["message"]

    def test_an_empty_request_is_refused_and_the_missing_fields_are_named(self, scorer, url):
        assert errors(scorer.post(url, {})) == {("number", "required"), ("outcome", "required")}

    @pytest.mark.parametrize("body", ["[]", "5", '"win"', "true"])
    def test_a_body_that_is_no_object_is_refused(self, scorer, url, body):
        refused = scorer.post(url, body, content_type="application/json")
        assert errors(refused) == {(None, "invalid")}


@pytest.mark.parametrize("body", [{}, {"number": 1, "outcome": "perhaps"}])
def test_who_may_not_log_hears_that_and_not_what_is_wrong_with_the_hand(member, url, body):
    refused = member.post(url, body)
    assert refused.status_code == 403
    assert "Only the four players" in refused.json()["detail"]


def test_four_rounds_end_the_game(scorer, url, game):
    for number in range(1, 16):
        make_hand(game, winner=number % 4, tiles="", claimed_final=20)
    game.refresh_from_db()
    assert not game.finished
    last = scorer.post(
        url,
        {"number": 16, "outcome": "win", "winner": game.players[0].pk, "claimed_final": 20},
    ).json()
    assert last["round"] == "N"
    assert last["state"]["finished"] is True
    assert scorer.get(f"/api/v1/games/{game.pk}/").json()["state"] == last["state"]


@pytest.mark.parametrize("others", [[None], [None, {}], [[]], ["x"]])
def test_others_that_are_no_hands_are_refused_at_their_place(scorer, game, others):
    """As where a list has null for a meld."""
    body = {"number": 1, "outcome": "win", "winner": game.players[1].pk, "tiles": BOOK_HAND}
    response = scorer.post(f"/api/v1/games/{game.pk}/hands/", {**body, "others": others})
    assert response.status_code == 400, response.content
    assert response.json()["errors"][0]["field"].startswith("others.0")
