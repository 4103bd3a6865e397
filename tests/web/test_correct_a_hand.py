"""Correcting a hand on its pages: what changes is shown first, then it is done."""

import re
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Hand
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.evenings import close_evening
from scoring.services.hands.correct import void_hand
from scoring.services.hands.record import hand_at
from scoring.services.seats import change_seats
from tests.factories import BOOK_HAND, make_hand, make_member, make_organiser
from tests.support.pages import text

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


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


def corrected(game, place=0, **changes):
    winner = str(game.players[place].pk)
    sent = {"number": 1, "winner": winner, "discarder": "unknown", "tiles": BOOK_HAND}
    return {**sent, "reason": "East won", **changes}


def etag(response):
    return response.context["changes"].etag


@pytest.mark.parametrize("step", [{"step": "see"}, {"step": "apply", "seen": "x", "key": "k1"}])
def test_a_correction_by_which_a_later_hand_pays_too_much_says_which(
    player, game, monkeypatch, step
):
    monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 400)
    first = make_hand(game, winner=0, tiles="", claimed_final=20)
    make_hand(game, winner=1, tiles="", claimed_final=90)
    sent = corrected(game, place=2, tiles="", claimed_final="20", **step)
    response = player.post(address(first), sent)
    assert response.status_code == 422
    assert "Hand 2 would then pay more than 400 points: nobody can keep that." in text(response)
    assert game.hands.count() == 2


class TestTheForm:
    def test_the_form_of_a_correction_begins_with_what_was_entered(self, player, hand, game):
        form = player.get(address(hand)).context["form"]
        assert form["winner"].value() == str(game.players[1].pk)
        assert form["tiles"].value().startswith("222B*")

    def test_a_correction_that_is_refused_says_why_and_keeps_what_was_typed(
        self, player, hand, game
    ):
        sent = corrected(game, tiles="222B 345B", reason="", step="see")
        response = player.post(address(hand), sent)
        assert response.status_code == 422
        assert response.context["form"]["tiles"].value() == "222B 345B"
        assert "reason" in response.context["form"].errors

    def test_the_form_of_a_correction_says_what_the_hand_itself_refuses(self, player, hand, game):
        response = player.post(address(hand), corrected(game, tiles="222B 345B", step="see"))
        assert response.status_code == 422
        assert "tiles" in response.context["form"].errors

    def test_the_form_of_a_correction_is_not_for_strangers(self, client, hand):
        client.force_login(make_member())
        assert client.get(address(hand)).status_code == 403
        assert client.get(address(hand, "void_hand")).status_code == 403

    def test_the_form_of_a_correction_asks_a_visitor_to_sign_in(self, client, hand):
        assert client.get(address(hand)).status_code == 302


class TestSeeing:
    def test_the_preview_of_a_correction_shows_each_hand_that_changes(self, player, hand, game):
        response = player.post(address(hand), corrected(game, step="see"))
        changes = response.context["changes"]
        assert [line.number for line in changes.lines] == [1, 2]
        assert changes.lines[1].deal == f"{game.players[0]} deals instead of {game.players[1]}"
        assert [amount for _player, amount in changes.totals] == [490, -350, -70, -70]
        assert "+490" in text(response)
        assert Hand.objects.filter(version=2).count() == 0

    def test_the_preview_of_a_correction_lets_the_entry_be_changed_again(self, player, hand, game):
        response = player.post(address(hand), corrected(game, step="edit"))
        assert response.status_code == 200
        assert response.context["form"]["reason"].value() == "East won"


class TestApplying:
    def apply(self, player, hand, game, **changes):
        seen = etag(player.post(address(hand), corrected(game, step="see")))
        sent = corrected(game, step="apply", seen=seen, key="k1", **changes)
        return player.post(address(hand), sent, follow=True)

    def test_the_preview_of_a_correction_says_that_only_the_entry_changes(self, player, game):
        hand = make_hand(game, winner=1, tiles="", claimed_limit="big_three_dragons")
        given = {"tiles": "", "claimed_limit": "big_four_winds", "winner": game.players[1].pk}
        given |= {"number": hand.number, "reason": "A slip", "step": "see", "discarder": "unknown"}
        page = player.post(f"/hands/{hand.pk}/correct/", given)
        assert page.status_code == 200, page.content.decode()
        assert "entered otherwise; the points stay" in page.content.decode()
        assert "1 hand does not change" not in page.content.decode()

    def test_applying_a_correction_leads_to_the_version_that_stands(self, player, hand, game):
        response = self.apply(player, hand, game)
        shown = response.context["sheet"].hand
        assert (shown.version, shown.winner, shown.reason) == (2, game.players[0], "East won")
        assert "Hand 1 is corrected." in text(response)

    def test_applying_a_correction_twice_is_one_correction(self, player, hand, game):
        self.apply(player, hand, game)
        sent = corrected(game, step="apply", key="k1", seen="another")
        player.post(address(hand), sent, follow=True)
        assert Hand.objects.filter(number=1).count() == 2

    def test_a_correction_that_is_sent_again_with_something_else_says_that_nothing_was_changed(
        self, player, hand, game
    ):
        self.apply(player, hand, game)
        sent = corrected(game, place=2, step="apply", key="k1")
        response = player.post(address(hand), sent, follow=True)
        assert response.context["sheet"].hand.winner == game.players[0]
        assert "so nothing was changed now" in text(response)
        assert Hand.objects.filter(number=1).count() == 2

    def test_applying_a_correction_of_something_else_than_was_seen_shows_it_again(
        self, player, hand, game
    ):
        seen = etag(player.post(address(hand), corrected(game, step="see")))
        make_hand(game, winner=3)
        response = player.post(address(hand), corrected(game, step="apply", seen=seen))
        assert response.status_code == 409
        assert etag(response) != seen
        assert "look at what changes now" in text(response)

    def test_applying_a_correction_of_a_version_that_no_longer_stands_leads_to_the_one_that_does(
        self, player, hand, game
    ):
        self.apply(player, hand, game)
        response = player.get(address(hand), follow=True)
        assert response.context["sheet"].hand.version == 2
        assert "was corrected since" in text(response)

    def test_a_correction_of_the_winner_alone_leaves_how_the_tiles_lay(self, client, game):
        tiles = "1112345678999B 5B"
        hand = make_hand(game, winner=1, tiles=tiles, concealed=False)
        client.force_login(make_member(player=game.players[3]))
        form = client.get(address(hand)).context["form"]
        typed = {name: form[name].value() for name in ("tiles", "discarder")}
        sent = {"number": 1, **typed, "reason": "West won"}
        sent |= {"winner": str(game.players[2].pk), "step": "see"}
        sent["seen"] = etag(client.post(address(hand), sent))
        client.post(address(hand), {**sent, "step": "apply"})
        new = Hand.objects.get(number=1, status="live")
        assert (new.concealed, new.final) == (False, hand.final)


class TestAChoiceEmptiesWhatItMakesSenseless:
    """Without scripts nothing can be taken back: a chosen button stays chosen, a text stays there."""

    def sent(self, page, **changes):
        form = page.context["form"]
        begun = {name: form[name].value() or "" for name in form.fields}
        return {**begun, "reason": "It was so", **changes}

    def corrected(self, client, hand, **changes):
        sent = self.sent(client.get(address(hand)), **changes)
        page = client.post(address(hand), {**sent, "step": "see"})
        assert page.status_code == 200
        kept = dict(page.context["kept"])
        client.post(address(hand), {**kept, "seen": etag(page), "step": "apply"})
        return Hand.objects.get(number=hand.number, status="live")

    def test_a_win_becomes_a_draw(self, player, game):
        hand = make_hand(game, winner=1, discarder=game.players[2].pk)
        new = self.corrected(player, hand, winner="draw")
        assert (new.outcome, new.winner, new.discarder, new.tiles) == ("draw", None, None, "")

    def test_a_self_drawn_win_becomes_a_draw(self, player, game):
        hand = make_hand(game, winner=1, self_drawn=True)
        new = self.corrected(player, hand, winner="draw")
        assert (new.outcome, new.self_drawn, new.concealed) == ("draw", False, False)

    def test_a_draw_becomes_a_win(self, player, game):
        east, south = (str(one.pk) for one in game.players[:2])
        hand = make_hand(game)
        new = self.corrected(player, hand, winner=south, discarder=east, tiles=BOOK_HAND)
        assert (new.outcome, new.discarder, new.final) == ("win", game.players[0], 70)

    def test_a_score_takes_the_place_of_the_tiles(self, player, hand):
        new = self.corrected(player, hand, claimed_final="120")
        assert (new.tiles, new.checked, new.final) == ("", False, 120)

    def test_tiles_take_the_place_of_a_score(self, player, game):
        hand = make_hand(game, winner=1, tiles="", claimed_final=120)
        new = self.corrected(player, hand, tiles=BOOK_HAND)
        assert (new.checked, new.final) == (True, 70)

    def test_tiles_and_a_claimed_score_at_once_are_refused(self, player, hand):
        sent = self.sent(player.get(address(hand)), tiles=BOOK_HAND, claimed_final="120")
        page = player.post(address(hand), {**sent, "step": "see"})
        assert page.status_code == 422
        assert "not both" in text(page)

    def test_the_open_one_of_two_equal_chows_stays_open(self, player, game):
        hand = make_hand(game, winner=1, tiles="345B* 345B 55B 222D GGG")
        form = player.get(address(hand)).context["form"]
        assert sorted(form["tiles"].value().split())[1:3] == ["345B", "345B*"]
        new = self.corrected(player, hand, winner=str(game.players[2].pk))
        assert new.melds == hand.melds


class TestTheNewScore:
    def preview(self, client, hand, **changes):
        winner = str(hand.game.players[0].pk)
        sent = {"number": 1, "winner": winner, "discarder": "self", "tiles": BOOK_HAND, **changes}
        return client.post(address(hand, "preview_correction"), sent)

    def test_the_new_score_is_shown_while_it_is_entered(self, player, hand):
        shown = self.preview(player, hand).context["preview"]
        assert (shown.ready, shown.final) == (True, 70)
        assert [share.amount for share in shown.shares] == [420, -140, -140, -140]
        assert Hand.objects.filter(version=2).count() == 0

    def test_the_new_score_gives_way_to_what_is_missing(self, player, hand):
        shown = self.preview(player, hand, tiles="222B 345B").context["preview"]
        assert (shown.ready, shown.todo) == (False, "Still needed: two more sets and a pair.")

    def test_the_new_score_is_not_for_strangers(self, client, hand):
        client.force_login(make_member())
        assert self.preview(client, hand).status_code == 403


class TestSignedOutMeanwhile:
    PASSWORD = "tiles on the table"

    def test_the_correction_is_there_again_after_signing_in(self, client, hand, game):
        make_member("ann", player=game.players[3], password=self.PASSWORD)
        away = client.post(address(hand), corrected(game, place=2, step="see"))
        assert away.url == f"{reverse('sign_in')}?next={address(hand)}"
        client.post(reverse("sign_in"), {"username": "ann", "password": self.PASSWORD})
        page = client.get(address(hand))
        form = page.context["form"]
        assert form["winner"].value() == str(game.players[2].pk)
        assert (form["tiles"].value(), form["reason"].value()) == (BOOK_HAND, "East won")
        assert "not saved yet" in text(page)
        assert Hand.objects.filter(version=2).count() == 0

    def test_a_token_of_another_session_loses_nothing(self, hand, game):
        client = Client(enforce_csrf_checks=True)
        client.force_login(make_member(player=game.players[3]))
        refused = client.post(
            address(hand), urlencode(corrected(game, place=2, step="see")), content_type=FORM
        )
        assert refused.status_code == 403
        shown = text(refused)
        assert f'action="{address(hand)}"' in shown
        assert BOOK_HAND in shown
        assert "East won" in shown


def test_a_limit_hand_that_was_chosen_takes_the_place_of_the_tiles(player, hand, game):
    """Without scripts the tiles are sent as well, as they were entered."""
    tiles = player.get(address(hand)).context["form"]["tiles"].value()
    sent = corrected(game, place=1, tiles=tiles, claimed_limit="big_three_dragons", step="see")
    shown = player.post(address(hand), sent)
    assert f"{game.players[1]} wins 500" in text(shown)


class TestASettledHand:
    def test_a_settled_hand_is_for_organisers_to_correct(self, client, hand, game):
        member = make_member(player=game.players[3])
        dispute_hand(hand, by=member)
        settle_hand(hand, by=make_organiser(), reason="We looked")
        client.force_login(member)
        assert "Correct" not in text(client.get(hand.get_absolute_url())).split("Do the others")[1]
        for name in ("correct_hand", "void_hand"):
            response = client.get(address(hand, name))
            assert response.status_code == 403
            assert "only organisers can change it" in text(response)


class TestADisputedHand:
    @pytest.fixture
    def doubter(self, game, hand):
        member = make_member(player=game.players[0])
        dispute_hand(hand, by=member, about="discarder", reason="It was Wen")
        return member.player

    def test_stays_disputed_where_the_correction_leaves_what_is_wrong(
        self, player, hand, game, doubter
    ):
        sent = corrected(game, place=1, tiles="222B 345B 66B 222D GGG", step="see")
        shown = player.post(address(hand), sent)
        assert f"{doubter} still disputes this hand" in text(shown)
        assert "Who discarded: “It was Wen”" in text(shown)
        done = player.post(
            address(hand), {**sent, "step": "apply", "seen": etag(shown)}, follow=True
        )
        assert "Hand 1 is corrected. It is disputed" in text(done)
        assert "It was Wen" in text(done).split("Do the others agree?")[1]

    def test_counts_where_the_correction_says_otherwise(self, player, hand, game, doubter):
        sent = corrected(game, place=1, discarder=str(game.players[2].pk), step="see")
        shown = player.post(address(hand), sent)
        assert "still disputes" not in text(shown)
        assert "no longer disputed: it counts" in text(shown)
        player.post(address(hand), {**sent, "step": "apply", "seen": etag(shown)})
        assert not game.hands.disputed().exists()


class TestVoid:
    def test_voiding_a_hand_shows_what_changes_and_does_it(self, player, hand, game):
        page = player.get(address(hand, "void_hand"))
        totals = page.context["changes"].totals
        assert [amount for _player, amount in totals] == [70, -210, 70, 70]
        sent = {"reason": "Two games mixed up", "seen": etag(page), "key": "k"}
        response = player.post(address(hand, "void_hand"), sent, follow=True)
        assert response.context["sheet"].hand.status == Hand.Status.VOID
        assert "Hand 1 is void." in text(response)

    def test_voiding_a_hand_wants_a_reason(self, player, hand):
        response = player.post(address(hand, "void_hand"), {"reason": " "})
        assert (response.status_code, "reason" in response.context["form"].errors) == (422, True)
        assert Hand.objects.current().count() == 2

    def test_voiding_what_somebody_disputes_says_who_can_before_anything_is_filled_in(
        self, player, hand, game
    ):
        doubter = make_member(player=game.players[1])
        dispute_hand(hand, by=doubter, about="score")
        for response in (
            player.get(address(hand, "void_hand")),
            player.post(address(hand, "void_hand"), {"reason": "A slip", "seen": "", "key": "k"}),
        ):
            assert f"{game.players[1]} or an organiser declares it void" in text(response)
            assert "Declare it void" not in text(response)
        assert game.hands.disputed().exists()
        player.force_login(doubter)
        sent = {
            "reason": "A slip",
            "seen": etag(player.get(address(hand, "void_hand"))),
            "key": "k",
        }
        assert "Hand 1 is void." in text(player.post(address(hand, "void_hand"), sent, follow=True))

    def test_voiding_that_cannot_be_says_why_before_anything_is_filled_in(self, player, hand, game):
        # A later hand that no rule makes, as only somebody at the database can leave one.
        game.hands.filter(number=2).update(tiles="1B " * 13 + "1B")
        response = player.get(address(hand, "void_hand"))
        assert "Hand 2 could not have been played like this" in text(response)
        assert "Declare it void" not in text(response)

    def test_only_who_may_declare_a_disputed_hand_void_is_offered_it(self, player, hand, game):
        offer = f'href="{address(hand, "void_hand")}"'
        assert offer in text(player.get(address(hand, "hand")))
        doubter = make_member(player=game.players[1])
        dispute_hand(hand, by=doubter, about="score")
        page = text(player.get(address(hand, "hand")))
        assert offer not in page
        assert f'href="{address(hand)}"' in page
        for member in (doubter, make_organiser()):
            player.force_login(member)
            assert offer in text(player.get(address(hand, "hand")))


class TestHistory:
    def test_the_history_of_a_hand_tells_every_version(self, player, hand, game):
        TestApplying().apply(player, hand, game)
        shown = text(player.get(address(hand, "hand_history")))
        for words in ("Logged", "Corrected", "East won", "Before", "After"):
            assert words in shown

    def test_the_history_of_a_hand_is_for_members(self, client, hand):
        assert client.get(address(hand, "hand_history")).status_code == 302


@pytest.mark.parametrize(("hands", "queries"), [(1, 13), (3, 14)])
def test_a_preview_of_a_correction_costs_few_queries_however_many_hands_follow(
    player, game, hands, queries, django_assert_num_queries
):
    """However many hands follow; one query asks whether an organiser settled any of them."""
    by = make_organiser()
    first, *_others = [make_hand(game, winner=1, by=by) for _hand in range(hands)]
    with django_assert_num_queries(queries):
        player.post(address(first), corrected(game, step="see"))


class TestRestore:
    @pytest.fixture
    def void(self, hand):
        return void_hand(hand, by=make_organiser(), reason="A slip").hand

    def test_a_void_hand_is_found_from_its_table_and_restored(self, player, void, game):
        table = text(player.get(game.get_absolute_url()))
        assert f'<a href="{void.get_absolute_url()}">Hand 1</a>' in table
        assert address(void, "restore_hand") in text(player.get(void.get_absolute_url()))
        page = player.get(address(void, "restore_hand"))
        changes = page.context["changes"]
        assert [amount for _player, amount in changes.totals] == [-70, 210, -70, -70]
        assert changes.lines[0].before == "void, nobody pays"
        sent = {"reason": "It was played", "seen": etag(page), "key": "k"}
        for words in (
            "Hand 1 is restored.",
            "This form was sent before, and was carried out then.",
        ):
            response = player.post(address(void, "restore_hand"), sent, follow=True)
            new = response.context["sheet"].hand
            assert (new.number, new.version, new.status) == (1, 2, Hand.Status.COUNTED)
            assert words in text(response)
        history = text(player.get(address(new, "hand_history")))
        assert "<h2>Restored</h2>" in history
        assert f"{game.players[3]}" in history
        assert "“It was played”" in history
        old = text(player.get(void.get_absolute_url()))
        assert f'<a href="{new.get_absolute_url()}">See the hand as it counts</a>' in old
        assert address(void, "restore_hand") not in old
        assert "Void:" not in text(player.get(game.get_absolute_url()))

    def test_restoring_a_hand_wants_a_reason_on_its_page(self, player, void):
        response = player.post(address(void, "restore_hand"), {"reason": " "})
        assert (response.status_code, "reason" in response.context["form"].errors) == (422, True)

    def test_restoring_is_offered_to_nobody_who_may_not(self, client, void, game):
        client.force_login(make_member())
        assert address(void, "restore_hand") not in text(client.get(void.get_absolute_url()))
        assert "Void:" not in text(client.get(game.get_absolute_url()))
        assert client.get(address(void, "restore_hand")).status_code == 403

    def test_restoring_what_was_logged_again_leads_to_the_hand_that_stands(self, player, game):
        by = make_organiser()
        void = void_hand(make_hand(game, winner=1, by=by), by=by, reason="A slip").hand
        again = make_hand(game, winner=2, by=by)
        assert address(void, "restore_hand") not in text(player.get(void.get_absolute_url()))
        response = player.get(address(void, "restore_hand"), follow=True)
        assert response.context["sheet"].hand == again
        assert "Another hand is number 1 by now." in text(response)

    def test_a_dispute_that_comes_back_is_shown_before(self, player, hand, game):
        doubter = make_member(player=game.players[0])
        dispute_hand(hand, by=doubter, about="score", reason="Not so much")
        void_hand(hand, by=doubter, reason="A slip")
        page = player.get(address(hand, "restore_hand"))
        assert f"{game.players[0]} still disputes this hand" in text(page)
        sent = {"reason": "It was played", "seen": etag(page), "key": "k"}
        response = player.post(address(hand, "restore_hand"), sent, follow=True)
        assert "Hand 1 is restored. It is disputed" in text(response)


@pytest.mark.parametrize("step", ["see", "apply"])
def test_a_correction_of_a_version_that_is_past_goes_on_at_the_one_that_stands(
    player, hand, game, step
):
    by = make_organiser()
    seats = [game.players[place] for place in (1, 0, 2, 3)]
    change_seats(game, seats, by=by, reason="swapped")
    now = hand_at(game, 1)
    assert now.pk != hand.pk
    sent = corrected(game, place=2, step=step, reason="It was South")
    response = player.post(address(hand), sent, follow=True)
    assert response.redirect_chain == [(address(now), 302)]
    form = response.context["form"]
    assert form["winner"].value() == sent["winner"]
    assert form["tiles"].value() == BOOK_HAND
    assert form["reason"].value() == "It was South"
    assert "Your correction is here, and not saved yet." in text(response)
    sent = {**form.initial, "key": form["key"].value(), "number": 1, "step": "apply"}
    assert player.post(address(now), sent).url == hand_at(game, 1).get_absolute_url()
    assert hand_at(game, 1).reason == "It was South"


def test_a_correction_goes_on_after_signing_in_though_another_version_stands_by_then(
    client, player, hand, game
):
    client.logout()
    client.post(address(hand), corrected(game, place=2, step="see", reason="It was South"))
    seats = [game.players[place] for place in (1, 0, 2, 3)]
    change_seats(game, seats, by=make_organiser(), reason="swapped")
    client.force_login(make_organiser())
    response = client.get(address(hand), follow=True)
    assert response.redirect_chain == [(address(hand_at(game, 1)), 302)]
    assert response.context["form"]["reason"].value() == "It was South"
    assert text(response).count("Your correction is here, and not saved yet.") == 1


def test_a_correction_of_a_hand_that_is_void_now_leads_to_the_table(player, hand, game):
    void_hand(hand, by=make_organiser(), reason="twice")
    response = player.post(address(hand), corrected(game, step="see"))
    assert response.status_code == 302
    assert response.url != address(hand)


@pytest.mark.parametrize("step", ["see", "apply"])
def test_a_correction_is_not_sent_in_the_name_of_whoever_signed_in_since(client, hand, game, step):
    one, other = (make_member(player=player) for player in game.players[:2])
    client.force_login(other)
    response = client.post(address(hand), corrected(game, step=step, user=one.pk))
    assert response.status_code == 422
    assert "Somebody else was signed in when this was entered." in text(response)
    assert response.context["form"]["reason"].value() == "East won"
    assert f'name="user" value="{other.pk}"' in text(response)
    assert not game.hands.filter(reason="East won").exists()


def test_a_correction_that_goes_on_does_not_bring_back_what_was_emptied(player, game):
    claimed = make_hand(game, winner=1, tiles="", claimed_final=100)
    sent = corrected(game, place=1, claimed_final="", step="see")
    change_seats(
        game, [game.players[place] for place in (1, 0, 2, 3)], by=make_organiser(), reason="x"
    )
    response = player.post(address(claimed), sent, follow=True)
    form = response.context["form"]
    assert (form["tiles"].value(), form["claimed_final"].value()) == (BOOK_HAND, None)


def test_a_correction_that_goes_on_in_the_session_of_another_says_so(client, hand, game):
    one, other = (make_member(player=player) for player in game.players[:2])
    client.force_login(other)
    change_seats(
        game, [game.players[place] for place in (1, 0, 2, 3)], by=make_organiser(), reason="x"
    )
    sent = corrected(game, step="see", user=one.pk, reason="It was South")
    shown = client.post(address(hand), sent, follow=True)
    assert "Somebody else was signed in when this was entered." in text(shown)
    assert shown.context["form"]["reason"].value() == "It was South"


def test_a_correction_is_not_shown_to_another_who_signs_in(client, hand, game):
    one, other = (make_member(player=player) for player in game.players[:2])
    sent = corrected(game, step="see", user=one.pk, reason="West cheats, I think")
    client.post(address(hand), sent)
    client.force_login(other)
    shown = text(client.get(address(hand)))
    assert "West cheats" not in shown
    assert "Your correction is here" not in shown


def test_a_correction_that_goes_on_can_be_given_up(client, player, hand, game):
    client.logout()
    client.post(address(hand), corrected(game, step="see", reason="It was South"))
    client.force_login(make_organiser())
    assert client.get(address(hand)).context["form"]["reason"].value() == "It was South"
    page = text(client.get(address(hand)))
    anew = re.search(r'<a href="([^"]*)">Begin again with the hand as it stands</a>', page)[1]
    form = client.get(address(hand) + anew, follow=True).context["form"]
    assert (form["reason"].value(), form["tiles"].value()[:5]) == (None, "222B*")


def test_a_correction_names_who_enters_it_at_every_step(player, hand, game):
    member = game.players[3].user
    named = f'name="user" value="{member.pk}"'
    assert named in text(player.get(address(hand)))
    assert named in text(player.post(address(hand), corrected(game, step="see", user=member.pk)))


@pytest.mark.parametrize("step", ["see", "apply"])
def test_a_correction_that_comes_after_the_evening_was_closed_is_there_to_be_read(
    player, hand, game, organiser, step
):
    close_evening(game.league, game.evening, by=organiser)
    page = player.post(address(hand), corrected(game, step=step, reason="East called first"))
    assert page.status_code == 403
    assert "is closed" in text(page)
    assert page.context["form"]["reason"].value() == "East called first"
    assert page.context["form"]["winner"].value() == str(game.players[0].pk)
    assert not Hand.objects.filter(version=2).exists()


def test_a_hand_that_was_declared_void_meanwhile_is_not_called_taken_back(player, hand, game):
    void_hand(hand, by=make_organiser(), reason="It was another")
    page = player.post(address(hand), corrected(game, step="see"), follow=True)
    assert "Hand 1 was declared void." in text(page)


def test_a_correction_that_was_typed_before_the_session_was_over_is_there_though_the_evening_is_closed(
    client, hand, game, organiser
):
    member = make_member(player=game.players[3])
    sent = corrected(game, step="see", reason="East called first", user=member.pk)
    client.post(address(hand), sent)
    close_evening(game.league, game.evening, by=organiser)
    client.force_login(member)
    page = client.get(address(hand))
    assert page.status_code == 403
    assert "is closed" in text(page)
    assert page.context["form"]["reason"].value() == "East called first"


@pytest.mark.parametrize("step", ["see", "apply", "edit"])
def test_what_another_typed_is_not_shown_after_the_evening_was_closed(
    player, hand, game, organiser, step
):
    close_evening(game.league, game.evening, by=organiser)
    sent = corrected(game, step=step, reason="West cheats", user=organiser.pk)
    page = player.post(address(hand), sent)
    assert page.status_code == 403
    assert "West cheats" not in text(page)


def corrects_and_is_signed_out(client, hand, game):
    """The member, whose correction is carried out, and what they have sent."""
    member = make_member(player=game.players[3])
    client.force_login(member)
    seen = etag(client.post(address(hand), corrected(game, step="see", user=member.pk)))
    sent = corrected(game, step="apply", seen=seen, key="k1", user=member.pk)
    client.post(address(hand), sent)
    client.logout()
    return member, sent


def test_a_correction_that_was_carried_out_before_the_session_was_over_is_not_called_unsaved(
    client, hand, game
):
    member, sent = corrects_and_is_signed_out(client, hand, game)
    client.post(address(hand), sent)
    client.force_login(member)
    page = client.get(address(hand), follow=True)
    assert "This form was sent before, and was carried out then." in text(page)
    assert "Your correction is here" not in text(page)
    assert page.redirect_chain == [(hand_at(game, 1).get_absolute_url(), 302)]
    assert not client.session.get("typed")


@pytest.mark.parametrize("change", [{"claimed_final": "300"}, {"reason": "North says so, too"}])
def test_other_words_for_a_correction_that_was_carried_out_are_kept(client, hand, game, change):
    """Its answer was lost; the form was filled in anew, and sent after the session was over."""
    member, sent = corrects_and_is_signed_out(client, hand, game)
    client.post(address(hand), {**sent, **change})
    client.force_login(member)
    page = client.get(address(hand), follow=True)
    assert "This form was carried out before you were signed out." in text(page)
    (name, value) = change.popitem()
    assert str(page.context["form"][name].value()) == value
    assert page.context["form"]["key"].value() != "k1"
    assert page.request["PATH_INFO"] == address(hand_at(game, 1))
