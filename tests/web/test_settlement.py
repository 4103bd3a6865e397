"""The page on which an evening is settled, and the one that says by what."""

import re
from datetime import date

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from scoring.models import EveningPayment, EveningTerms
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.settlements import change_terms
from scoring.services.withdrawals import withdraw_game
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
)
from tests.support.pages import words

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

NAMES = ("Anna", "Ben", "=Cai", "Dee")


@pytest.fixture
def game():
    """Ben has won 280 from everybody; 100 points are one euro."""
    game = make_game(players=[make_player(name) for name in NAMES])
    make_hand(game, winner=1)
    change_terms(game.league, stake=100, stake_points=100, fee=50, by=make_organiser())
    return game


@pytest.fixture
def anna(client, game):
    client.force_login(make_member(player=game.players[0]))
    return client


def address(game, name="settlement", *more):
    return reverse(name, args=[game.league.slug, game.evening, *more])


def forms(response):
    """What each button of the page that marks a payment sends."""
    parts = re.findall(r'<form method="post".*?</form>', response.content.decode(), re.DOTALL)
    return [dict(re.findall(r'name="(\w+)" value="([^"]*)"', part)) for part in parts]


def test_a_disputed_hand_will_change_the_amounts(anna, game):
    by = make_organiser()
    dispute_hand(make_hand(game, winner=2, by=by), by=by, player=game.players[1])
    assert "1 hand is disputed: the amounts will change" in words(anna.get(address(game)))


def test_what_was_paid_for_a_withdrawn_game_is_found_and_paid_back(anna, game):
    [sent] = forms(anna.get(address(game)))
    anna.post(address(game, "mark_as_paid"), sent)
    evenings = reverse("evenings", args=[game.league.slug])
    assert address(game) not in anna.get(evenings).content.decode()
    withdraw_game(game, by=make_organiser(), reason="Opened twice")
    assert address(game) in anna.get(evenings).content.decode()
    page = anna.get(address(game))
    assert "No game counts on this day any more" in words(page)
    assert f'href="{address(game, "evening")}"' not in page.content.decode()
    sent = next(form for form in forms(page) if "amount" in form)
    anna.post(address(game, "mark_as_paid"), sent)
    assert address(game) not in anna.get(evenings).content.decode()


PAID = "1 payment after this evening was marked."


def test_moving_a_game_says_first_what_was_paid(anna, game):
    [sent] = forms(anna.get(address(game)))
    anna.post(address(game, "mark_as_paid"), sent)
    asked = {"league": make_league().pk, "day": game.evening.isoformat()}
    page = anna.get(reverse("move_game", args=[game.pk]), asked)
    assert PAID in words(page)


def test_withdrawing_and_restoring_a_game_say_first_what_was_paid(anna, game):
    withdraw, restore = (
        reverse(name, args=[game.pk]) for name in ("withdraw_game", "restore_game")
    )
    assert "after this evening" not in words(anna.get(withdraw))
    [sent] = forms(anna.get(address(game)))
    anna.post(address(game, "mark_as_paid"), sent)
    assert PAID in words(anna.get(withdraw))
    assert PAID in words(anna.post(withdraw, {"reason": ""}))
    withdraw_game(game, by=make_organiser(), reason="Opened twice")
    assert PAID in words(anna.get(restore))


def test_opening_a_game_again_changes_no_points_and_says_nothing_of_payments(anna, game):
    [sent] = forms(anna.get(address(game)))
    anna.post(address(game, "mark_as_paid"), sent)
    finish_game(game, by=make_organiser())
    assert "after this evening" not in words(anna.get(reverse("reopen_game", args=[game.pk])))


def test_the_hall_fee_is_said_to_be_that_of_each_league(client, game):
    client.force_login(make_owner())
    assert "once for each league that is played" in words(client.get("/club/stakes/"))
    assert "has its own hall fee" in words(client.get(address(game)))


def test_a_player_marks_an_own_payment_and_takes_it_back(anna, game):
    page = anna.get(address(game))
    assert "Anna pays Ben €1.90" in words(page)
    [sent] = forms(page)
    page = anna.post(address(game, "mark_as_paid"), sent, follow=True)
    assert "Anna paid Ben" in words(page)
    payment = EveningPayment.objects.get()
    assert address(game, "undo_payment", payment.pk) in page.content.decode()
    page = anna.post(address(game, "undo_payment", payment.pk), follow=True)
    assert "Anna pays Ben" in words(page)


def test_what_has_changed_meanwhile_is_not_marked(anna, game):
    [sent] = forms(anna.get(address(game)))
    page = anna.post(address(game, "mark_as_paid"), {**sent, "amount": "1"})
    assert (page.status_code, "amount has changed" in words(page)) == (409, True)
    for broken in ({"amount": "x"}, {"payer": "x"}):
        assert anna.post(address(game, "mark_as_paid"), {**sent, **broken}).status_code == 422


def test_who_neither_pays_nor_is_paid_has_no_button(client, game):
    client.force_login(make_member())
    assert forms(client.get(address(game))) == []


def test_a_visitor_who_asks_for_a_settlement_signs_in_first(client, game):
    assert client.get(address(game)).status_code == 302
    assert address(game) not in client.get(address(game, "evening")).content.decode()


def test_the_evening_and_the_table_of_a_finished_game_lead_to_it(anna, game):
    assert address(game) in anna.get(address(game, "evening")).content.decode()
    assert address(game) not in anna.get(game.get_absolute_url()).content.decode()
    finish_game(game, by=make_organiser())
    assert address(game) in anna.get(game.get_absolute_url()).content.decode()


def test_an_evening_on_which_nobody_played_has_no_settlement(anna, game):
    where = [game.league.slug, date(2020, 1, 1)]
    assert anna.get(reverse("settlement", args=where)).status_code == 404
    assert anna.get(reverse("settlement_sheet", args=[*where, "csv"])).status_code == 404


def test_a_sheet_of_it_is_safe_in_a_spreadsheet(anna, game):
    rows = anna.get(address(game, "settlement_sheet", "csv")).content.decode().split("\r\n")
    assert "owed,Anna,Ben,1.90,EUR,," in rows
    assert "due,,till,2.00,EUR,," in rows
    assert any(row.startswith("owed,'=Cai,") for row in rows)


@pytest.mark.parametrize("games", [1, 3])
def test_a_settlement_costs_the_same_queries_for_any_number_of_games(
    anna, game, games, django_assert_num_queries
):
    for _game in range(games - 1):
        make_hand(make_game(league=game.league), winner=1)
    # Session, account and its roles; the league, its games, the settlement.
    with django_assert_num_queries(4 + 7):
        anna.get(address(game))


class TestTheTerms:
    def sent(self, **other):
        return {
            "as_club": "False",
            "currency": "EUR",
            "stake": "0.05",
            "stake_points": "10",
            "rounding": "5",
            "fee": "",
            "fee_per": "person",
            "effective_from": "2026-01-01",
            **other,
        }

    def test_an_owner_sets_those_of_the_club_and_a_league_has_its_own(self, client, game):
        client.force_login(make_owner())
        client.post(reverse("club_terms"), self.sent())
        own = reverse("league_terms", args=[game.league.slug])
        client.post(own, self.sent(currency="JPY", stake="3", fee="400"))
        versions = EveningTerms.objects.order_by("pk").values_list("league", "stake", "fee")
        assert list(versions)[1:] == [(None, 5, 0), (game.league.pk, 3, 400)]
        assert (
            "10 points are ¥3. Amounts are rounded to ¥5. Hall fee: ¥400 for each person."
            in words(client.get(own))
        )

    def test_earlier_terms_say_what_still_holds(self, client, game):
        client.force_login(make_organiser())
        own = reverse("league_terms", args=[game.league.slug])
        client.post(own, self.sent(stake="3", rounding="1"))
        page = client.post(own, self.sent(effective_from="2025-12-01"), follow=True)
        sentence = f"What was set for evenings from {date_format(date(2026, 1, 1))} on still holds"
        assert f"Saved. {sentence}: 10 points are €3.00." in words(page)

    @pytest.mark.parametrize(("currency", "most"), [("EUR", "€10,000.00"), ("JPY", "¥1,000,000")])
    def test_an_amount_that_is_too_much_is_named_in_the_unit_of_the_form(
        self, client, game, currency, most
    ):
        client.force_login(make_organiser())
        address = reverse("league_terms", args=[game.league.slug])
        more = most[1:].replace(",", "").replace("0000", "0001", 1)
        page = client.post(address, self.sent(currency=currency, fee=more, stake=""))
        assert page.context["form"].errors == {"fee": [f"At most {most}."]}

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"currency": "JPY"}, "stake"),
            ({"stake": "-1"}, "stake"),
            ({"stake": "20000"}, "stake"),
            ({"stake_points": "0"}, "stake_points"),
            ({"effective_from": "1066-10-14"}, "effective_from"),
        ],
    )
    def test_what_cannot_be_is_said_at_its_field(self, client, game, wrong, field):
        client.force_login(make_organiser())
        page = client.post(reverse("league_terms", args=[game.league.slug]), self.sent(**wrong))
        assert page.status_code == 422
        assert field in page.context["form"].errors
