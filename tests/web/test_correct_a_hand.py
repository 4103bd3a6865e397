"""Correcting a hand on its pages: what changes is shown first, then it is done."""

import pytest
from django.urls import reverse

from scoring.models import Hand
from tests.factories import BOOK_HAND, make_game, make_hand, make_member, make_organiser

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return make_game()


@pytest.fixture
def hand(game):
    by = make_organiser()
    first = make_hand(game, winner=1, by=by, tiles="222B* 345B 55B 222D GGG")
    make_hand(game, winner=2, by=by)
    return first


@pytest.fixture
def player(client, game):
    client.force_login(make_member(player=game.players[3]))
    return client


def address(hand, name="correct_hand"):
    return reverse(name, args=[hand.pk])


def said(game, place=0, **changes):
    winner = str(game.players[place].pk)
    return {"number": 1, "winner": winner, "tiles": BOOK_HAND, "reason": "East won", **changes}


def mark(response):
    return response.context["changes"].mark


def text(response):
    return " ".join(response.content.decode().split())


class TestTheForm:
    def test_begins_with_what_was_entered(self, player, hand, game):
        form = player.get(address(hand)).context["form"]
        assert form["winner"].value() == str(game.players[1].pk)
        assert form["tiles"].value().startswith("222B*")

    def test_that_is_refused_says_why_and_keeps_what_was_typed(self, player, hand, game):
        sent = said(game, tiles="222B 345B", reason="", step="see")
        response = player.post(address(hand), sent)
        assert response.status_code == 422
        assert response.context["form"]["tiles"].value() == "222B 345B"
        assert "reason" in response.context["form"].errors

    def test_says_what_the_hand_itself_refuses(self, player, hand, game):
        response = player.post(address(hand), said(game, tiles="222B 345B", step="see"))
        assert response.status_code == 422
        assert "tiles" in response.context["form"].errors

    def test_is_not_for_strangers(self, client, hand):
        client.force_login(make_member())
        assert client.get(address(hand)).status_code == 403
        assert client.get(address(hand, "void_hand")).status_code == 403

    def test_asks_a_visitor_to_sign_in(self, client, hand):
        assert client.get(address(hand)).status_code == 302


class TestSeeing:
    def test_shows_each_hand_that_changes(self, player, hand, game):
        response = player.post(address(hand), said(game, step="see"))
        changes = response.context["changes"]
        assert [line.number for line in changes.lines] == [1, 2]
        assert changes.lines[1].deal == f"{game.players[0]} deals instead of {game.players[1]}"
        assert changes.totals == [490, -350, -70, -70]
        assert "+490" in text(response)
        assert Hand.objects.filter(version=2).count() == 0

    def test_lets_the_entry_be_changed_again(self, player, hand, game):
        response = player.post(address(hand), said(game, step="edit"))
        assert response.status_code == 200
        assert response.context["form"]["reason"].value() == "East won"


class TestApplying:
    def apply(self, player, hand, game, **changes):
        seen = mark(player.post(address(hand), said(game, step="see")))
        sent = said(game, step="apply", seen=seen, key="k1", **changes)
        return player.post(address(hand), sent, follow=True)

    def test_leads_to_the_version_that_stands(self, player, hand, game):
        response = self.apply(player, hand, game)
        shown = response.context["sheet"].hand
        assert (shown.version, shown.winner, shown.reason) == (2, game.players[0], "East won")
        assert "Hand 1 is corrected." in text(response)

    def test_twice_is_one_correction(self, player, hand, game):
        self.apply(player, hand, game)
        sent = said(game, step="apply", key="k1", seen="another")
        player.post(address(hand), sent, follow=True)
        assert Hand.objects.filter(number=1).count() == 2

    def test_of_something_else_than_was_seen_shows_it_again(self, player, hand, game):
        seen = mark(player.post(address(hand), said(game, step="see")))
        make_hand(game, winner=3)
        response = player.post(address(hand), said(game, step="apply", seen=seen))
        assert response.status_code == 409
        assert mark(response) != seen
        assert "look at what changes now" in text(response)

    def test_of_a_version_that_no_longer_stands_leads_to_the_one_that_does(
        self, player, hand, game
    ):
        self.apply(player, hand, game)
        response = player.get(address(hand), follow=True)
        assert response.context["sheet"].hand.version == 2
        assert "was corrected since" in text(response)

    def test_of_the_winner_alone_leaves_how_the_tiles_lay(self, client, game):
        tiles = "1112345678999B 5B"
        hand = make_hand(game, winner=1, tiles=tiles, concealed=False)
        client.force_login(make_member(player=game.players[3]))
        form = client.get(address(hand)).context["form"]
        sent = {"number": 1, "tiles": form["tiles"].value(), "reason": "West won"}
        sent |= {"winner": str(game.players[2].pk), "step": "see"}
        sent["seen"] = mark(client.post(address(hand), sent))
        client.post(address(hand), {**sent, "step": "apply"})
        new = Hand.objects.get(number=1, status="live")
        assert (new.concealed, new.final) == (False, hand.final)


class TestVoid:
    def test_shows_what_changes_and_does_it(self, player, hand, game):
        page = player.get(address(hand, "void_hand"))
        assert page.context["changes"].totals == [70, -210, 70, 70]
        sent = {"reason": "Two games mixed up", "seen": mark(page), "key": "k"}
        response = player.post(address(hand, "void_hand"), sent, follow=True)
        assert response.context["sheet"].hand.status == Hand.Status.VOID
        assert "Hand 1 is void." in text(response)

    def test_wants_a_reason(self, player, hand):
        response = player.post(address(hand, "void_hand"), {"reason": " "})
        assert (response.status_code, "reason" in response.context["form"].errors) == (422, True)
        assert Hand.objects.live().count() == 2

    def test_that_cannot_be_says_why_before_anything_is_filled_in(self, player, hand, game):
        # A later hand that no rule makes, as only somebody at the database can leave one.
        game.hands.filter(number=2).update(tiles="1B " * 13 + "1B")
        response = player.get(address(hand, "void_hand"))
        assert "Hand 2 could not have been played then" in text(response)
        assert "Declare it void" not in text(response)


class TestHistory:
    def test_tells_every_version(self, player, hand, game):
        TestApplying().apply(player, hand, game)
        shown = text(player.get(address(hand, "hand_history")))
        for words in ("Logged", "Corrected", "East won", "Before", "After"):
            assert words in shown

    def test_is_for_members(self, client, hand):
        assert client.get(address(hand, "hand_history")).status_code == 302


@pytest.mark.parametrize("hands", [1, 3])
def test_looking_costs_the_same(player, game, hands, django_assert_num_queries):
    by = make_organiser()
    first, *_others = [make_hand(game, winner=1, by=by) for _hand in range(hands)]
    with django_assert_num_queries(11):
        player.post(address(first), said(game, step="see"))
