"""``hands/{id}/`` and its history."""

import pytest

from scoring.models import Hand
from tests.api.callers import caller
from tests.factories import make_hand, make_member, make_organiser

pytestmark = pytest.mark.django_db


def test_a_hand_shows_what_was_stored(visitor, game):
    hand = make_hand(game, winner=1)
    said = visitor.get(f"/api/v1/hands/{hand.pk}/").json()
    assert said["scorecard"] == hand.card
    assert [(p["player"], p["amount"]) for p in said["payments"]] == [
        (payment.player_id, payment.amount) for payment in hand.payments.order_by("pk")
    ]
    assert said["logged_by"] is None


def test_a_hand_names_the_player_who_logged_it(visitor, game):
    hand = make_hand(game, by=make_member(player=game.players[3]))
    said = visitor.get(f"/api/v1/hands/{hand.pk}/").json()
    assert said["logged_by"] == game.players[3].pk


def test_the_hands_of_a_game_can_be_narrowed(visitor, game):
    won, drawn = make_hand(game, winner=1), make_hand(game)
    unchecked = make_hand(game, winner=2, tiles="", claimed_final=50)

    def found(query):
        response = visitor.get(f"/api/v1/games/{game.pk}/hands/?{query}").json()
        return [row["id"] for row in response["results"]]

    assert found("") == [won.pk, drawn.pk, unchecked.pk]
    assert found("outcome=draw") == [drawn.pk]
    assert found(f"winner={game.players[2].pk}") == [unchecked.pk]
    assert found("checked=false") == [unchecked.pk]


class TestTheHistory:
    def test_of_a_hand_that_was_never_corrected_is_its_logging(self, member, game):
        by = make_member(player=game.players[0])
        hand = make_hand(game, winner=1, by=by)
        told = member.get(f"/api/v1/hands/{hand.pk}/history/").json()
        (version,) = told.pop("versions")
        assert told == {"game": game.pk, "number": 1}
        assert version["who"] == {"player": game.players[0].pk, "name": game.players[0].name}
        assert (version["version"], version["before"], version["why"]) == (1, None, "")
        assert version["after"] == member.get(f"/api/v1/hands/{hand.pk}/").json()
        assert version["when"] == version["after"]["logged_at"]

    def test_of_a_corrected_hand_tells_what_it_was_before(self, member, game):
        first = make_hand(game, winner=1)
        Hand.objects.filter(pk=first.pk).update(status=Hand.Status.SUPERSEDED)
        second = Hand.objects.create(
            game=game,
            round=first.round,
            number=1,
            version=2,
            supersedes=first,
            outcome="draw",
            prevailing="E",
            dealer=first.dealer,
            ruleset_version=first.ruleset_version,
            logged_by=make_organiser("olga"),
            reason="Nobody had won.",
        )
        for hand in (first, second):
            told = member.get(f"/api/v1/hands/{hand.pk}/history/").json()
            one, two = told["versions"]
            assert (one["before"], one["after"]["id"]) == (None, first.pk)
            assert (two["before"], two["after"]["id"]) == (one["after"], second.pk)
            assert (two["who"], two["why"]) == (
                {"player": None, "name": "olga"},
                "Nobody had won.",
            )

    def test_of_a_hand_whose_scorer_is_gone_has_nobody(self, game):
        by = make_organiser()
        hand = make_hand(game, by=by)
        by.delete()
        told = caller(make_member()).get(f"/api/v1/hands/{hand.pk}/history/").json()
        assert told["versions"][0]["who"] is None
