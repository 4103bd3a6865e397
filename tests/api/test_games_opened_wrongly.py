"""Opening games again, changing seats, withdrawing and restoring, by the API."""

import pytest

from scoring.models import Hand
from tests.factories import make_game, make_hand, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(game):
    make_hand(game, winner=1)
    return game


def call(client, game, name, **fields):
    return client.post(f"/api/v1/games/{game.pk}/{name}/", fields, format="json")


def test_a_game_is_opened_again(scorer, played):
    call(scorer, played, "finish")
    answer = call(scorer, played, "reopen", reason="A slip")
    assert (answer.status_code, answer.json()["state"]["finished"]) == (200, False)
    again = call(scorer, played, "reopen", reason="A slip")
    assert (again.status_code, again.json()["type"][-12:]) == (409, "not-finished")


def test_a_preview_of_seats_saves_nothing(scorer, played):
    players = [player.pk for player in played.players][::-1]
    answer = call(scorer, played, "seats", players=players, preview=True)
    assert answer.status_code == 200
    assert [seat["player"] for seat in answer.json()["seats"]] == players
    assert not Hand.objects.filter(version=2).exists()


def test_a_player_is_replaced(scorer, played):
    new = make_player()
    players = [player.pk for player in played.players]
    players[1] = new.pk
    assert call(scorer, played, "seats", players=players).status_code == 400
    answer = call(scorer, played, "seats", players=players, reason="It was Zoë")
    assert answer.json()["changes"][0]["after"]["winner"] == new.pk
    assert Hand.objects.get(version=2).winner == new


@pytest.mark.parametrize("preview", [True, False])
def test_seats_that_somebody_else_changed_meanwhile_stay(scorer, played, preview):
    seats = [player.pk for player in played.players]
    swapped = [seats[1], seats[0], *seats[2:]]
    replaced = [make_player().pk, *seats[1:]]
    seen = {"reason": "A slip", "expected_seats": seats}
    assert call(scorer, played, "seats", players=swapped, **seen).status_code == 200
    answer = call(scorer, played, "seats", players=replaced, preview=preview, **seen)
    assert answer.status_code == 409
    assert answer.json()["type"].endswith("moved-on")
    assert set(answer.json()["state"]["seat_winds"]) == {str(pk) for pk in seats}
    game = scorer.get(f"/api/v1/games/{played.pk}/").json()
    assert [seat["player"] for seat in game["seats"]] == swapped


def test_the_seats_that_are_expected_are_four_ids(scorer, played):
    seats = [player.pk for player in played.players]
    sent = {"players": seats[::-1], "reason": "A slip"}
    for odd in (seats[:3], ["E", *seats[1:]], None, "1,2,3,4", [10**30, *seats[1:]]):
        answer = call(scorer, played, "seats", **sent, expected_seats=odd)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"].startswith("expected_seats")


def test_a_withdrawn_game_is_not_listed_and_can_be_restored(scorer, played):
    answer = call(scorer, played, "withdraw", reason="Opened twice")
    assert answer.json()["withdrawn_at"]
    assert scorer.get("/api/v1/games/").json()["count"] == 0
    assert scorer.get("/api/v1/games/?withdrawn=true").json()["count"] == 1
    assert scorer.get(f"/api/v1/games/{played.pk}/").status_code == 200
    answer = call(scorer, played, "restore", reason="It was real")
    assert answer.json()["withdrawn_at"] is None


def test_a_game_without_a_hand_is_withdrawn_and_takes_no_hand(scorer, game):
    answer = call(scorer, game, "withdraw", reason="Opened twice")
    assert answer.json()["withdrawn_at"]
    refused = call(scorer, game, "hands", number=1, outcome="draw")
    assert (refused.status_code, refused.json()["type"][-9:]) == (403, "withdrawn")
    assert call(scorer, game, "restore", reason="A phone had hands").status_code == 200
    assert call(scorer, game, "hands", number=1, outcome="draw").status_code == 201


def test_somebody_who_sits_elsewhere_is_asked_about(member, played):
    players = [played.players[0].pk, *(make_player().pk for _seat in range(3))]
    sent = {"league": played.league.slug, "players": players}
    answer = member.post("/api/v1/games/", sent, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "seated_elsewhere"
    answer = member.post("/api/v1/games/", sent | {"anyway": True}, format="json")
    assert answer.status_code == 201


@pytest.fixture
def seated_elsewhere(played):
    """One of the four sits down at another table, once ``played`` no longer is in the way."""

    def sit_down():
        others = [make_player() for _seat in range(3)]
        return make_game(players=[played.players[1], *others])

    return sit_down


@pytest.mark.parametrize(("before", "again"), [("finish", "reopen"), ("withdraw", "restore")])
def test_somebody_who_sits_elsewhere_by_now_is_asked_about(
    scorer, played, seated_elsewhere, before, again
):
    call(scorer, played, before, **({} if before == "finish" else {"reason": "A slip"}))
    seated_elsewhere()
    answer = call(scorer, played, again, reason="A slip")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "seated_elsewhere"
    assert call(scorer, played, again, reason="A slip", anyway=True).status_code == 200


def test_who_takes_a_place_and_sits_elsewhere_is_asked_about(scorer, played):
    busy = make_game(league=played.league).players[0]
    players = [player.pk for player in played.players]
    sent = {"players": [players[0], busy.pk, *players[2:]], "reason": "It was somebody else"}
    answer = call(scorer, played, "seats", **sent)
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "seated_elsewhere"
    assert call(scorer, played, "seats", **sent, anyway=True).status_code == 200


def test_an_evening_whose_players_sit_elsewhere_by_now_is_asked_about(
    organiser, played, seated_elsewhere
):
    address = f"/api/v1/leagues/{played.league.slug}/evenings/{played.evening}/"
    organiser.post(f"{address}close/")
    there = seated_elsewhere()
    answer = organiser.post(f"{address}reopen/", {"reason": "A slip"}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "seated_elsewhere"
    sent = {"reason": "A slip", "anyway": True}
    assert organiser.post(f"{address}reopen/", sent, format="json").status_code == 200
    assert there.pk
