"""Games that were opened or ended by mistake, on their pages; the same person at two tables."""

import re
from collections import Counter

import pytest
from django.urls import reverse

from scoring.models import Game, Hand, Tally
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand, settle_hand
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, open_game, reopen_game
from scoring.services.withdrawals import withdraw_game
from tests.api.callers import caller
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_player,
    make_ruleset_version,
)
from tests.support.pages import text

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = make_game(by=make_organiser())
    make_hand(game, winner=1)
    return game


@pytest.fixture
def player(client, game):
    client.force_login(make_member(player=game.players[0]))
    return client


@pytest.fixture
def organiser(client, game):
    client.force_login(make_organiser())
    return client


def page(name, game):
    return reverse(name, args=[game.pk])


def links(response, name, game):
    """The addresses on the page that lead to ``name``."""
    matches = re.findall(r'href="([^"]+)"', response.content.decode())
    return [one for one in matches if one.startswith(("?", page(name, game)))]


def fields(response):
    """The hidden fields of the form on the page, and its reason."""
    html = response.content.decode()
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))
    reason = re.search(r'name="reason" value="([^"]*)"', html)
    return hidden | ({"reason": reason[1]} if reason else {})


@pytest.mark.parametrize("what", ["withdraw_game", "change_seats"])
def test_a_form_that_was_sent_before_with_another_content_says_so(player, game, what):
    seats = ",".join(str(one.pk) for one in game.players[::-1])
    sent = {"players": seats, "reason": "Opened twice", "key": "k"}
    player.post(page(what, game), sent)
    again = player.post(page(what, game), sent | {"reason": "Another"}, follow=True)
    assert "so nothing was changed now" in text(again)
    assert game.events.get().reason == "Opened twice"


class TestReopening:
    def test_a_game_that_was_ended_is_opened_again_from_its_page(self, player, game):
        player.post(page("finish_game", game))
        assert page("reopen_game", game) in text(player.get(game.get_absolute_url()))
        shown = player.post(
            page("reopen_game", game), {"reason": "A slip", "key": "k"}, follow=True
        )
        assert "The game is open again." in text(shown)
        assert "“A slip”" in text(shown)
        game.refresh_from_db()
        assert not game.finished

    def test_reopening_a_game_without_a_reason_is_refused(self, player, game):
        player.post(page("finish_game", game))
        response = player.post(page("reopen_game", game), {"reason": " "})
        assert response.status_code == 422
        assert list(response.context["form"].errors) == ["reason"]

    def test_ending_a_game_names_what_is_still_open(self, player, game):
        make_hand(game, winner=2, tiles="", claimed_final=120)
        dispute_hand(game.hands.first(), by=make_organiser(), player=game.players[3])
        shown = text(player.get(page("finish_game", game)))
        assert "Disputed hands" in shown
        assert "Hands that were not checked" in shown


class TestAChangeThatCannotBe:
    """It is refused before anybody is asked for the reason."""

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [("restore_game", "is not withdrawn"), ("reopen_game", "is still in play")],
    )
    def test_a_change_of_a_game_in_another_state_leads_back_with_a_sentence(
        self, player, game, name, sentence
    ):
        for send in (player.get, player.post):
            response = send(page(name, game), follow=True)
            assert response.redirect_chain == [(game.get_absolute_url(), 302)]
            assert sentence in text(response)

    def test_a_change_of_a_withdrawn_game_leads_back_with_a_sentence(self, player, game):
        withdraw_game(game, by=make_organiser(), reason="Opened twice")
        assert "withdrawn already" in text(player.get(page("withdraw_game", game), follow=True))

    def test_a_change_of_a_game_that_an_organiser_settled_is_not_allowed(self, player, game):
        hand, organiser = game.hands.get(), make_organiser()
        dispute_hand(hand, by=organiser, player=game.players[3])
        settle_hand(hand, by=organiser, reason="I saw it")
        assert player.get(page("withdraw_game", game)).status_code == 403

    @pytest.mark.parametrize("name", ["withdraw", "restore", "reopen"])
    def test_a_change_by_a_stranger_is_not_allowed_in_the_api(self, game, name):
        answer = caller(make_member()).post(f"/api/v1/games/{game.pk}/{name}/", {})
        assert answer.status_code == 403


class TestClosingAnEvening:
    def address(self, game):
        return reverse("close_evening", args=[game.league.slug, game.evening])

    def test_closing_an_evening_asks_first_and_names_what_is_open(self, organiser, game):
        make_hand(game, winner=2, tiles="", claimed_final=120)
        shown = organiser.get(self.address(game))
        assert game.players[0].name in text(shown)
        assert "Hands that were not checked" in text(shown)
        game.refresh_from_db()
        assert not game.finished
        organiser.post(self.address(game), fields(shown))
        game.refresh_from_db()
        assert game.finished

    def test_closing_an_evening_asks_again_when_a_game_was_opened_meanwhile(self, organiser, game):
        seen = fields(organiser.get(self.address(game)))
        make_game(league=game.league)
        response = organiser.post(self.address(game), seen)
        assert response.status_code == 409
        assert "look at it again" in text(response)
        game.refresh_from_db()
        assert not game.finished

    def test_closing_a_closed_evening_leads_back(self, organiser, game):
        close_evening(game.league, game.evening, by=make_organiser())
        assert organiser.get(self.address(game)).status_code == 302


class TestSeats:
    def test_two_seats_are_swapped_in_three_taps(self, player, game):
        choices = player.get(page("change_seats", game))
        swap = links(choices, "change_seats", game)[0]
        preview = player.get(page("change_seats", game) + swap)
        assert "Nothing is saved yet" in text(preview)
        assert not Hand.objects.filter(version=2).exists()
        done = player.post(page("change_seats", game), fields(preview), follow=True)
        assert "The game is changed." in text(done)
        assert Hand.objects.get(version=2).seat == "E"

    def test_a_player_is_replaced_in_four_taps(self, player, game):
        new, old = make_player("Zoë"), game.players[1]
        choices = player.get(page("change_seats", game) + f"?replace={old.pk}")
        [to_new] = [one for one in links(choices, "change_seats", game) if str(new.pk) in one]
        preview = player.get(page("change_seats", game) + to_new)
        assert old.name in text(preview)
        player.post(page("change_seats", game), fields(preview))
        assert Hand.objects.get(version=2).winner == new
        assert not Tally.objects.filter(player=old).exists()

    def test_a_preview_adds_up_with_the_penalties_of_who_is_replaced(self, player, game):
        new, old = make_player("Zoë"), game.players[1]
        book_at_table(game, penalty(game, old, 50), by=make_organiser(), reason="Late")
        players = ",".join(str(one.pk) for one in [game.players[0], new, *game.players[2:]])
        response = player.get(page("change_seats", game), {"players": players})
        changes = response.context["changes"]
        sums = Counter()
        for line in changes.lines:
            sums.update(dict(line.differences))
        assert dict(changes.other_points)[old] == 150
        sums.update(dict(changes.other_points))
        assert dict(sums) == dict(changes.totals)
        assert "Other points" in text(response)

    def test_a_preview_goes_out_of_date_with_another_penalty(self, player, game):
        players = ",".join(str(one.pk) for one in [make_player(), *game.players[1:]])
        sent = fields(player.get(page("change_seats", game), {"players": players}))
        book_at_table(game, penalty(game, game.players[0], 50), by=make_organiser(), reason="Late")
        assert player.post(page("change_seats", game), sent).status_code == 409

    def test_a_form_that_is_sent_twice_changes_once(self, player, game):
        swap = links(player.get(page("change_seats", game)), "change_seats", game)[0]
        sent = fields(player.get(page("change_seats", game) + swap))
        for _tap in range(2):
            response = player.post(page("change_seats", game), sent, follow=True)
            assert response.status_code == 200
        assert game.events.count() == 1

    def test_a_change_of_seats_that_is_out_of_date_is_shown_again(self, player, game):
        swap = links(player.get(page("change_seats", game)), "change_seats", game)[0]
        sent = fields(player.get(page("change_seats", game) + swap))
        make_hand(game, winner=2)
        response = player.post(page("change_seats", game), sent)
        assert response.status_code == 409
        assert "moved on" in text(response)

    @pytest.mark.parametrize("players", ["", "x", "1", "1,2,3,4,5", "9" * 30, "0,0,0,0"])
    def test_players_who_cannot_be_are_refused_in_words(self, player, game, players):
        response = player.get(page("change_seats", game), {"players": players})
        assert response.status_code == 422
        assert "message--error" in text(response)
        sent = {"players": players, "reason": "A slip"}
        assert player.post(page("change_seats", game), sent).status_code == 422

    def test_a_member_who_sits_elsewhere_is_turned_away(self, client, game):
        client.force_login(make_member())
        assert client.get(page("change_seats", game)).status_code == 403


class TestMoving:
    def test_moving_a_game_to_rules_by_which_a_hand_pays_too_much_says_which(
        self, player, game, monkeypatch
    ):
        monkeypatch.setattr("scoring.services.hands.entry.MOST_POINTS", 280)
        rules = make_ruleset_version(rounding=1)
        league = make_league("Winter", ruleset_version=rules)
        place = {"league": league.pk, "day": game.evening.isoformat()}
        for answer in (
            player.get(page("move_game", game), place),
            player.post(page("move_game", game), {**place, "reason": "The wrong league"}),
        ):
            assert answer.status_code == 422
            assert "Hand 1 would then pay more than 280 points" in text(answer)
        assert (Hand.objects.count(), game.events.count()) == (1, 0)

    def test_moving_a_game_shows_what_changes_and_moves(self, player, game):
        league = make_league("Winter")
        place = {"league": league.pk, "day": game.evening.isoformat()}
        preview = player.get(page("move_game", game), place)
        assert "Winter" in text(preview)
        sent = {**fields(preview), "reason": "The wrong league"}
        player.post(page("move_game", game), sent)
        game.refresh_from_db()
        assert game.league == league

    @pytest.mark.parametrize("place", [{"league": "x", "day": "x"}, {"day": "2020-01-01"}])
    def test_moving_a_game_to_a_bad_place_is_refused(self, player, game, place):
        assert player.get(page("move_game", game), place).status_code == 422
        sent = {**place, "reason": "x"}
        assert player.post(page("move_game", game), sent).status_code == 422


class TestWithdrawing:
    def test_a_game_with_hands_is_withdrawn_and_restored(self, player, game):
        player.post(page("withdraw_game", game), {"reason": "Opened twice", "key": "1"})
        shown = text(player.get(game.get_absolute_url()))
        assert "This game was withdrawn." in shown
        assert page("restore_game", game) in shown
        assert 'id="log-form"' not in shown
        assert "View only. Nobody can enter hands in a withdrawn game." in shown
        for address in (reverse("home"), game.league.get_absolute_url(), *_evenings(game)):
            assert game.get_absolute_url() not in text(player.get(address))
        player.post(page("restore_game", game), {"reason": "It was real", "key": "2"})
        assert game.get_absolute_url() in text(player.get(reverse("home")))

    def test_a_game_without_hands_stays_to_be_restored(self, client):
        game = make_game()
        client.force_login(make_organiser())
        response = client.post(page("withdraw_game", game), {"reason": "Twice", "key": "k"})
        assert response.url == game.get_absolute_url()
        assert page("restore_game", game) in text(client.get(response.url))
        assert game.get_absolute_url() not in text(client.get(reverse("home")))

    def test_a_phone_that_holds_its_hands_is_told_that_it_is_withdrawn(self, player, game):
        withdraw_game(game, by=make_organiser(), reason="Opened twice")
        for name in ("log_hand", "late_hands"):
            sent = {"number": 2, "winner": "draw", "key": "a"}
            response = player.post(page(name, game), sent, HTTP_ACCEPT="application/json")
            assert (response.status_code, response.json()["code"]) == (403, "withdrawn")

    def test_a_withdrawn_game_takes_no_hand(self, player, game):
        withdraw_game(game, by=make_organiser(), reason="Opened twice")
        response = player.post(page("log_hand", game), {"number": 2, "winner": "draw"})
        assert response.status_code == 403
        assert "can restore it" in text(response)


class TestTheSamePersonAtTwoTables:
    @pytest.fixture
    def sent(self, game):
        four = [game.players[1], *(make_player() for _seat in range(3))]
        seats = zip(("east", "south", "west", "north"), (one.pk for one in four), strict=True)
        return {"league": game.league_id, "key": "a key", **dict(seats)}

    def test_seating_the_same_person_at_two_tables_is_asked_about(self, player, game, sent):
        response = player.post(reverse("new_game"), sent)
        assert response.status_code == 422
        shown = text(response)
        assert game.get_absolute_url() in shown
        assert "Seat them anyway" in shown
        assert Game.objects.count() == 1

    def test_the_same_person_is_seated_at_two_tables_when_asked_for(self, player, game, sent):
        player.post(reverse("new_game"), sent | {"elsewhere": "anyway"})
        assert Game.objects.open().count() == 2

    def test_the_other_table_of_somebody_who_sits_at_two_ends(self, player, game, sent):
        assert "That game is over: end it" in text(player.post(reverse("new_game"), sent))
        player.post(reverse("new_game"), sent | {"elsewhere": "end", "leaving": game.pk})
        game.refresh_from_db()
        assert game.finished
        assert Game.objects.open().count() == 1

    def test_seating_somebody_again_ends_no_table_but_those_that_the_question_named(
        self, player, game, sent
    ):
        """Another one was opened with them while the page lay there."""
        by = make_organiser()
        other = open_game(game.league, game.players, by=by, anyway=True)
        response = player.post(reverse("new_game"), sent | {"elsewhere": "end", "leaving": game.pk})
        assert text(response).count("See that table") == 2
        assert not any(one.finished for one in Game.objects.filter(pk__in=[game.pk, other.pk]))

    def test_somebody_cannot_be_taken_from_a_table_of_others(self, client, game, sent):
        client.force_login(make_member())
        assert "That game is over: end it" not in text(client.post(reverse("new_game"), sent))
        response = client.post(reverse("new_game"), sent | {"elsewhere": "end", "leaving": game.pk})
        assert response.status_code == 403
        game.refresh_from_db()
        assert not game.finished

    def test_seating_somebody_is_not_asked_about_after_the_other_game_ended(
        self, player, game, sent
    ):
        finish_game(game, by=make_organiser())
        assert player.post(reverse("new_game"), sent).status_code == 302


def _evenings(game):
    yield reverse("evenings", args=[game.league.slug])


class TestWhatWasChanged:
    @pytest.fixture(autouse=True)
    def _changed(self, game):
        finish_game(game, by=make_organiser())
        reopen_game(game, by=make_organiser("secret-name"), reason="Ann felt ill")

    @pytest.mark.parametrize("name", ["game", "game_live"])
    def test_what_was_changed_is_not_read_by_visitors(self, client, game, name):
        assert "Ann felt ill" not in text(client.get(page(name, game)))

    @pytest.mark.parametrize("name", ["game", "game_live"])
    def test_what_was_changed_is_read_by_members_without_sign_in_names(self, client, game, name):
        client.force_login(make_member())
        shown = text(client.get(page(name, game)))
        assert "“Ann felt ill”" in shown
        assert "a member" in shown
        assert "secret-name" not in shown


def test_why_an_evening_was_opened_again_is_not_read_by_visitors(client, game):
    boss = make_organiser("secret-name")
    close_evening(game.league, game.evening, by=boss)
    reopen_evening(game.league, game.evening, by=boss, reason="Ann felt ill")
    address = reverse("evening", args=[game.league.slug, game.evening])
    shown = text(client.get(address))
    assert "Opened again" in shown
    assert "Ann felt ill" not in shown
    assert "secret-name" not in shown
    client.force_login(make_member())
    assert "Ann felt ill" in text(client.get(address))


class TestSomebodyWhoSitsElsewhereByNow:
    def sit_down(self, game):
        make_game(players=[game.players[1], *(make_player() for _seat in range(3))])

    def asked(self, client, address, sent):
        """What is sent on once the page has asked about it."""
        response = client.post(address, sent)
        assert response.status_code == 422
        assert 'name="elsewhere" value="anyway"' in text(response)
        assert client.post(address, sent | {"elsewhere": "anyway"}).status_code == 302

    @pytest.mark.parametrize("act", ["reopen_game", "restore_game"])
    def test_somebody_who_sits_elsewhere_by_now_is_asked_about_before_the_game_goes_on(
        self, player, game, act
    ):
        before = {"reopen_game": "finish_game", "restore_game": "withdraw_game"}[act]
        player.post(page(before, game), {"reason": "A slip", "key": "k"})
        self.sit_down(game)
        self.asked(player, page(act, game), {"reason": "A slip", "key": "l"})
        assert Game.objects.open().count() == 2

    def test_somebody_who_sits_elsewhere_by_now_is_asked_about_before_taking_a_place(
        self, player, game
    ):
        busy = make_game().players[0]
        players = ",".join(str(one.pk) for one in [busy, *game.players[1:]])
        preview = player.get(page("change_seats", game), {"players": players})
        sent = {**fields(preview), "reason": "It was somebody else"}
        self.asked(player, page("change_seats", game), sent)
        assert busy in Game.objects.get(pk=game.pk).players

    def test_somebody_who_sits_elsewhere_by_now_is_asked_about_before_the_evening_is_opened_again(
        self, organiser, game
    ):
        close_evening(game.league, game.evening, by=make_organiser())
        self.sit_down(game)
        address = reverse("reopen_evening", args=[game.league.slug, game.evening])
        self.asked(organiser, address, {"reason": "A slip"})


@pytest.mark.parametrize(
    ("asks", "words"),
    [
        ("en", "The seats were entered wrongly."),
        ("nl", "De plaatsen waren verkeerd ingevoerd."),
    ],
)
def test_the_reason_that_a_page_proposes_is_said_in_the_readers_language(player, game, asks, words):
    players = ",".join(str(game.players[place].pk) for place in (1, 0, 2, 3))
    address = f"{reverse('change_seats', args=[game.pk])}?players={players}"
    dutch = {"headers": {"Accept-Language": "nl"}}
    player.post(address, fields(player.get(address, **dutch)), **dutch)
    assert game.events.get().reason == "The seats were entered wrongly."
    reader = {"headers": {"Accept-Language": asks}}
    now = game.hands.current().get(number=1)
    for place in (reverse("hand_history", args=[now.pk]), game.get_absolute_url()):
        assert words in player.get(place, **reader).content.decode()
