"""A form that comes again after somebody undid what it did: the browser loads its page again, or a tab wakes up.

It is carried out once, and says so.
"""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.models import EveningPayment, LateHand, League, club_day
from scoring.queries import leading
from scoring.queries.seasons import final_rows
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.entry import HandEntry
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.seasons import close_season, reopen_season
from scoring.services.settlements import change_terms, undo_payment
from tests.factories import make_game, make_hand, make_league, make_member, make_organiser

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

SENTENCE = "This form was sent before, and was carried out then."


def text(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def fields_of(page, button):
    """What the form of ``page`` with this ``button`` sends."""
    forms = re.findall(r"<form[^>]*method=\"post\".*?</form>", page.content.decode(), re.DOTALL)
    form = next(one for one in forms if button in one)
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))


@pytest.fixture
def boss():
    leading.forget()  # links for organisers are shown at once
    return make_organiser()


@pytest.fixture
def game():
    league = make_league(starts_on=club_day() - timedelta(days=30), ends_on=club_day())
    game = make_game(league=league)
    make_hand(game, winner=1)
    return game


@pytest.fixture
def sends_twice(client, boss):
    """Signs the organiser in, sends one form twice, and undoes in between what it did; the second answer."""
    client.force_login(boss)

    def sends_twice(page, address, button, undo, **typed):
        sent = {**fields_of(client.get(page), button), **typed}
        assert sent["key"]
        assert sent["user"] == str(boss.pk)
        assert client.post(address, sent).status_code == 302
        undo()
        return client.post(address, sent, follow=True)

    return sends_twice


def test_an_evening_that_was_opened_again_stays_open(sends_twice, game, boss):
    by = make_organiser()
    address = reverse("close_evening", args=[game.league.slug, game.evening])
    again = sends_twice(
        address,
        address,
        "Close the evening",
        lambda: reopen_evening(game.league, game.evening, by=by, reason="Not over"),
    )
    assert SENTENCE in text(again)
    assert "This evening is open" in text(again)
    game.refresh_from_db()
    assert not game.finished


def test_a_game_that_was_opened_again_goes_on(sends_twice, game):
    by = make_organiser()
    address = reverse("finish_game", args=[game.pk])
    again = sends_twice(
        address, address, "End the game", lambda: reopen_game(game, by=by, reason="Not over")
    )
    assert SENTENCE in text(again)
    game.refresh_from_db()
    assert not game.finished


def test_a_payment_that_was_not_made_stays_owed(sends_twice, game):
    by = make_organiser()
    change_terms(game.league, stake=100, stake_points=100, by=by)
    finish_game(game, by=by)
    again = sends_twice(
        reverse("settlement", args=[game.league.slug, game.evening]),
        reverse("mark_as_paid", args=[game.league.slug, game.evening]),
        "Mark as paid",
        lambda: undo_payment(EveningPayment.objects.get(), by=by),
    )
    assert SENTENCE in text(again)
    assert not EveningPayment.objects.in_force().exists()


def test_a_season_that_was_opened_again_stays_open(sends_twice, game):
    by = make_organiser()
    finish_game(game, by=by)
    address = reverse("close_season", args=[game.league.slug])
    again = sends_twice(
        address,
        address,
        "Close the season",
        lambda: reopen_season(game.league, by=by, reason="A slip"),
        unchecked="count",
    )
    assert SENTENCE in text(again)
    assert not League.objects.get().closed


def test_a_season_that_was_closed_again_stays_closed(sends_twice, game):
    by = make_organiser()
    finish_game(game, by=by)
    close_season(game.league, by=by, final_rows=final_rows)
    again = sends_twice(
        reverse("final", args=[game.league.slug]),
        reverse("reopen_season", args=[game.league.slug]),
        "Open the season again",
        lambda: close_season(game.league, by=by, final_rows=final_rows),
        reason="A slip",
    )
    assert SENTENCE in text(again)
    assert League.objects.get().closed


def test_a_late_hand_that_was_asked_for_again_still_waits(sends_twice, game):
    entry = HandEntry(number=2, outcome="win", winner=game.players[2].pk, claimed_final=200)
    member = make_member(player=game.players[0])
    close_evening(game.league, game.evening, by=make_organiser())
    ask = {"by": member, "key": "k1"}
    ask_for_late_hand(game, entry, **ask)
    late = LateHand.objects.get()
    again = sends_twice(
        reverse("late_hands", args=[game.pk]),
        reverse("decide_late_hand", args=[game.pk, late.pk]),
        "Decline this hand",
        lambda: ask_for_late_hand(game, entry, again=True, **ask),
        reason="Too late",
        decision="decline",
    )
    assert SENTENCE in text(again)
    assert LateHand.objects.get().status == LateHand.Status.ASKED


@pytest.mark.parametrize(
    ("name", "button"),
    [("close_evening", "Close the evening"), ("finish_game", "End the game")],
)
def test_a_form_that_was_shown_to_another_is_confirmed_again(client, game, boss, name, button):
    args = [game.pk] if name == "finish_game" else [game.league.slug, game.evening]
    client.force_login(boss)
    sent = fields_of(client.get(reverse(name, args=args)), button)
    client.force_login(make_organiser())
    page = client.post(reverse(name, args=args), sent, follow=True)
    assert "Somebody else was signed in when this form was shown." in text(page)
    game.refresh_from_db()
    assert not game.finished


def test_a_season_is_not_closed_in_the_name_of_another(client, game, boss):
    finish_game(game, by=boss)
    close_season(game.league, by=boss, final_rows=final_rows)
    client.force_login(boss)
    page = client.get(reverse("final", args=[game.league.slug]))
    sent = {**fields_of(page, "Open the season again"), "reason": "A slip"}
    client.force_login(make_organiser())
    page = client.post(reverse("reopen_season", args=[game.league.slug]), sent, follow=True)
    assert "Somebody else was signed in when this form was shown." in text(page)
    assert League.objects.get().closed


def test_seats_that_were_swapped_before_the_session_was_over_are_not_refused(client, game, boss):
    """They sit as the form asks for: its answer was lost."""
    east, south, west, north = (player.pk for player in game.players)
    address = reverse(
        "change_seats", args=[game.pk], query={"players": f"{south},{east},{west},{north}"}
    )
    client.force_login(boss)
    sent = {**fields_of(client.get(address), "Save the changes"), "reason": "Entered wrongly"}
    client.post(address, sent)
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.get(address, follow=True)
    assert SENTENCE in text(page)
    assert "They sit like this already" not in text(page)
    assert page.redirect_chain == [(game.get_absolute_url(), 302)]
    assert "typed" not in client.session or not client.session["typed"]
