"""The others say on the page of a hand, or on the phone that goes round, whether it is right."""

import re

import pytest
from django.urls import reverse

from scoring.models import Hand
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.hands.correct import correct_hand
from scoring.services.hands.entry import HandEntry
from scoring.services.hands.record import hand_at
from scoring.services.pins import MOST_FAILURES, set_pin
from scoring.services.seats import change_seats
from tests.factories import make_hand, make_member, make_organiser, make_player
from tests.support.pages import text

pytestmark = pytest.mark.django_db

GIVEN_UP_AT = r'<a class="button button--quiet" href="([^"]*)">Throw it away</a>'


@pytest.fixture
def scorer(game):
    return make_member(player=game.players[0])


@pytest.fixture
def other(game):
    return make_member(player=game.players[1])


@pytest.fixture
def hand(game, scorer):
    return make_hand(game, winner=1, by=scorer)


def answer(client, hand, chosen, **about):
    address = reverse("answer_hand", args=[hand.pk])
    return client.post(address, {"answer": chosen, **about}, follow=True)


def test_one_tap_confirms_a_hand(client, hand, other):
    client.force_login(other)
    page = client.get(hand.get_absolute_url())
    assert "I agree" in text(page)
    response = answer(client, hand, "confirm")
    assert "agrees" in text(response)
    assert hand.events.get().kind == "confirmed"


def test_one_tap_disputes_a_hand_and_marks_it_everywhere(client, hand, other, game):
    client.force_login(other)
    answer(client, hand, "dispute", about="tiles")
    for address in (hand.get_absolute_url(), game.get_absolute_url(), reverse("home")):
        assert "disputed" in text(client.get(address)), address


def test_a_reason_that_cannot_be_kept_is_refused(client, hand, other):
    client.force_login(other)
    assert answer(client, hand, "dispute", reason="wrong\0tiles").status_code == 400
    assert not hand.events.exists()


def test_the_scorer_passes_the_phone_round(client, hand, scorer, game):
    client.force_login(scorer)
    assert "I agree" not in text(client.get(hand.get_absolute_url()))
    address = reverse("pass_the_phone", args=[hand.pk])
    assert text(client.get(address)).count("I agree") == 3
    for player in game.players[1:]:
        response = answer(client, hand, "confirm", player=player.pk, next=address)
    assert hand.events.count() == 3
    # Everybody has agreed: there is nobody left to pass it to.
    assert "Accepted: everybody agreed." in text(response)


class TestSomebodyWithAnAccount:
    """Nobody else answers for them, unless they type their PIN."""

    @pytest.fixture(autouse=True)
    def _scorers_phone(self, client, scorer):
        client.force_login(scorer)

    def test_somebody_with_an_account_does_not_confirm_by_a_tap_on_the_scorers_phone(
        self, client, hand, other, game
    ):
        page = text(client.get(reverse("pass_the_phone", args=[hand.pk])))
        assert page.count("I agree") == 2
        assert f"{game.players[1]} answers when signed in" in page
        assert answer(client, hand, "confirm", player=game.players[1].pk).status_code == 403
        assert not hand.events.exists()

    def test_somebody_with_an_account_confirms_by_a_pin(self, client, hand, other, game):
        set_pin(game.players[1], "4711", by=other)
        assert "PIN of" in text(client.get(reverse("pass_the_phone", args=[hand.pk])))
        answer(client, hand, "confirm", player=game.players[1].pk, pin="4711")
        assert hand.events.get().player == game.players[1]

    def test_a_wrong_pin_of_a_confirmation_is_named(self, client, hand, other, game):
        set_pin(game.players[1], "4711", by=other)
        page = answer(client, hand, "confirm", player=game.players[1].pk, pin="123456789")
        assert (page.status_code, "at most 8 characters" in text(page)) == (422, True)
        page = answer(client, hand, "confirm", player=game.players[1].pk, pin="1234")
        assert page.status_code == 403
        assert f"This is not the PIN of {game.players[1]}." in text(page)
        assert '"4711"' not in text(page)

    def test_a_dispute_whose_pin_is_wrong_is_there_again(self, client, hand, other, game):
        set_pin(game.players[1], "4711", by=other)
        dispute = {"player": game.players[1].pk, "about": "score", "reason": "It was 120"}
        for pin in ("1234", "123456789"):
            page = text(answer(client, hand, "dispute", **dispute, pin=pin))
            assert page.count('<details class="answer__dispute" open>') == 1
            assert '<input type="radio" name="about" value="score" checked>' in page
            assert page.count('value="It was 120"') == 1
            assert f'"{pin}"' not in page

    def test_a_dispute_of_ones_own_that_says_too_much_is_there_again(self, client, hand, other):
        client.force_login(other)
        page = answer(client, hand, "dispute", about="score", reason="x" * 400)
        assert page.status_code == 422
        assert page.content.decode().count("x" * 400) == 1

    @pytest.mark.parametrize("name", ["hand", "pass_the_phone"])
    def test_a_dispute_of_who_was_signed_out_is_there_again(self, client, hand, other, game, name):
        dispute = {"answer": "dispute", "about": "score", "reason": "It was 120", "pin": "4711"}
        dispute["user"] = other.pk
        if name == "pass_the_phone":
            dispute["player"] = game.players[1].pk
        client.logout()
        away = client.post(reverse("answer_hand", args=[hand.pk]), dispute)
        place = reverse(name, args=[hand.pk])
        assert away.url == f"{reverse('sign_in')}?next={place}"
        client.force_login(other)
        page = text(client.get(place))
        assert page.count('<details class="answer__dispute" open>') == 1
        assert page.count('value="It was 120"') == 1
        assert "What was written before is here, and not sent yet." in page
        assert '"4711"' not in page
        (anew,) = re.findall(GIVEN_UP_AT, page)
        assert "not sent yet" not in text(client.get(place + anew))
        assert 'value="It was 120"' not in text(client.get(place))

    def test_a_dispute_is_not_shown_to_another_who_signs_in(self, client, hand, scorer, other):
        client.logout()
        dispute = {"answer": "dispute", "reason": "It was 120", "user": other.pk}
        client.post(reverse("answer_hand", args=[hand.pk]), dispute)
        assert "not sent yet" not in text(client.get(hand.get_absolute_url()))
        for one in (scorer, other):  # and gone for good
            client.force_login(one)
            page = text(client.get(hand.get_absolute_url()))
            assert "It was 120" not in page
            assert "not sent yet" not in page

    @pytest.mark.parametrize("name", ["hand", "pass_the_phone"])
    def test_a_dispute_of_who_was_signed_out_goes_on_at_the_version_that_stands(
        self, client, hand, other, game, name
    ):
        client.logout()
        dispute = {"answer": "dispute", "reason": "It was 120", "user": other.pk}
        if name == "pass_the_phone":
            dispute["player"] = other.player.pk
        client.post(reverse("answer_hand", args=[hand.pk]), dispute)
        seats = [game.players[place] for place in (1, 0, 2, 3)]
        change_seats(game, seats, by=make_organiser(), reason="swapped")
        client.force_login(other)
        page = client.get(reverse(name, args=[hand.pk]), follow=True)
        assert page.redirect_chain == [(reverse(name, args=[hand_at(game, 1).pk]), 302)]
        assert 'value="It was 120"' in text(page)
        assert "Hand 1 was corrected since" in text(page)

    def test_a_kept_dispute_outlasts_the_answer_of_another_player(self, client, hand, scorer, game):
        """The phone goes round."""
        place = reverse("pass_the_phone", args=[hand.pk])
        client.logout()
        dispute = {"answer": "dispute", "reason": "It was 120", "user": scorer.pk}
        dispute["player"] = game.players[2].pk
        client.post(reverse("answer_hand", args=[hand.pk]), dispute)
        client.force_login(scorer)
        answer(client, hand, "confirm", player=game.players[3].pk)
        assert 'value="It was 120"' in text(client.get(place))
        answer(client, hand, "dispute", player=game.players[2].pk, reason="It was 120")
        assert 'value="It was 120"' not in text(client.get(place))

    def test_a_dispute_that_is_thrown_away_is_gone_though_the_hand_was_corrected(
        self, client, hand, other, game
    ):
        client.logout()
        dispute = {"answer": "dispute", "reason": "It was 120", "user": other.pk}
        client.post(reverse("answer_hand", args=[hand.pk]), dispute)
        client.force_login(other)
        (anew,) = re.findall(GIVEN_UP_AT, text(client.get(hand.get_absolute_url())))
        seats = [game.players[place] for place in (1, 0, 2, 3)]
        change_seats(game, seats, by=make_organiser(), reason="swapped")
        page = client.get(hand.get_absolute_url() + anew, follow=True)
        assert not page.redirect_chain
        assert not client.session.get("typed")

    def test_a_dispute_of_who_sits_there_no_longer_is_not_spoken_of(
        self, client, hand, scorer, game
    ):
        client.logout()
        dispute = {"answer": "dispute", "reason": "It was 120", "user": scorer.pk}
        dispute["player"] = game.players[2].pk
        client.post(reverse("answer_hand", args=[hand.pk]), dispute)
        seats = [*game.players[:2], make_player("Eve"), game.players[3]]
        change_seats(game, seats, by=make_organiser(), reason="It was Eve")
        client.force_login(scorer)
        place = reverse("pass_the_phone", args=[hand_at(game, 1).pk])
        assert "not sent yet" not in text(client.get(place))

    def test_an_answer_on_a_page_that_was_shown_to_another_is_asked_for_again(
        self, client, hand, scorer, other
    ):
        client.force_login(other)
        for sent in ("confirm", "dispute"):
            page = answer(client, hand, sent, reason="It was 120", user=scorer.pk)
            assert page.status_code == 422
            assert "Somebody else was signed in when this page was shown." in text(page)
        assert "It was 120" not in text(page)
        assert not hand.events.exists()

    def test_the_words_of_another_are_in_their_own_card_if_they_can_answer_there(
        self, client, hand, other, game
    ):
        jose = make_member(player=game.players[2])
        set_pin(jose.player, "4711", by=jose)
        client.force_login(other)
        page = text(answer(client, hand, "dispute", reason="It was 120", user=jose.pk))
        assert f'id="reason-{jose.player.pk}" maxlength="300" value="It was 120"' in page
        assert page.count("It was 120") == 1

    def test_a_dispute_that_nobody_may_send_any_more_is_not_kept(self, client, hand, other):
        client.force_login(other)
        dispute_hand(hand, by=other, reason="x")
        settle_hand(hand, by=make_organiser(), reason="It was right")
        answer(client, hand, "dispute", reason="It was 120")
        assert not client.session.get("typed")

    @pytest.mark.parametrize("named", [False, True], ids=["own phone", "passed phone"])
    def test_a_dispute_of_a_version_that_is_past_is_there_again_at_the_one_that_stands(
        self, client, hand, other, game, named
    ):
        client.force_login(other)
        whose = {"player": other.player.pk} if named else {}
        seats = [game.players[place] for place in (1, 0, 2, 3)]
        change_seats(game, seats, by=make_organiser(), reason="swapped")
        page = answer(client, hand, "dispute", about="score", reason="It was 120", **whose)
        now = hand_at(game, 1)
        place = reverse("pass_the_phone" if named else "hand", args=[now.pk])
        assert page.redirect_chain == [(place, 302)]
        assert text(page).count('value="It was 120"') == 1
        answer(client, now, "dispute", about="score", reason="It was 120")
        assert "not sent yet" not in text(client.get(place))

    def test_somebody_with_an_account_waits_after_too_many_wrong_pins(
        self, client, hand, other, game
    ):
        set_pin(game.players[1], "4711", by=other)
        for _attempt in range(MOST_FAILURES):
            answer(client, hand, "confirm", player=game.players[1].pk, pin="1234")
        page = answer(client, hand, "dispute", player=game.players[1].pk, pin="4711", reason="120!")
        assert (page.status_code, "Retry-After" in page.headers) == (429, True)
        assert not hand.events.exists()
        assert 'value="120!"' in text(client.get(reverse("pass_the_phone", args=[hand.pk])))


class TestWhatIsWrong:
    @pytest.fixture(autouse=True)
    def _signed_in(self, client, other):
        client.force_login(other)

    def test_what_is_wrong_in_a_dispute_is_asked_and_shown(self, client, hand):
        page = text(client.get(hand.get_absolute_url()))
        assert "What is wrong?" in page
        page = text(answer(client, hand, "dispute", about="tiles", reason="That was a 6"))
        assert "The tiles: “That was a 6”" in page
        assert hand.events.get().about == "tiles"

    @pytest.mark.parametrize("chosen", [{"about": "weather"}, {"reason": "x" * 301}])
    def test_a_dispute_about_what_cannot_be_wrong_is_refused(self, client, hand, chosen):
        assert answer(client, hand, "dispute", **chosen).status_code == 422
        assert not hand.events.exists()

    @pytest.mark.parametrize("chosen", [{}, {"about": "other"}, {"reason": "  "}])
    def test_what_a_dispute_is_about_is_asked_for_where_it_is_left_out(self, client, hand, chosen):
        page = answer(client, hand, "dispute", **chosen)
        assert (page.status_code, "Say what is wrong: the winner" in text(page)) == (422, True)
        assert not hand.events.exists()

    @pytest.mark.parametrize("chosen", [{"about": "score"}, {"reason": "It was Wen"}])
    def test_what_a_dispute_is_about_is_said_by_a_choice_or_in_words(self, client, hand, chosen):
        answer(client, hand, "dispute", **chosen)
        assert hand.events.get().kind == "disputed"


@pytest.mark.parametrize(
    "elsewhere", ["https://example.com/", "//example.com/", "hands", "a@b", "24:61", "🀄️", "[]"]
)
def test_a_confirmation_redirects_within_the_site_only(client, hand, other, elsewhere):
    client.force_login(other)
    address = reverse("answer_hand", args=[hand.pk])
    response = client.post(address, {"answer": "confirm", "next": elsewhere})
    assert response.url == hand.get_absolute_url()


@pytest.mark.parametrize("chosen", ["", "perhaps"])
def test_an_unknown_answer_stores_nothing(client, hand, other, chosen):
    client.force_login(other)
    answer(client, hand, chosen)
    assert not hand.events.exists()


def test_a_player_from_elsewhere_is_refused(client, hand, scorer):
    client.force_login(scorer)
    for player in ("999999", "x"):
        assert answer(client, hand, "confirm", player=player).status_code == 403


def test_a_stranger_is_told_but_not_asked(client, hand):
    client.force_login(make_member())
    page = text(client.get(hand.get_absolute_url()))
    assert "Do the others agree?" in page
    assert "I agree" not in page
    assert answer(client, hand, "confirm").status_code == 403


def test_a_hand_that_was_corrected_shows_what_was_said_and_asks_nobody(client, hand, other):
    dispute_hand(hand, by=other, reason="That was a 6")
    organiser = make_organiser()
    correct_hand(hand, HandEntry(number=1, outcome="draw"), by=organiser, reason="Nobody won")
    client.force_login(organiser)
    page = text(client.get(hand.get_absolute_url()))
    assert "What the others said" in page
    assert "That was a 6" in page
    assert "not yet" not in page


def test_a_visitor_is_told_nothing_about_confirmations(client, hand):
    assert "Do the others agree?" not in text(client.get(hand.get_absolute_url()))


class TestSettling:
    @pytest.fixture
    def disputed(self, hand, other):
        return dispute_hand(hand, by=other, reason="That was a 6")

    def test_settling_a_dispute_shows_what_is_disputed_and_lets_it_stand(self, client, disputed):
        client.force_login(make_organiser())
        address = reverse("settle_hand", args=[disputed.pk])
        assert "That was a 6" in text(client.get(address))
        client.post(address, {"reason": "It was a 5"})
        disputed.refresh_from_db()
        assert disputed.status == Hand.Status.COUNTED

    def test_settling_a_dispute_wants_a_reason(self, client, disputed):
        client.force_login(make_organiser())
        response = client.post(reverse("settle_hand", args=[disputed.pk]), {"reason": ""})
        assert response.status_code == 422

    def test_settling_a_dispute_of_a_hand_that_nobody_disputes_says_so(self, client, hand):
        client.force_login(make_organiser())
        page = client.get(reverse("settle_hand", args=[hand.pk]), follow=True)
        assert (page.status_code, "Nobody disputes hand 1." in text(page)) == (200, True)

    def test_the_page_that_settles_a_dispute_is_for_organisers(self, client, disputed, other):
        client.force_login(other)
        address = reverse("settle_hand", args=[disputed.pk])
        assert client.get(address).status_code == 403
        assert client.post(address, {"reason": "Mine"}).status_code == 403


@pytest.mark.parametrize("answers", [0, 2])
def test_confirmations_cost_the_same_queries_however_many_answered(
    client, game, hand, scorer, other, answers, django_assert_num_queries
):
    client.force_login(scorer)
    for player in game.players[2 : 2 + answers]:
        answer(client, hand, "confirm", player=player.pk)
    with django_assert_num_queries(10):
        client.get(hand.get_absolute_url())


def test_an_organiser_reads_who_disputes_a_hand_though_somebody_took_their_place(
    client, game, scorer, other
):
    def scored(final):
        win = {"outcome": "win", "winner": game.players[2].pk, "self_drawn": True}
        return HandEntry.from_json({"number": 1, **win, "claimed_final": final})

    hand = make_hand(game, winner=2, tiles="", claimed_final=50, by=scorer)
    dispute_hand(hand, by=other, about="score")
    hand = correct_hand(hand, scored(60), by=scorer, reason="A slip").hand
    seats = [game.players[0], make_player(), *game.players[2:]]
    change_seats(game, seats, by=scorer, reason="A slip", anyway=True)
    hand = correct_hand(game.hands.current().get(), scored(50), by=scorer, reason="A slip").hand
    client.force_login(make_organiser())
    page = text(client.get(hand.get_absolute_url()))
    assert f'<span>{other.player}</span> <span class="badge badge--disputed">' in page
    table = text(client.get(hand.game.get_absolute_url()))
    assert f"{seats[1]} plays instead of {other.player}. “A slip”" in table


def test_who_disputes_a_settled_hand_again_reads_that_it_counts(client, hand, other):
    dispute_hand(hand, by=other, about="score")
    settle_hand(hand, by=make_organiser(), reason="We looked")
    client.force_login(other)
    page = text(answer(client, hand, "dispute", about="score"))
    assert "counts as accepted: it can be corrected, no longer disputed." in page
    assert "only organisers can change this hand. “We looked”" in page
    assert "is confirmed" not in page


def test_who_confirms_a_hand_twice_is_thanked_twice(client, hand, other):
    client.force_login(other)
    for _tap in range(2):
        assert "Hand 1 is confirmed." in text(answer(client, hand, "confirm"))
