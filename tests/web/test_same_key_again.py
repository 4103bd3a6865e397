"""A hand that was sent before is sent again: the answer follows from what the site knows of its key.

However late it comes, and whatever became of the hand, it is stored once and nothing is an error.
"""

from datetime import timedelta
from itertools import count

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.models import Game, Hand, IdempotencyKey
from scoring.services.confirmations import dispute_hand
from scoring.services.evenings import close_evening
from scoring.services.games import finish_game
from scoring.services.hands.correct import correct_hand, undo_hand, void_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.restore import restore_hand
from scoring.services.seats import change_seats
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    BOOK_HAND,
    make_hand,
    make_member,
    make_player,
)
from tests.support.savepoints import taken_back

pytestmark = [
    pytest.mark.thorough("postgresql"),
    pytest.mark.sqlite,
    pytest.mark.postgresql,
    pytest.mark.django_db,
    pytest.mark.slow,
]

SCRIPT = {"Accept": "application/json"}
keys = (f"key{number}" for number in count())


@pytest.fixture
def scorer(client, game):
    scorer = make_member(player=game.players[0])
    client.force_login(scorer)
    return scorer


@pytest.fixture
def sent(game, scorer):
    east, south = game.players[:2]
    entry = {"number": 1, "key": next(keys), "winner": south.pk, "discarder": east.pk}
    return {**entry, "tiles": BOOK_HAND, "claimed_final": "", "user": scorer.pk}


def at_once(hand, scorer, organiser):
    pass


def after_a_minute(hand, scorer, organiser):
    Hand.objects.update(logged_at=timezone.now() - timedelta(seconds=63))


def after_the_next_hand(hand, scorer, organiser):
    make_hand(hand.game, winner=2)


def after_undo(hand, scorer, organiser):
    undo_hand(hand, by=scorer)


def after_undo_and_another_hand(hand, scorer, organiser):
    undo_hand(hand, by=scorer)
    make_hand(hand.game, winner=3)


def after_correct(hand, scorer, organiser):
    entry = HandEntry(number=1, outcome="win", winner=hand.winner_id, claimed_final=200)
    correct_hand(hand, entry, by=organiser, reason="A slip")


def after_void(hand, scorer, organiser):
    void_hand(hand, by=organiser, reason="Dealt again")


def after_dispute(hand, scorer, organiser):
    dispute_hand(hand, by=organiser, player=hand.game.players[2])


def after_correct_and_void(hand, scorer, organiser):
    after_correct(hand, scorer, organiser)
    after_void(Hand.objects.get(supersedes=hand), scorer, organiser)


def after_correct_and_dispute(hand, scorer, organiser):
    after_correct(hand, scorer, organiser)
    after_dispute(Hand.objects.get(supersedes=hand), scorer, organiser)


def after_restoring(hand, scorer, organiser):
    """:returns: the version that counts then."""
    undo_hand(hand, by=scorer)
    return restore_hand(hand, by=scorer, reason="No slip").hand


def after_restoring_and_void(hand, scorer, organiser):
    after_void(after_restoring(hand, scorer, organiser), scorer, organiser)


def after_restoring_and_correct(hand, scorer, organiser):
    after_correct(after_restoring(hand, scorer, organiser), scorer, organiser)


def after_restoring_and_dispute(hand, scorer, organiser):
    after_dispute(after_restoring(hand, scorer, organiser), scorer, organiser)


def after_the_end(hand, scorer, organiser):
    finish_game(hand.game, by=organiser)


def after_withdrawing_the_game(hand, scorer, organiser):
    withdraw_game(hand.game, by=organiser, reason="Wrong league")


def after_closing(hand, scorer, organiser):
    close_evening(hand.game.league, hand.game.evening, by=organiser)


def after_replacing_the_winner(hand, scorer, organiser):
    game = Game.objects.get(pk=hand.game_id)
    east, _south, west, north = game.players
    players = [east, make_player(), west, north]
    change_seats(game, players, by=organiser, reason="Somebody else")


def after_eight_days(hand, scorer, organiser):
    IdempotencyKey.objects.all().delete()
    Hand.objects.update(logged_at=timezone.now() - timedelta(days=8))


STORIES = [
    (at_once, ""),
    (after_a_minute, ""),
    (after_the_next_hand, ""),
    (after_undo, "It was taken back since."),
    (after_undo_and_another_hand, "It was taken back since."),
    (after_correct, "It was corrected since."),
    (after_void, "It was declared void since."),
    (after_correct_and_void, "It was corrected since. It was declared void since."),
    (after_correct_and_dispute, "It was corrected since. It is disputed"),
    (after_dispute, "It is disputed"),
    (after_restoring, "It was taken back and restored since."),
    (after_restoring_and_void, "restored since. It was declared void since."),
    (after_restoring_and_correct, "restored since. It was corrected since."),
    (after_restoring_and_dispute, "restored since. It is disputed"),
    (after_the_end, ""),
    (after_closing, ""),
    (after_withdrawing_the_game, "Its game was withdrawn since"),
    (after_replacing_the_winner, "It was corrected since."),
    (after_eight_days, ""),
]
each_story = pytest.mark.parametrize(
    ("happens", "since"), STORIES, ids=[story.__name__ for story, _since in STORIES]
)


def hands_with(key):
    return Hand.objects.filter(entry_key=key).count()


def test_a_phone_that_sends_a_key_again_is_told_that_the_site_has_the_hand(
    client, game, sent, scorer, organiser
):
    address = reverse("log_hand", args=[game.pk])
    first = client.post(address, sent, headers=SCRIPT)
    assert first.status_code == 201
    for happens, since in STORIES:
        with taken_back():
            happens(Hand.objects.get(), scorer, organiser)
            again = client.post(address, sent, headers=SCRIPT)
            assert again.status_code == 200, happens
            answer = again.json()
            assert (answer["outcome"], answer["hand"]) == ("taken", first.json()["hand"]), happens
            assert answer["sentence"].startswith("Hand 1:"), happens
            assert since in answer["sentence"], happens
            game.refresh_from_db()
            assert answer["word"]["number"] == game.next_number, happens
            assert hands_with(sent["key"]) == 1, happens


@each_story
def test_a_form_that_is_sent_again_without_scripts_leads_to_the_table(
    client, game, sent, scorer, organiser, happens, since
):
    address = reverse("log_hand", args=[game.pk])
    client.post(address, sent)
    happens(Hand.objects.get(), scorer, organiser)
    page = client.post(address, sent, follow=True)
    assert page.redirect_chain == [(game.get_absolute_url(), 302)]
    assert "Hand 1:" in page.content.decode()
    assert since in page.content.decode()
    assert hands_with(sent["key"]) == 1


@each_story
def test_the_api_repeats_its_answer_to_the_same_key(game, sent, scorer, organiser, happens, since):
    client = APIClient()
    client.force_authenticate(scorer)
    address = f"/api/v1/games/{game.pk}/hands/"
    body = {"number": 1, "outcome": "win", "winner": sent["winner"], "tiles": sent["tiles"]}
    first = client.post(address, body, format="json", headers={"Idempotency-Key": "k"})
    assert first.status_code == 201
    happens(Hand.objects.get(), scorer, organiser)
    again = client.post(address, body, format="json", headers={"Idempotency-Key": "k"})
    assert again.status_code == 200
    assert again["Idempotent-Replay"] == "true"
    assert again.json()["id"] == first.json()["id"]
    assert again.json()["final"] == 70
    assert hands_with("k") == 1


def test_another_hand_under_a_used_key_is_refused_with_the_first_hand(
    client, game, sent, scorer, organiser
):
    address = reverse("log_hand", args=[game.pk])
    first = client.post(address, sent, headers=SCRIPT).json()
    for happens, _since in STORIES:
        with taken_back():
            happens(Hand.objects.get(), scorer, organiser)
            again = client.post(address, {**sent, "discarder": "self"}, headers=SCRIPT)
            assert again.status_code == 409, happens
            assert again.json()["code"] == "key_reused", happens
            assert reverse("hand", args=[first["hand"]]) in again.json()["html"], happens
            [reason] = again.json()["reasons"]
            first_words = "This hand was saved before with something else in it"
            assert reason.startswith(first_words), happens
            assert hands_with(sent["key"]) == 1, happens
