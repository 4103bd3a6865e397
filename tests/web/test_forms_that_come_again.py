"""A form that comes again after somebody undid what it did: the browser loads its page again, or a tab wakes up.

It is carried out once, and says so.
"""

from datetime import timedelta

import pytest
from django.urls import reverse

from scoring.models import EveningPayment, EveningTerms, Game, LateHand, League, club_day
from scoring.queries import leading
from scoring.queries.seasons import final_rows
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import finish_game, reopen_game
from scoring.services.hands.entry import HandEntry
from scoring.services.late_hands import ask_for_late_hand
from scoring.services.seasons import close_season, reopen_season
from scoring.services.settlements import change_terms, undo_payment
from scoring.services.withdrawals import withdraw_game
from tests.factories import make_game, make_hand, make_league, make_member, make_organiser
from tests.support.forms import as_shown, sent_by
from tests.support.pages import words

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

SENTENCE = "This form was sent before, and was carried out then."


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
        sent = {**sent_by(client.get(page), button), **typed}
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
    assert SENTENCE in words(again)
    assert "This evening is open" in words(again)
    game.refresh_from_db()
    assert not game.finished


def test_a_game_that_was_opened_again_goes_on(sends_twice, game):
    by = make_organiser()
    address = reverse("finish_game", args=[game.pk])
    again = sends_twice(
        address, address, "End the game", lambda: reopen_game(game, by=by, reason="Not over")
    )
    assert SENTENCE in words(again)
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
    assert SENTENCE in words(again)
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
    assert SENTENCE in words(again)
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
    assert SENTENCE in words(again)
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
    assert SENTENCE in words(again)
    assert LateHand.objects.get().status == LateHand.Status.ASKED


def test_a_season_closed_by_somebody_else_since_was_closed_by_the_form_then(client, game, boss):
    finish_game(game, by=boss)
    address = reverse("close_season", args=[game.league.slug])
    client.force_login(boss)
    sent = {**sent_by(client.get(address), "Close the season"), "unchecked": "count"}
    client.post(address, sent)
    by = make_organiser()
    reopen_season(game.league, by=by, reason="A slip")
    close_season(game.league, by=by, final_rows=final_rows)
    page = words(client.post(address, sent, follow=True))
    assert SENTENCE in page
    assert "What you chose was not done." not in page


def test_a_form_of_a_season_that_waited_is_filled_in_again(client, game, boss):
    """Everything waits, so the season stays open; the browser goes back, and the game is decided about."""
    address = reverse("close_season", args=[game.league.slug])
    client.force_login(boss)
    sent = {**sent_by(client.get(address), "Close the season"), "unchecked": "count"}
    name = f"game-{game.pk}"
    assert "stays open" in words(client.post(address, {**sent, name: "wait"}, follow=True))
    client.post(address, {**sent, name: "count"})
    assert League.objects.get().closed


@pytest.mark.parametrize("second", ["confirm", "dispute"])
def test_an_answer_about_a_hand_is_not_taken_from_an_older_form(client, game, second):
    """Its answer was lost; the player answered otherwise on another phone since."""
    client.force_login(make_member(player=game.players[0]))
    hand = game.hands.get()
    page = client.get(hand.get_absolute_url())
    forms = {
        "confirm": {**sent_by(page, "I agree"), "answer": "confirm"},
        "dispute": {**sent_by(page, "Dispute the hand"), "answer": "dispute", "about": "tiles"},
    }
    address = reverse("answer_hand", args=[hand.pk])
    first = forms.pop("dispute" if second == "confirm" else "confirm")
    client.post(address, first)
    client.post(address, forms[second])
    page = client.post(address, first, follow=True)
    assert SENTENCE in words(page)
    hand.refresh_from_db()
    assert hand.disputed == (second == "dispute")


def test_a_late_hand_taken_in_by_a_form_that_comes_again_is_not_decided_already(sends_twice, game):
    entry = HandEntry(number=2, outcome="win", winner=game.players[2].pk, claimed_final=200)
    close_evening(game.league, game.evening, by=make_organiser())
    ask_for_late_hand(game, entry, by=make_member(player=game.players[0]), key="k1")
    again = sends_twice(
        reverse("late_hands", args=[game.pk]),
        reverse("decide_late_hand", args=[game.pk, LateHand.objects.get().pk]),
        "Take this hand in",
        lambda: None,
        decision="take",
    )
    assert SENTENCE in words(again)


def test_a_late_hand_declined_for_another_reason_is_not_called_a_hand_that_was_saved(
    client, game, boss
):
    entry = HandEntry(number=2, outcome="win", winner=game.players[2].pk, claimed_final=200)
    close_evening(game.league, game.evening, by=boss)
    ask_for_late_hand(game, entry, by=make_member(player=game.players[0]), key="k1")
    address = reverse("decide_late_hand", args=[game.pk, LateHand.objects.get().pk])
    client.force_login(boss)
    page = client.get(reverse("late_hands", args=[game.pk]))
    sent = {**sent_by(page, "Decline this hand"), "decision": "decline"}
    client.post(address, {**sent, "reason": "Too late"})
    again = client.post(address, {**sent, "reason": "Much too late"}, follow=True)
    assert "This form was sent before with something else in it" in words(again)


def test_another_game_of_the_same_four_that_was_withdrawn_is_not_begun_again(client, game, boss):
    finish_game(game, by=boss)
    address = reverse("play_again", args=[game.pk])
    client.force_login(boss)
    sent = {**sent_by(client.get(address), "Play in the same seats"), "order": "same"}
    client.post(address, sent)
    withdraw_game(Game.objects.latest("pk"), by=make_organiser(), reason="Nobody plays on")
    assert SENTENCE in words(client.post(address, sent, follow=True))
    assert Game.objects.count() == 2


def test_the_stake_that_others_set_since_stays(client, game, boss):
    address = reverse("league_terms", args=[game.league.slug])
    client.force_login(boss)
    page = client.get(address)
    sent = {
        **as_shown(page.context["form"]),
        **sent_by(page, 'name="stake"'),
        "as_club": "False",
        "stake": "1",
        "stake_points": "100",
    }
    client.post(address, sent)
    assert EveningTerms.objects.get().stake == 100
    change_terms(game.league, stake=500, stake_points=100, by=make_organiser())
    assert SENTENCE in words(client.post(address, sent, follow=True))
    assert EveningTerms.objects.newest(game.league, club_day()).stake == 500


def test_a_league_is_added_once_by_one_form_and_another_one_after_going_back(client, boss):
    address = reverse("new_league")
    client.force_login(boss)
    page = client.get(address)
    sent = as_shown(page.context["form"])
    sent |= {**sent_by(page, 'name="name"'), "name": "Thursday", "starts_on": str(club_day())}
    for _time in range(2):
        page = client.post(address, sent, follow=True)
    assert SENTENCE in words(page)
    client.post(address, {**sent, "name": "Friday"})
    assert [league.name for league in League.objects.order_by("pk")] == ["Thursday", "Friday"]


def test_a_next_season_that_was_added_is_not_refused_when_its_form_comes_again(client, game, boss):
    address = reverse("next_season", args=[game.league.slug])
    client.force_login(boss)
    page = client.get(address)
    sent = {**sent_by(page, 'name="name"'), "name": "The next one"}
    sent["starts_on"] = str(club_day() + timedelta(days=1))
    for _time in range(2):
        page = client.post(address, sent, follow=True)
    assert SENTENCE in words(page)
    assert "Not saved yet" not in words(page)
    assert League.objects.count() == 2


def close(game, by):
    close_evening(game.league, game.evening, by=by)


OF_PLAYERS = {
    "finish_game": ("End the game", {}),
    "change_seats": ("Save the changes", {"reason": "Entered wrongly"}),
    "penalty": ('name="amount"', {"amount": "100", "reason": "False mah jongg"}),
}


@pytest.mark.parametrize("name", OF_PLAYERS)
def test_what_was_carried_out_is_not_refused_once_the_evening_is_closed(client, game, boss, name):
    """Its answer was lost: from then on only organisers may."""
    button, typed = OF_PLAYERS[name]
    east, south, west, north = (player.pk for player in game.players)
    query = {"players": f"{south},{east},{west},{north}"} if name == "change_seats" else None
    address = reverse(name, args=[game.pk], query=query)
    client.force_login(make_member(player=game.players[0]))
    sent = {**sent_by(client.get(address), button), **typed, "payer": str(east)}
    assert client.post(address, sent).status_code == 302
    close(game, boss)
    again = client.post(address, sent, follow=True)
    assert again.status_code == 200
    assert SENTENCE in words(again)


@pytest.mark.parametrize("name", ["finish_game", "change_seats", "penalty"])
def test_who_may_not_is_told_so_whatever_the_form_says(client, game, boss, name):
    close(game, boss)
    client.force_login(make_member(player=game.players[0]))
    for sent in ({}, {"key": "x" * 300}, {"reason": "Because", "key": "k"}):
        assert client.post(reverse(name, args=[game.pk]), sent).status_code == 403


@pytest.mark.parametrize("name", ["penalty", "void_hand", "withdraw_game", "change_seats"])
def test_words_that_come_after_the_evening_was_closed_are_shown_with_the_refusal(
    client, game, boss, name
):
    """The session was over, and only organisers may by then."""
    member = make_member(player=game.players[0])
    args = [game.hands.get().pk] if name == "void_hand" else [game.pk]
    address = reverse(name, args=args)
    close(game, boss)
    sent = {"reason": "West called mah jongg on nine tiles", "key": "k", "user": member.pk}
    client.post(address, sent)
    client.force_login(member)
    for refused in (client.get(address), client.post(address, sent)):
        assert refused.status_code == 403
        assert "What you wrote:" in words(refused)
        assert sent["reason"] in words(refused)
    client.force_login(make_member(player=game.players[1]))
    assert sent["reason"] not in words(client.get(address))


def test_the_reasons_for_opening_an_evening_or_a_season_again_outlive_the_session(
    client, game, boss
):
    finish_game(game, by=boss)
    close(game, boss)
    evening = [game.league.slug, game.evening]
    sent = {"reason": "West forgot a hand", "key": "k1", "user": boss.pk}
    client.post(reverse("reopen_evening", args=evening), sent)
    client.force_login(boss)
    page = client.get(reverse("evening", args=evening))
    assert page.context["form"]["reason"].value() == sent["reason"]
    assert "not sent yet" in words(page)
    client.post(reverse("reopen_evening", args=evening), sent)
    assert "not sent yet" not in words(client.get(reverse("evening", args=evening)))
    close_season(game.league, by=boss, final_rows=final_rows)
    client.logout()
    client.post(reverse("reopen_season", args=[game.league.slug]), sent)
    client.force_login(boss)
    page = client.get(reverse("final", args=[game.league.slug]))
    assert page.context["form"]["reason"].value() == sent["reason"]


def test_what_was_decided_to_close_a_season_outlives_the_session(client, game, boss):
    address = reverse("close_season", args=[game.league.slug])
    sent = {f"game-{game.pk}": "leave_out", "reason": "Nobody came back", "user": boss.pk}
    client.post(address, sent)
    client.force_login(boss)
    form = client.get(address).context["form"]
    assert form["reason"].value() == "Nobody came back"
    assert form[f"game-{game.pk}"].value() == "leave_out"


OF_ANOTHER = "Somebody else was signed in when this form was shown."


@pytest.mark.parametrize(
    ("name", "button"),
    [
        ("close_evening", "Close the evening"),
        ("finish_game", "End the game"),
        ("close_season", "Close the season"),
    ],
)
def test_a_form_that_was_shown_to_another_is_confirmed_again(client, game, boss, name, button):
    args = {
        "close_evening": [game.league.slug, game.evening],
        "finish_game": [game.pk],
        "close_season": [game.league.slug],
    }
    address = reverse(name, args=args[name])
    client.force_login(boss)
    sent = {**sent_by(client.get(address), button), f"game-{game.pk}": "count"}
    client.force_login(make_organiser())
    page = client.post(address, {**sent, "unchecked": "count"}, follow=True)
    assert OF_ANOTHER in words(page)
    game.refresh_from_db()
    assert not game.finished
    assert not League.objects.get().closed


def test_a_season_is_not_opened_again_in_the_name_of_another(client, game, boss):
    finish_game(game, by=boss)
    close_season(game.league, by=boss, final_rows=final_rows)
    client.force_login(boss)
    page = client.get(reverse("final", args=[game.league.slug]))
    sent = {**sent_by(page, "Open the season again"), "reason": "A slip"}
    client.force_login(make_organiser())
    page = client.post(reverse("reopen_season", args=[game.league.slug]), sent, follow=True)
    assert OF_ANOTHER in words(page)
    assert League.objects.get().closed


def test_a_payment_is_not_marked_in_the_name_of_another(client, game, boss):
    change_terms(game.league, stake=100, stake_points=100, by=boss)
    evening = [game.league.slug, game.evening]
    client.force_login(boss)
    sent = sent_by(client.get(reverse("settlement", args=evening)), "Mark as paid")
    client.force_login(make_organiser())
    page = client.post(reverse("mark_as_paid", args=evening), sent, follow=True)
    assert OF_ANOTHER in words(page)
    assert not EveningPayment.objects.exists()


def test_seats_that_were_swapped_before_the_session_was_over_are_not_refused(client, game, boss):
    """They sit as the form asks for: its answer was lost."""
    east, south, west, north = (player.pk for player in game.players)
    address = reverse(
        "change_seats", args=[game.pk], query={"players": f"{south},{east},{west},{north}"}
    )
    client.force_login(boss)
    sent = {**sent_by(client.get(address), "Save the changes"), "reason": "Entered wrongly"}
    client.post(address, sent)
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.get(address, follow=True)
    assert SENTENCE in words(page)
    assert "They sit like this already" not in words(page)
    assert page.redirect_chain == [(game.get_absolute_url(), 302)]
    assert "typed" not in client.session or not client.session["typed"]
