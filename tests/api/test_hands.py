"""``hands/{id}/``."""

import pytest

from scoring.translation import card_in_words
from tests.factories import make_hand, make_member

pytestmark = pytest.mark.django_db


def test_a_hand_shows_what_was_stored(visitor, game):
    hand = make_hand(game, winner=1)
    answer = visitor.get(f"/api/v1/hands/{hand.pk}/").json()
    assert answer["scorecard"] == card_in_words(hand.card)
    assert [(p["player"], p["amount"]) for p in answer["payments"]] == [
        (payment.player_id, payment.amount) for payment in hand.payments.order_by("pk")
    ]
    assert answer["logged_by"] is None


def test_a_hand_names_the_player_who_logged_it(visitor, game):
    hand = make_hand(game, by=make_member(player=game.players[3]))
    answer = visitor.get(f"/api/v1/hands/{hand.pk}/").json()
    assert answer["logged_by"] == game.players[3].pk


def test_the_hands_of_a_game_can_be_narrowed(visitor, game):
    won, drawn = make_hand(game, winner=1), make_hand(game)
    unchecked = make_hand(game, winner=2, tiles="", claimed_final=50)

    def filtered(query):
        response = visitor.get(f"/api/v1/games/{game.pk}/hands/?{query}").json()
        return [row["id"] for row in response["results"]]

    assert filtered("") == [won.pk, drawn.pk, unchecked.pk]
    assert filtered("outcome=draw") == [drawn.pk]
    assert filtered(f"winner={game.players[2].pk}") == [unchecked.pk]
    assert filtered("checked=false") == [unchecked.pk]
