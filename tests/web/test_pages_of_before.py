"""What is decided on a page that stayed open while the others went on: it is asked about again, with all that was chosen."""

import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from scoring.models import EveningTerms, League, club_day
from scoring.queries import leading
from scoring.queries.seasons import final_rows
from scoring.services.confirmations import confirm_hand, dispute_hand
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.games import reopen_game
from scoring.services.seasons import close_season, reopen_season
from scoring.services.settlements import change_terms, terms_etag
from tests.factories import make_game, make_hand, make_league, make_member, make_organiser
from tests.support.forms import as_shown, sent_by
from tests.support.pages import words

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

CHANGED = "Something changed meanwhile: look at it again."


@pytest.fixture
def boss(client):
    leading.forget()
    boss = make_organiser()
    client.force_login(boss)
    return boss


@pytest.fixture
def game():
    league = make_league(starts_on=club_day() - timedelta(days=30), ends_on=club_day())
    game = make_game(league=league)
    make_hand(game, winner=1)
    return game


def says_anew(hand, people):
    confirm_hand(hand, by=people[2])
    dispute_hand(hand, by=people[2], about="other", reason="It was mine")


def another_says(hand, people):
    dispute_hand(hand, by=people[3], about="winner", reason="I won that")


@pytest.mark.parametrize("meanwhile", [says_anew, another_says])
def test_an_organiser_settles_no_dispute_that_they_have_not_read(client, boss, game, meanwhile):
    people = [make_member(player=player) for player in game.players]
    hand = game.hands.get()
    dispute_hand(hand, by=people[2], about="discarder", reason="It was my discard")
    address = reverse("settle_hand", args=[hand.pk])
    sent = {**sent_by(client.get(address), "Keep the hand"), "reason": "I saw it"}
    meanwhile(hand, people)
    page = client.post(address, sent)
    assert page.status_code == 409
    assert CHANGED in words(page)
    assert hand.events.latest("pk").reason in words(page)
    assert page.context["form"]["reason"].value() == "I saw it"
    hand.refresh_from_db()
    assert hand.disputed
    client.post(address, {**sent, **sent_by(page, "Keep the hand"), "reason": "I saw it"})
    hand.refresh_from_db()
    assert not hand.disputed


def test_who_forgot_the_reason_reads_that_a_dispute_changed(client, boss, game):
    people = [make_member(player=player) for player in game.players]
    hand = game.hands.get()
    dispute_hand(hand, by=people[2], about="discarder", reason="It was my discard")
    address = reverse("settle_hand", args=[hand.pk])
    sent = {**sent_by(client.get(address), "Keep the hand"), "reason": ""}
    assert CHANGED not in words(client.post(address, sent))
    another_says(hand, people)
    page = client.post(address, sent)
    assert page.status_code == 422
    assert CHANGED in words(page)


def another_hand(game):
    make_hand(game, winner=2)


def a_dispute(game):
    dispute_hand(game.hands.get(), by=make_member(player=game.players[3]), about="tiles")


@pytest.mark.parametrize("meanwhile", [another_hand, a_dispute])
def test_a_game_is_not_ended_where_it_does_not_stand_any_more(client, boss, game, meanwhile):
    address = reverse("finish_game", args=[game.pk])
    sent = sent_by(client.get(address), "End the game")
    meanwhile(game)
    page = client.post(address, sent)
    assert page.status_code == 409
    assert CHANGED in words(page)
    game.refresh_from_db()
    assert not game.finished
    client.post(address, sent_by(page, "End the game"))
    game.refresh_from_db()
    assert game.finished


def test_what_was_decided_about_a_season_stays_chosen_when_something_changed(client, boss, game):
    second = make_hand(game, winner=2)
    by = [make_member(player=player) for player in game.players]
    dispute_hand(game.hands.first(), by=by[3], about="tiles")
    address = reverse("close_season", args=[game.league.slug])
    name = f"game-{game.pk}"
    sent = sent_by(client.get(address), "Close the season")
    disputed = next(key for key in client.get(address).context["form"].fields if "hand" in key)
    sent |= {name: "leave_out", disputed: "count", "reason": "They left"}
    dispute_hand(second, by=by[3], about="tiles")
    page = client.post(address, sent)
    assert page.status_code == 409
    form = page.context["form"]
    assert form[name].value() == "leave_out"
    assert form[disputed].value() == "count"
    assert form["reason"].value() == "They left"


def test_who_opens_a_season_again_that_is_open_reads_so(client, boss, game):
    by = make_organiser()
    client.post(reverse("finish_game", args=[game.pk]))
    close_season(game.league, by=by, final_rows=final_rows)
    page = client.get(reverse("final", args=[game.league.slug]))
    sent = {**sent_by(page, "Open the season again"), "reason": "A slip"}
    reopen_season(game.league, by=by, reason="A slip")
    page = client.post(reverse("reopen_season", args=[game.league.slug]), sent, follow=True)
    assert re.search("This season is (still )?open", words(page))
    assert not League.objects.get().closed


@pytest.mark.parametrize(
    ("name", "button"),
    [
        ("finish_game", {}),
        ("undo_hand", {}),
        ("play_again", {"order": "same"}),
        ("answer_hand", {"answer": "confirm"}),
    ],
)
def test_who_was_signed_out_reads_that_nothing_was_done(client, game, name, button):
    pk = game.hands.get().pk if name.endswith("hand") else game.pk
    sent = {"key": "k", "user": "1", **button}
    page = client.post(reverse(name, args=[pk]), sent, follow=True)
    assert "You were signed out, so nothing was done." in words(page)


def test_a_preview_of_swapped_seats_counts_every_hand(client, boss, game):
    for winner in (2, 3, None):
        make_hand(game, winner=winner) if winner is not None else make_hand(game)
    east, south, west, north = (player.pk for player in game.players)
    query = {"players": f"{east},{south},{north},{west}"}
    page = client.get(reverse("change_seats", args=[game.pk], query=query))
    changes = page.context["changes"]
    assert len(changes.lines) + changes.as_they_are == 4


def typed_terms(page):
    shown = as_shown(page.context["form"])
    return {**shown, **sent_by(page, 'name="stake"'), "as_club": "False", "stake_points": "100"}


@pytest.mark.parametrize("typed", ["3", "x3"])
def test_a_stake_is_not_set_over_one_that_was_not_read(client, boss, game, typed):
    address = reverse("league_terms", args=[game.league.slug])
    sent = {**typed_terms(client.get(address)), "stake": typed}
    change_terms(game.league, stake=200, stake_points=100, by=make_organiser())
    page = client.post(address, sent)
    assert page.status_code == 422
    assert CHANGED in words(page)
    assert page.context["form"]["stake"].value() == typed
    client.post(address, {**sent, **sent_by(page, 'name="stake"'), "stake": "3"})
    assert EveningTerms.objects.newest(game.league, club_day()).stake == 300


def test_a_stake_is_compared_with_what_was_seen_by_whoever_sets_it(game):
    by = make_organiser()
    seen = terms_etag(game.league)
    change_terms(game.league, stake=200, stake_points=100, by=by, expected_etag=seen)
    with pytest.raises(ValidationError, match="Something changed"):
        change_terms(game.league, stake=300, stake_points=100, by=by, expected_etag=seen)
    assert EveningTerms.objects.get().stake == 200


def test_one_key_of_two_addresses_is_carried_out_at_both(client, boss, game):
    leagues = [game.league, make_league()]
    for league in leagues:
        address = reverse("league_terms", args=[league.slug])
        sent = {**typed_terms(client.get(address)), "stake": "3", "key": "by-hand", "seen": "none"}
        assert client.post(address, sent).status_code == 302
    assert [EveningTerms.objects.newest(one, club_day()).stake for one in leagues] == [300, 300]


def test_what_was_typed_is_not_called_unsent_once_it_was_sent_corrected(client, boss):
    address = reverse("new_league")
    page = client.get(address)
    sent = as_shown(page.context["form"])
    sent |= {**sent_by(page, 'name="name"'), "name": "Thursday"}
    sent |= {"starts_on": str(club_day()), "ends_on": str(club_day() - timedelta(days=1))}
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.post(address, {**sent, **sent_by(client.get(address), 'name="name"')})
    assert page.status_code == 422
    client.post(address, {**sent, **sent_by(page, 'name="name"'), "ends_on": ""})
    assert League.objects.filter(name="Thursday").count() == 1
    assert "not sent yet" not in words(client.get(address))


def test_a_stake_that_was_typed_outlives_the_session(client, boss, game):
    address = reverse("league_terms", args=[game.league.slug])
    sent = {**typed_terms(client.get(address)), "stake": "7"}
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.get(address)
    assert page.context["form"]["stake"].value() == "7"
    assert "not sent yet" in words(page)
    again = sent_by(page, 'name="stake"')
    assert again["key"] == sent["key"]
    client.post(address, {**sent, **again, "stake": "7"})
    assert EveningTerms.objects.newest(game.league, club_day()).stake == 700
    assert "not sent yet" not in words(client.get(address))


@pytest.mark.parametrize("name", ["new_league", "next_season"])
def test_a_league_that_was_typed_outlives_the_session(client, boss, game, name):
    address = reverse(name, args=[game.league.slug] if name == "next_season" else [])
    sent = {**sent_by(client.get(address), 'name="name"'), "name": "Thursday club"}
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.get(address)
    assert page.context["form"]["name"].value() == "Thursday club"


def test_who_opens_an_evening_again_that_is_open_reads_so(client, boss, game):
    evening, by = [game.league.slug, game.evening], make_organiser()
    close_evening(game.league, game.evening, by=by)
    page = client.get(reverse("evening", args=evening))
    sent = {**sent_by(page, "Open the evening again"), "reason": "A slip"}
    reopen_evening(game.league, game.evening, by=by, reason="A slip")
    page = client.post(reverse("reopen_evening", args=evening), sent, follow=True)
    assert page.status_code == 200
    assert re.search("The evening of [^:]* is open", words(page))


def test_a_form_of_a_season_that_was_sent_in_part_is_not_called_unsent(client, boss, game):
    address = reverse("close_season", args=[game.league.slug])
    sent = {**sent_by(client.get(address), "Close the season"), f"game-{game.pk}": "wait"}
    client.logout()
    client.post(address, {**sent, "reason": "Not yet"})
    client.force_login(boss)
    assert "not sent yet" in words(client.get(address))
    assert "stays open" in words(client.post(address, {**sent, "reason": "Not yet"}, follow=True))
    assert "not sent yet" not in words(client.get(address))


def test_words_of_a_dispute_that_comes_after_the_evening_was_closed_are_shown(client, boss, game):
    client.force_login(make_member(player=game.players[0]))
    hand = game.hands.get()
    sent = sent_by(client.get(hand.get_absolute_url()), "Dispute the hand")
    close_evening(game.league, game.evening, by=boss)
    sent |= {"answer": "dispute", "about": "other", "reason": "We forgot the flower"}
    page = client.post(reverse("answer_hand", args=[hand.pk]), sent)
    assert page.status_code == 403
    assert "What you wrote: “We forgot the flower”" in words(page)


def test_what_a_lost_answer_said_is_not_said_of_a_game_that_goes_on(client, boss, game):
    address = reverse("finish_game", args=[game.pk])
    sent = sent_by(client.get(address), "End the game")
    client.post(address, sent)
    reopen_game(game, by=make_organiser(), reason="Not over")
    page = words(client.post(address, sent, follow=True))
    assert "carried out then" in page
    assert "The game is over." not in page


def test_what_was_emptied_stays_empty_over_a_lost_session(client, boss, game):
    address = reverse("league_terms", args=[game.league.slug])
    change_terms(game.league, stake=500, stake_points=100, fee=200, by=boss)
    sent = {**typed_terms(client.get(address)), "stake": "", "fee": ""}
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.get(address)
    assert "not sent yet" in words(page)
    assert (page.context["form"]["stake"].value(), page.context["form"]["fee"].value()) == ("", "")


@pytest.mark.parametrize("name", ["league_terms", "new_league"])
def test_a_form_that_was_carried_out_before_the_session_was_over_is_not_called_unsent(
    client, boss, game, name
):
    """Only its answer was lost."""
    if name == "league_terms":
        address = reverse(name, args=[game.league.slug])
        sent = {**typed_terms(client.get(address)), "stake": "7"}
    else:
        address = reverse(name)
        page = client.get(address)
        shown = {
            field: page.context["form"][field].value() for field in page.context["form"].fields
        }
        shown = {field: value for field, value in shown.items() if value not in (None, False, "")}
        sent = {**shown, **sent_by(page, 'name="name"'), "name": "Thursday"}
        sent["starts_on"] = str(club_day())
    assert client.post(address, sent).status_code == 302
    client.logout()
    client.post(address, sent)
    client.force_login(boss)
    page = client.get(address)
    assert "was carried out before you were signed out" in words(page)
    assert "not sent yet" not in words(page)
