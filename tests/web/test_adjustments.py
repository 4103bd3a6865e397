"""Penalties at a table, adjustments in a league, and taking them back, on their pages."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.models import Adjustment
from scoring.services import adjustments
from tests.factories import make_game, make_hand, make_member, make_organiser
from tests.support.pages import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = make_game()
    make_hand(game, winner=1)
    return game


@pytest.fixture
def player(client, game):
    client.force_login(make_member(player=game.players[3]))
    return client


def book(client, game, **changes):
    sent = {"payer": game.players[0].pk, "amount": 100, "reason": "False mah jongg", "key": "k"}
    return client.post(reverse("penalty", args=[game.pk]), sent | changes, follow=True)


def test_a_penalty_stands_at_the_table(player, game):
    shown = text(book(player, game))
    assert "False mah jongg" in shown
    assert "−440" in shown


def test_a_penalty_that_is_sent_twice_is_booked_once(player, game):
    for _tap in range(2):
        book(player, game)
    assert Adjustment.objects.count() == 1


def test_a_penalty_that_comes_again_after_it_was_reversed_is_not_called_saved(
    player, game, organiser
):
    assert "Saved." in text(book(player, game))
    adjustments.reverse(game.adjustments.get(), by=organiser, reason="It was no mah jongg")
    again = text(book(player, game))
    assert "This form was sent before, and was carried out then." in again
    assert "Saved." not in again
    assert game.adjustments.count() == 2


def test_a_penalty_that_another_has_just_entered_is_asked_about(player, game, client):
    book(player, game)
    client.force_login(make_member(player=game.players[1]))
    asked = book(client, game, key="other", reason="Called a hand that was none")
    assert asked.status_code == 422
    who = game.players[3]
    sentence = f"The same points were entered just now by {who}, for “False mah jongg”."
    assert sentence in text(asked)
    assert "These points are owed a second time" in text(asked)
    assert Adjustment.objects.count() == 1
    for _tap in range(2):
        sent = book(client, game, key="other", reason="Called a hand that was none", anyway="on")
    assert sent.status_code == 200
    assert Adjustment.objects.count() == 2


@pytest.mark.parametrize(
    "change", [{"amount": 200}, {"payer": "other"}], ids=["other points", "other payer"]
)
def test_another_penalty_than_the_one_just_entered_is_not_asked_about(player, game, client, change):
    book(player, game)
    client.force_login(make_member(player=game.players[1]))
    payer = {"payer": game.players[2].pk} if "payer" in change else change
    assert book(client, game, key="other", **payer).status_code == 200
    assert Adjustment.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"payer": ""}, "payer"),
        ({"payer": "999999"}, "payer"),
        ({"amount": ""}, "amount"),
        ({"amount": "0"}, "amount"),
        ({"amount": "100001"}, "amount"),
        ({"amount": "1.000"}, "amount"),
        ({"reason": ""}, "reason"),
    ],
)
def test_an_invalid_penalty_is_refused_at_its_field(player, game, change, field):
    response = book(player, game, **change)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert not Adjustment.objects.exists()


def test_a_penalty_is_nothing_for_strangers(client, game):
    client.force_login(make_member())
    assert book(client, game).status_code == 403
    assert client.get(reverse("penalty", args=[game.pk])).status_code == 403


def test_a_booking_is_taken_back_with_a_reason(player, game):
    book(player, game)
    address = reverse("take_back", args=[Adjustment.objects.get().pk])
    assert player.post(address, {"reason": ""}).status_code == 422
    shown = text(player.post(address, {"reason": "It did win"}, follow=True))
    assert "reversed" in shown
    assert "It did win" in shown
    response = player.post(address, {"reason": "Again"})
    assert (response.status_code, "reversed already" in text(response)) == (422, True)


def test_an_entry_that_is_reversed_offers_no_form(player, game):
    book(player, game)
    entry = Adjustment.objects.get()
    address = reverse("take_back", args=[entry.pk])
    player.post(address, {"reason": "It did win"})
    back = Adjustment.objects.get(reverses=entry)
    for pk, sentence in ((entry.pk, "reversed already"), (back.pk, "reverses another one")):
        shown = text(player.get(reverse("take_back", args=[pk])))
        assert sentence in shown
        assert 'name="reason"' not in shown
        assert "Reverse this entry?" not in shown


class TestALeague:
    def address(self, game):
        return reverse("adjustments", args=[game.league.slug])

    def sent(self, game):
        east, south, *_rest = game.players
        return {"payer": south.pk, "payee": east.pk, "amount": 40, "reason": "Wrong sum"}

    def test_a_league_lists_its_bookings_for_everybody(self, client, player, game):
        book(player, game)
        client.logout()
        response = client.get(self.address(game))
        assert "False mah jongg" in text(response)
        assert "Add an adjustment" not in text(response)

    def test_a_league_takes_bookings_from_organisers(self, client, game):
        client.force_login(make_organiser())
        shown = text(client.post(self.address(game), self.sent(game), follow=True))
        assert "Wrong sum" in shown

    def test_a_league_says_which_booking_cannot_be(self, client, game):
        client.force_login(make_organiser())
        sent = self.sent(game) | {"payee": game.players[1].pk}
        response = client.post(self.address(game), sent)
        assert response.status_code == 422
        assert "Nobody pays themselves" in text(response)

    def test_a_league_takes_bookings_from_nobody_but_organisers(self, client, player, game):
        assert player.post(self.address(game), self.sent(game)).status_code == 403
        client.logout()
        assert client.post(self.address(game), self.sent(game)).status_code == 302

    @pytest.mark.parametrize("bookings", [1, 3])
    def test_the_bookings_of_a_league_cost_the_same_queries_for_any_number(
        self, client, game, bookings, django_assert_num_queries
    ):
        client.force_login(make_member(player=game.players[3]))
        for number in range(bookings):
            book(client, game, key=f"k{number}")
        client.logout()
        page = self.address(game)
        with django_assert_num_queries(4):
            client.get(page)


class TestTheSameFormTwice:
    def test_the_same_form_from_a_page_that_was_loaded_again_is_booked_once(self, player, game):
        for key in ("one", "two"):
            shown = text(book(player, game, key=key))
        assert Adjustment.objects.count() == 1
        assert "It is saved already" in shown

    def test_the_same_form_twice_without_a_key_is_booked_once(self, player, game):
        for _tap in range(2):
            book(player, game, key="")
        assert Adjustment.objects.count() == 1

    def test_the_same_form_with_another_reason_is_booked_twice(self, player, game):
        book(player, game, key="one")
        book(player, game, key="two", reason="False mah jongg, the second")
        assert Adjustment.objects.count() == 2

    def test_the_same_form_after_its_booking_was_taken_back_is_booked_again(self, player, game):
        book(player, game, key="one")
        booked = Adjustment.objects.get()
        page = reverse("take_back", args=[booked.pk])
        for _tap in range(2):
            player.post(page, {"reason": "It was none", "key": "k2"}, follow=True)
        book(player, game, key="two")
        assert Adjustment.objects.count() == 3

    def test_the_same_form_after_a_minute_is_another_booking(self, player, game):
        book(player, game, key="one")
        Adjustment.objects.update(made_at=timezone.now() - timedelta(seconds=61))
        book(player, game, key="two")
        assert Adjustment.objects.count() == 2
