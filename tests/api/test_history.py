"""``hands/{id}/history/``: who, when, before, after, why."""

import pytest

from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.restore import restore_hand
from tests.api.callers import caller
from tests.factories import make_hand, make_member, make_organiser

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

DRAWN = HandEntry(number=1, outcome="draw")


@pytest.fixture
def read(member):
    def read(hand):
        return member.get(f"/api/v1/hands/{hand.pk}/history/").json()

    return read


@pytest.fixture
def olga(db):
    return make_organiser("olga")


OLGA = {"player": None, "name": "a member"}


def test_history_of_an_uncorrected_hand_is_its_logging(member, game, read):
    by = make_member(player=game.players[0])
    hand = make_hand(game, winner=1, by=by)
    history = read(hand)
    (step,) = history["versions"]
    assert (history["game"], history["number"], history["said"]) == (game.pk, 1, [])
    assert step["who"] == {"player": game.players[0].pk, "name": game.players[0].name}
    assert (step["what"], step["version"], step["before"], step["why"]) == ("logged", 1, None, "")
    assert step["after"] == member.get(f"/api/v1/hands/{hand.pk}/").json()
    assert step["when"] == step["after"]["logged_at"]


def test_history_of_a_corrected_hand_tells_what_it_was_before(game, read, olga):
    first = make_hand(game, winner=1, by=olga)
    second = correct_hand(first, DRAWN, by=olga, reason="Nobody had won.").hand
    for hand in (first, second):
        one, two = read(hand)["versions"]
        assert (one["before"], one["after"]["id"]) == (None, first.pk)
        assert (two["before"], two["after"]["id"]) == (one["after"], second.pk)
        assert (two["what"], two["who"], two["why"]) == ("corrected", OLGA, "Nobody had won.")
        assert (two["before"]["final"], two["after"]["final"]) == (70, None)


def test_history_of_a_void_hand_ends_with_nothing(game, read, olga):
    hand = make_hand(game, winner=1, by=olga)
    void_hand(hand, by=olga, reason="Two games mixed up")
    one, two = read(hand)["versions"]
    assert (two["what"], two["who"], two["why"]) == ("void", OLGA, "Two games mixed up")
    assert (two["before"], two["after"]) == (one["after"], None)
    assert one["after"]["status"] == "void"


def test_history_of_a_restored_hand_says_who_restored_it_and_why(game, read, olga):
    void = void_hand(make_hand(game, winner=1, by=olga), by=olga, reason="Mixed up").hand
    new = restore_hand(void, by=olga, reason="It was ours").hand
    for hand in (void, new):
        *_before, last = read(hand)["versions"]
        assert (last["what"], last["version"]) == ("restored", 2)
        assert (last["who"], last["why"]) == (OLGA, "It was ours")
        assert (last["before"], last["after"]["id"]) == (None, new.pk)


def test_history_of_a_position_that_was_played_again_tells_both_hands(game, read, olga):
    undone = make_hand(game, winner=1, by=olga)
    undo_hand(undone, by=olga)
    again = make_hand(game, by=olga)
    steps = read(again)["versions"]
    assert [(step["what"], step["version"]) for step in steps] == [
        ("logged", 1),
        ("undone", 1),
        ("logged", 2),
    ]


def test_history_of_a_hand_changed_by_an_earlier_one_says_so_in_the_readers_language(
    member, game, olga
):
    first, second = make_hand(game, winner=1, by=olga), make_hand(game, winner=2, by=olga)
    correct_hand(first, DRAWN, by=olga, reason="Nobody had won.")
    address = f"/api/v1/hands/{second.pk}/history/"
    english = member.get(address).json()["versions"][1]
    assert english["why"] == english["after"]["reason"] == "Follows hand 1: Nobody had won."
    assert english["after"]["follows"] == 1
    dutch = member.get(address, headers={"Accept-Language": "nl"}).json()["versions"][1]
    assert dutch["why"] != english["why"]
    assert dutch["why"].endswith("Nobody had won.")


def test_history_tells_what_the_others_said(game, read, olga):
    hand = make_hand(game, winner=1, by=olga)
    south, west = (make_member(player=game.players[place]) for place in (1, 2))
    confirm_hand(hand, by=south)
    dispute_hand(hand, by=west, reason="That was a 6")
    settle_hand(hand, by=olga, reason="It was a 5")
    history = read(hand)
    assert [(event["what"], event["player"], event["why"]) for event in history["said"]] == [
        ("confirmed", game.players[1].pk, ""),
        ("disputed", game.players[2].pk, "That was a 6"),
        ("settled", None, "It was a 5"),
    ]
    assert history["answers"]["asked"] == [player.pk for player in game.players]
    assert (history["answers"]["confirmed"], history["answers"]["disputed"]) == (
        [game.players[1].pk],
        [game.players[2].pk],
    )
    assert history["answers"]["accepted"] is True


def test_history_of_a_hand_whose_scorer_is_gone_names_nobody(game):
    by = make_organiser()
    hand = make_hand(game, by=by)
    by.delete()
    answer = caller(make_member()).get(f"/api/v1/hands/{hand.pk}/history/").json()
    assert answer["versions"][0]["who"] is None


@pytest.mark.parametrize("corrections", [1, 4])
def test_history_costs_the_same_queries_whatever_happened(
    game, member, olga, corrections, django_assert_num_queries
):
    hand = make_hand(game, winner=1, by=olga)
    for number in range(corrections):
        entry = HandEntry(
            number=1, outcome="win", winner=game.players[number % 4].pk, claimed_final=90
        )
        hand = correct_hand(hand, entry, by=olga, reason="Again").hand
        confirm_hand(hand, by=olga, player=game.players[0])
    with django_assert_num_queries(8):
        member.get(f"/api/v1/hands/{hand.pk}/history/")
