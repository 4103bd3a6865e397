"""Undoing the hand just logged: offered for a minute, one request, and it lies in the form again."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.evaluator.notation import parse_tiles
from scoring.models import Hand, League
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.games import finish_game
from scoring.services.seats import move_game
from scoring.services.withdrawals import withdraw_game
from scoring.web.shared.form_initial import form_initial, typed_tiles
from tests.factories import make_hand, make_member, make_organiser

pytestmark = pytest.mark.django_db


@pytest.fixture
def scorer(game):
    return make_member(player=game.players[0])


@pytest.fixture
def table(client, scorer):
    client.force_login(scorer)
    return lambda game: client.get(reverse("game", args=[game.pk])).context["table"]


def undo(client, hand, **headers):
    return client.post(reverse("undo_hand", args=[hand.pk]), headers=headers)


class TestOffered:
    def test_undo_is_offered_to_who_logged_the_last_hand(self, table, game, scorer):
        hand = make_hand(game, winner=1, by=scorer)
        offered = table(game).undo
        assert offered.hand == hand
        assert 50 <= offered.seconds <= 60

    def test_undo_is_offered_to_nobody_but_the_scorer(self, table, game):
        make_hand(game, winner=1)
        assert table(game).undo is None

    def test_undo_is_not_offered_after_a_minute(self, table, game, scorer):
        make_hand(game, winner=1, by=scorer)
        Hand.objects.update(logged_at=timezone.now() - timedelta(seconds=61))
        assert table(game).undo is None

    def test_undo_is_offered_at_a_game_that_was_moved_to_another_day(self, table, game, scorer):
        hand = make_hand(game, winner=1, by=scorer)
        yesterday = game.evening - timedelta(days=1)
        League.objects.update(starts_on=yesterday)
        move_game(game, league=game.league, day=yesterday, by=make_organiser(), reason="A slip")
        assert table(game).undo.hand == hand

    def test_undo_is_not_offered_of_disputed_or_settled_hands(self, table, game, scorer):
        hand = make_hand(game, winner=1, by=scorer)
        dispute_hand(hand, by=make_member(player=game.players[2]), about="tiles")
        assert table(game).undo is None
        settle_hand(hand, by=make_organiser(), reason="We looked")
        assert table(game).undo is None

    def test_undo_is_not_offered_in_a_withdrawn_game(self, table, game, scorer):
        make_hand(game, winner=1, by=scorer)
        withdraw_game(game, by=scorer, reason="Wrong table")
        assert table(game).undo is None

    def test_undo_is_not_offered_before_the_first_hand(self, table, game):
        assert table(game).undo is None


class TestCarriedOut:
    def test_an_undone_hand_lies_in_the_form_of_the_page_without_scripts(
        self, client, table, game, scorer
    ):
        hand = make_hand(game, winner=1, by=scorer)
        table(game)
        response = undo(client, hand)
        assert response.context["form"]["winner"].value() == str(game.players[1].pk)
        assert "222B" in response.context["form"]["tiles"].value()
        page = response.content.decode()
        assert "<!doctype html>" in page
        assert "Hand 1 was taken back." in page
        hand.refresh_from_db()
        assert hand.status == Hand.Status.VOID
        game.refresh_from_db()
        assert game.next_number == 1

    def test_an_undo_in_a_game_that_is_over_says_how_to_enter_the_hand_again(
        self, client, table, game, scorer
    ):
        hand = make_hand(game, winner=1, by=scorer)
        table(game)
        finish_game(game, by=scorer)
        assert "Reopen the game to enter it again." in undo(client, hand).content.decode()

    def test_what_was_entered_lies_in_the_form(self, client, table, game, scorer):
        hand = make_hand(game, winner=1, by=scorer, discarder=game.players[3].pk)
        table(game)
        answer = undo(client, hand, Accept="application/json").json()
        assert answer["outcome"] == "undone"
        assert dict(answer["fields"])["winner"] == str(game.players[1].pk)
        assert dict(answer["fields"])["discarder"] == str(game.players[3].pk)
        assert answer["word"]["number"] == 1

    @pytest.mark.parametrize(
        ("entered", "who"),
        [
            ({"winner": 1, "discarder": 3}, "{1}, on {3}’s discard"),
            ({"winner": 1, "self_drawn": True}, "{1}, self-drawn"),
            ({"winner": None}, "No winner (draw): nobody pays"),
        ],
    )
    def test_a_page_without_a_form_reads_who_won_the_hand_that_was_undone(
        self, client, table, game, scorer, entered, who
    ):
        if "discarder" in entered:
            entered = {**entered, "discarder": game.players[entered["discarder"]].pk}
        hand = make_hand(game, by=scorer, **entered)
        table(game)
        finish_game(game, by=scorer)
        assert undo(client, hand, Accept="application/json").json()["who"] == who.format(
            *(player.name for player in game.players)
        )

    def test_an_undo_that_is_sent_twice_is_done_once(self, client, table, game, scorer):
        """The answer was lost: the phone asks again."""
        hand = make_hand(game, winner=1, by=scorer)
        first, second = (undo(client, hand, Accept="application/json") for _tap in range(2))
        assert (first.status_code, second.status_code) == (200, 200)
        assert first.json()["fields"] == second.json()["fields"]
        assert hand.events.count() == 1

    def test_an_undo_that_comes_too_late_says_so(self, client, table, game, scorer):
        hand = make_hand(game, by=scorer)
        make_hand(game, by=scorer)
        table(game)
        response = undo(client, hand, Accept="application/json")
        assert response.status_code == 409
        assert "is no longer the last one" in response.json()["reasons"][0]

    def test_undo_of_a_disputed_hand_is_refused(self, client, table, game, scorer):
        hand = make_hand(game, winner=1, by=scorer)
        dispute_hand(hand, by=make_member(player=game.players[2]), about="tiles")
        response = undo(client, hand, Accept="application/json")
        assert (response.status_code, response.json()["code"]) == (409, "disputed")
        assert "Hand 1 is disputed" in response.json()["reasons"][0]
        response = client.post(f"/api/v1/hands/{hand.pk}/undo/", content_type="application/json")
        assert response.status_code == 409
        page = client.post(reverse("undo_hand", args=[hand.pk]), follow=True)
        assert "Hand 1 is disputed: correct it. Who disputes it can" in page.content.decode()
        hand.refresh_from_db()
        assert hand.disputed

    def test_an_undo_that_comes_too_late_without_scripts_leads_back_to_the_table(
        self, client, table, game, scorer
    ):
        hand = make_hand(game, by=scorer)
        make_hand(game, by=scorer)
        assert undo(client, hand).url == reverse("game", args=[game.pk])

    def test_an_undo_is_for_who_logged_the_hand(self, client, game):
        hand = make_hand(game)
        client.force_login(make_member(player=game.players[1]))
        assert undo(client, hand).status_code == 403

    def test_an_organiser_is_not_told_to_ask_an_organiser(self, client, game):
        hand = make_hand(game)
        for user, asks in ((make_organiser(), False), (make_member(), True)):
            client.force_login(user)
            page = undo(client, hand)
            assert page.status_code == 403
            assert ("Ask one of them" in page.content.decode()) == asks

    def test_a_visitor_who_undoes_a_hand_signs_in_first(self, client, game):
        assert undo(client, make_hand(game)).url.startswith(reverse("sign_in"))

    def test_a_link_does_nothing(self, client, table, game, scorer):
        hand = make_hand(game, by=scorer)
        table(game)
        assert client.get(reverse("undo_hand", args=[hand.pk])).status_code == 405


class TestTypedAgain:
    @pytest.mark.parametrize(
        "text",
        [
            "222B* 345B GGG 222D 55B",
            "345B* 345B GGG 222D 55B",
            "345B* 345B# GGG 222D 55B",
            "2222B# 345B* GGG 222D 55B",
            "WhWhWh RRRR* 345B 222D 55B",
        ],
    )
    def test_a_hand_is_typed_set_by_set(self, game, text):
        hand = make_hand(game, winner=1, tiles=text)
        assert sorted(typed_tiles(hand).split()) == sorted(text.split())

    def test_a_hand_without_sets_is_typed_tile_by_tile(self, game):
        hand = make_hand(game, winner=1, tiles="19B 19C 19D ESWN RGWhWh")
        assert sorted(parse_tiles(typed_tiles(hand))) == sorted(parse_tiles(hand.tiles))

    def test_a_draw_and_a_score_keep_what_was_entered(self, game):
        assert form_initial(make_hand(game)) == {"winner": "draw"}
        hand = make_hand(game, winner=0, tiles="", claimed_final=120, self_drawn=True)
        assert form_initial(hand) == {
            "winner": str(game.players[0].pk),
            "discarder": "self",
            "claimed_final": 120,
        }
