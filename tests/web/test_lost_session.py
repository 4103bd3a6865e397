"""A hand that was typed while the session ran out is there again after signing in."""

import re
from html import unescape
from urllib.parse import unquote, urlencode, urljoin

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from scoring.models import Adjustment, Club, Game, Hand, club
from scoring.services.adjustments import TransferEntry, book_in_league
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.hands.correct import void_hand
from scoring.services.withdrawals import restore_game
from tests.factories import (
    BOOK_HAND,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db

PASSWORD = "tiles on the table"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def ann(game):
    return make_member("ann", player=game.players[0], password=PASSWORD)


@pytest.fixture
def table(game):
    return game.get_absolute_url()


@pytest.fixture
def typed(game):
    winner, discarder = game.players[1].pk, game.players[0].pk
    entry = {"number": 1, "key": "k1", "winner": winner, "discarder": discarder}
    return {**entry, "tiles": BOOK_HAND, "claimed_final": ""}


@pytest.fixture
def save(client, game):
    def save(entry, view="log_hand"):
        return client.post(reverse(view, args=[game.pk]), urlencode(entry), content_type=FORM)

    return save


def sign_in(client, address):
    signed = {"username": "ann", "password": PASSWORD, "next": address.partition("next=")[2]}
    return client.post(address.partition("?")[0], signed)


def sent_by(page):
    """What the form on ``page`` would send, as it stands there."""
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    chosen = dict(re.findall(r'<input type="radio" name="(\w+)" value="(\w+)"[^>]* checked', page))
    tiles = dict(re.findall(r'<input type="text" name="(tiles)" value="([^"]*)"', page))
    save = dict(re.findall(r'<button [^>]*name="(user)" value="(\d+)" data-save', page))
    return {**hidden, **chosen, **tiles, **save}


@pytest.mark.parametrize("view", ["log_hand", "preview_hand"])
def test_a_hand_typed_before_a_lost_session_is_on_the_table_again(
    client, ann, save, typed, table, view
):
    away = save(typed, view)
    assert away.url == f"{reverse('sign_in')}?next={table}"
    assert sign_in(client, away.url).url == table
    page = text(client.get(table))
    assert "Your hand is here, and not saved yet." in page
    assert not Hand.objects.exists()
    again = sent_by(page)
    assert {name: again[name] for name in ("winner", "discarder", "tiles", "key")} == {
        name: str(typed[name]) for name in ("winner", "discarder", "tiles", "key")
    }
    assert save(again).url == table
    assert Hand.objects.get().final == 70


def test_a_draft_outlives_a_reload_and_goes_when_a_hand_is_saved(client, ann, save, typed, table):
    sign_in(client, save(typed).url)
    assert BOOK_HAND in text(client.get(table))
    assert BOOK_HAND in text(client.get(table))
    save(typed)
    page = text(client.get(table))
    assert BOOK_HAND not in page
    assert "Your hand is here" not in page


def test_a_draft_is_shown_though_somebody_else_logged_a_hand_meanwhile(
    client, ann, save, typed, table, game
):
    away = save(typed)
    make_hand(game)
    sign_in(client, away.url)
    assert BOOK_HAND in text(client.get(table))
    refused = save(typed)
    assert refused.status_code == 409
    assert BOOK_HAND in text(refused)


def test_a_draft_is_not_found_by_another_person_on_the_phone(client, ann, save, typed, table, game):
    make_member("ben", player=game.players[1], password=PASSWORD)
    sign_in(client, save(typed).url)
    client.post(reverse("sign_out"))
    client.post(reverse("sign_in"), {"username": "ben", "password": PASSWORD})
    assert BOOK_HAND not in text(client.get(table))


def test_a_draft_is_not_shown_to_another_who_signs_in(client, ann, save, typed, table, game):
    save({**typed, "user": ann.pk})
    client.force_login(make_member("ben", player=game.players[1]))
    assert BOOK_HAND not in text(client.get(table))


def test_the_form_of_another_is_asked_for_again_before_it_is_saved(client, ann, save, typed, game):
    """Ben has signed in on the same phone, in another tab."""
    ben = make_member("ben", player=game.players[1])
    client.force_login(ben)
    sent = {**typed, "user": ann.pk}
    refused = save(sent)
    assert refused.status_code == 422
    for page in (refused, save(sent, "preview_hand")):
        assert "Somebody else was signed in when this was entered." in text(page)
    assert not Hand.objects.exists()
    assert sent_by(text(refused))["user"] == str(ben.pk)
    save(sent_by(text(refused)))
    assert Hand.objects.get().logged_by == ben


def test_whoever_may_not_log_there_sees_the_table_only(client, save, typed, table):
    make_member("ann", password=PASSWORD)
    sign_in(client, save(typed).url)
    page = text(client.get(table))
    assert "View only." in page
    assert BOOK_HAND not in page


def test_nothing_typed_makes_no_session(client, save):
    save({"number": 1, "key": "k1", "winner": "", "tiles": ""})
    assert not Session.objects.exists()


def test_only_what_a_form_has_is_kept_and_little_of_it(client, save, typed, table):
    save({**typed, "tiles": "2B" * 5000, "other": "x"})
    kept = client.session["typed"][table]
    assert "other" not in kept
    assert len(kept["tiles"]) == 400


def test_only_a_few_drafts_are_kept(client, typed):
    for pk in range(1, 9):
        client.post(reverse("log_hand", args=[pk]), typed)
    assert list(client.session["typed"]) == [reverse("game", args=[pk]) for pk in (5, 6, 7, 8)]


def test_a_link_to_save_leads_to_no_dead_end(client, game):
    assert client.get(reverse("log_hand", args=[game.pk])).status_code == 405


class TestSignedInAgainInAnotherTab:
    """The old page's token is no longer good: nothing is stored, and nothing is lost."""

    @pytest.fixture
    def client(self):
        return Client(enforce_csrf_checks=True)

    def test_the_hand_is_offered_to_be_sent_once_more(self, client, ann, save, typed, table, game):
        client.force_login(ann)
        client.get(table)
        refused = save({**typed, "csrfmiddlewaretoken": "of yesterday"})
        assert refused.status_code == 403
        offer = sent_by(text(refused))
        assert not Hand.objects.exists()
        shown = client.post(reverse("preview_hand", args=[game.pk]), offer)
        assert shown.status_code == 200
        again = sent_by(text(shown))
        assert again["tiles"] == BOOK_HAND
        assert save(again).status_code == 302
        assert Hand.objects.count() == 1

    def test_what_another_site_sends_touches_no_session(self, client, save, typed):
        refused = save(typed)
        assert refused.status_code == 403
        assert "sessionid" not in refused.cookies
        assert not Session.objects.exists()

    def test_what_was_sent_does_nothing_on_the_page(self, client, save, typed):
        page = text(save({**typed, "tiles": '"><script>alert(1)</script>'}))
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page

    @pytest.mark.parametrize("body", [b"\xff\xfe", b"--x\r\n", b""])
    def test_a_body_that_cannot_be_read_is_no_bug(self, client, game, body):
        address = reverse("log_hand", args=[game.pk])
        for content_type in (
            FORM,
            "multipart/form-data; boundary=x",
        ):
            assert client.post(address, body, content_type=content_type).status_code == 403

    def test_forms_without_a_draft_say_how_to_go_on(self, client):
        refused = client.post(reverse("sign_in"), {"username": "ann"})
        assert refused.status_code == 403
        assert "Go back, reload the page and send it again" in text(refused)


class TestWhatAScriptSends:
    """What comes without JSON is of something between the site and the phone, and signs nobody out."""

    SCRIPT = {"Accept": "application/json", "HX-Request": "true"}

    @pytest.mark.parametrize("call", ["hands/", "preview/", "late/"])
    def test_a_form_without_a_token_of_the_site_hears_in_json_to_sign_in(
        self, ann, typed, table, call
    ):
        phone = Client(enforce_csrf_checks=True)
        phone.force_login(ann)
        answer = phone.post(f"{table}{call}", typed, headers=self.SCRIPT)
        assert (answer.status_code, answer.json()["outcome"]) == (401, "signedOut")

    @pytest.mark.parametrize(
        "address", ["/games/999/hands/", "/games/999/late/", "/hands/999/undo/"]
    )
    def test_a_game_that_is_gone_is_said_in_json(self, client, ann, typed, address):
        client.force_login(ann)
        answer = client.post(address, typed, headers=self.SCRIPT)
        assert (answer.status_code, answer.json()["outcome"]) == (404, "refused")
        reasons = ["This game is gone, or you may not see it any more."]
        if address == "/games/999/hands/":
            reasons.append("Ask an organiser before you throw the hand away.")
        assert answer.json()["reasons"] == reasons
        assert "There is nothing here" in text(client.post(address, typed))

    @pytest.mark.parametrize("address", ["/players/999/pin/", "/nowhere/", "/games/999/nowhere/"])
    def test_what_is_missing_and_no_game_is_not_called_one(self, client, ann, typed, address):
        client.force_login(ann)
        answer = client.post(address, typed, headers=self.SCRIPT)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        assert answer.json()["reasons"] == ["There is nothing at this address that you may see."]

    def test_the_poll_of_a_game_that_is_gone_hears_it_by_a_page_that_names_its_reader(
        self, client, ann
    ):
        client.force_login(ann)
        answer = client.get("/games/999/live/", headers=self.SCRIPT)
        assert answer.status_code == 404
        assert f'data-user="{ann.pk}"' in answer.content.decode()

    def test_an_owner_who_owes_a_second_factor_is_not_led_away(self, client, typed, table):
        client.force_login(make_owner())
        club.remember(Club(pk=1, owners_need_second_factor=True), seconds=3600)
        answer = client.post(f"{table}hands/", typed, headers=self.SCRIPT)
        assert (answer.status_code, answer.json()["outcome"]) == (401, "signedOut")

    def test_the_preview_is_json_with_a_piece_of_page(self, client, ann, typed, table):
        client.force_login(ann)
        answer = client.post(f"{table}preview/", typed, headers=self.SCRIPT).json()
        assert answer["outcome"] == "shown"
        assert "70" in answer["html"]


class TestFormsThatAskWhy:
    """What was typed there outlasts the session, for the member who typed it."""

    @pytest.fixture
    def boss(self):
        return make_organiser("boss")

    @pytest.fixture
    def hand(self, game, ann):
        return make_hand(game, winner=1, by=ann)

    @pytest.fixture
    def address(self, request, game, hand, boss):
        seats = ",".join(str(game.players[place].pk) for place in (1, 0, 2, 3))
        if request.param == "settle":
            dispute_hand(hand, by=make_member(player=game.players[1]), reason="It was 120")
        if request.param == "reopen":
            finish_game(game, by=boss)
        booked = book_in_league(
            game.league, [TransferEntry(*game.players[:2], 100)], by=boss, reason="Late"
        )
        return {
            "settle": reverse("settle_hand", args=[hand.pk]),
            "void": reverse("void_hand", args=[hand.pk]),
            "reopen": reverse("reopen_game", args=[game.pk]),
            "withdraw": reverse("withdraw_game", args=[game.pk]),
            "seats": reverse("change_seats", args=[game.pk]) + f"?players={seats}",
            "move": reverse("move_game", args=[game.pk])
            + f"?league={make_league().pk}&day={game.evening}",
            "penalty": reverse("penalty", args=[game.pk]),
            "adjustments": reverse("adjustments", args=[game.league.slug]),
            "take back": reverse("take_back", args=[booked.pk]),
        }[request.param]

    EVERY = (
        *("settle", "void", "reopen", "withdraw", "seats", "move"),
        *("penalty", "adjustments", "take back"),
    )

    @pytest.fixture
    def sent(self, client, boss, address):
        """Sends the form of the page, as it stands there, once the session is over; the answer."""
        client.force_login(boss)
        form = re.findall(r'<form class="form" method="post"([^>]*)>', text(client.get(address)))[
            -1
        ]
        action = unescape((re.search(r'action="([^"]*)"', form) or ["", address])[1])
        client.logout()

        def sent(user):
            typed = {"reason": "A slip of mine", "key": "k", "user": user.pk}
            return client.post(action, typed)

        return sent

    @pytest.mark.parametrize("address", EVERY, indirect=True)
    def test_a_reason_outlasts_the_session(self, client, boss, address, sent):
        away = sent(boss)
        assert unquote(unquote(away.url)) == f"{reverse('sign_in')}?next={unquote(address)}"
        client.force_login(boss)
        shown = client.get(address)
        assert shown.context["form"]["reason"].value() == "A slip of mine"
        assert shown.context["form"]["key"].value() == "k"  # it may have been carried out
        assert "not sent yet" in text(shown)
        (anew,) = re.findall(r'<a href="([^"]*)">Throw it away</a>', text(shown))
        for place in (urljoin(address, unescape(anew)), address):
            shown = text(client.get(place))
            assert "A slip of mine" not in shown
            assert "not sent yet" not in shown

    @pytest.mark.parametrize("address", EVERY, indirect=True)
    def test_a_reason_is_not_shown_to_another_who_signs_in(self, client, boss, ann, address, sent):
        sent(ann)
        client.force_login(boss)
        assert "A slip of mine" not in text(client.get(address))

    @pytest.mark.parametrize("address", EVERY, indirect=True)
    def test_a_form_that_was_shown_to_another_is_filled_in_again(
        self, client, boss, ann, address, hand
    ):
        before = list(Hand.objects.values()), list(Adjustment.objects.values())
        client.force_login(boss)
        typed = {"reason": "A slip of mine", "key": "k", "user": ann.pk}
        shown = client.post(address, typed, follow=True)
        assert "Somebody else was signed in when this form was shown." in text(shown)
        assert "A slip of mine" not in text(shown)
        assert (list(Hand.objects.values()), list(Adjustment.objects.values())) == before

    @pytest.mark.parametrize("address", ["penalty"], indirect=True)
    def test_what_was_carried_out_before_the_session_was_over_is_not_done_twice(
        self, client, boss, address, game
    ):
        """Only its answer was lost."""
        typed = {"payer": game.players[0].pk, "amount": 100, "reason": "False mah jongg"}
        typed |= {"key": "k", "user": boss.pk}
        client.force_login(boss)
        client.post(address, typed)
        booked = Adjustment.objects.count()
        client.logout()
        client.post(address, typed)
        client.force_login(boss)
        page = client.get(address)
        assert "was carried out before you were signed out" in text(page)
        assert "not sent yet" not in text(page)
        form = page.context["form"]
        assert (form["reason"].value(), form["key"].value() != "k") == (typed["reason"], True)
        assert Adjustment.objects.count() == booked

    @pytest.mark.parametrize("address", ["withdraw"], indirect=True)
    def test_an_answer_of_before_is_not_given_to_what_is_done_again(
        self, client, boss, address, game
    ):
        """The game was withdrawn, which was told to nobody, and restored since."""
        typed = {"reason": "Opened twice", "key": "k", "user": boss.pk}
        client.force_login(boss)
        client.post(address, typed)
        client.logout()
        client.post(address, typed)
        client.force_login(boss)
        client.get(address)
        restore_game(Game.objects.get(), by=boss, reason="It was right")
        form = client.get(address).context["form"]
        assert form["key"].value() != "k"
        client.post(address, {**typed, "key": form["key"].value()})
        assert Game.objects.get().withdrawn

    @pytest.mark.parametrize("address", ["withdraw"], indirect=True)
    def test_a_page_that_sends_its_form_again_is_not_told_what_is_undone_by_now(
        self, client, boss, address, game
    ):
        typed = {"reason": "Opened twice", "key": "k", "user": boss.pk}
        client.force_login(boss)
        assert "The game is withdrawn." in text(client.post(address, typed, follow=True))
        restore_game(Game.objects.get(), by=boss, reason="It was right")
        again = text(client.post(address, typed, follow=True))
        assert "This form was sent before, and was carried out then." in again
        assert "The game is withdrawn." not in again
        assert not Game.objects.get().withdrawn

    @pytest.mark.parametrize("address", ["void"], indirect=True)
    def test_back_to_where_a_reason_was_thrown_away_keeps_the_next_one(
        self, client, boss, address, sent
    ):
        sent(boss)
        client.force_login(boss)
        (anew,) = re.findall(r'<a href="([^"]*)">Throw it away</a>', text(client.get(address)))
        client.get(address + anew)
        client.logout()
        client.post(address, {"reason": "Another slip", "key": "k2", "user": boss.pk})
        client.force_login(boss)
        assert "Another slip" in text(client.get(address + anew))

    @pytest.mark.parametrize("address", ["void"], indirect=True)
    def test_a_reason_is_gone_once_it_was_sent(self, client, boss, address, sent):
        sent(boss)
        client.force_login(boss)
        seen = re.search(r'name="seen" value="([^"]*)"', text(client.get(address)))[1]
        again = {"reason": "A slip of mine", "user": boss.pk, "seen": seen}
        assert client.post(address, again).status_code == 302
        assert not client.session.get("typed")

    @pytest.mark.parametrize("address", ["void"], indirect=True)
    def test_a_reason_that_serves_nothing_any_more_is_not_spoken_of(
        self, client, boss, address, sent, hand
    ):
        sent(boss)
        void_hand(hand, by=boss, reason="It was another")
        client.force_login(boss)
        assert "not sent yet" not in text(client.get(address, follow=True))


def test_a_hand_that_was_to_be_another_one_is_not_shown_to_another_who_signs_in(
    client, ann, save, typed, table, game
):
    """The answer "A different hand" outlasts the session, too."""
    client.force_login(ann)
    make_hand(game)
    page = text(save(typed))
    action = unescape(re.search(r'formaction="([^"]*\?user=[^"]*)" name="as_number"', page)[1])
    client.logout()
    sent = urlencode({**typed, "as_number": "2"})
    client.post(action, sent, content_type=FORM)
    client.force_login(make_member("ben", player=game.players[1]))
    assert BOOK_HAND not in text(client.get(table))
    client.force_login(ann)
    client.logout()
    client.post(action, sent, content_type=FORM)
    client.force_login(ann)
    again = sent_by(text(client.get(table)))
    assert (again["tiles"], again["number"]) == (BOOK_HAND, "2")
