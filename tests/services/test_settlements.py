"""Who owes whom after an evening, what was paid of it, and by what it is settled."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.evaluator.transfers import Due
from scoring.models import AuditEntry, EveningPayment, EveningTerms, League, Payment, club_day
from scoring.models.permissions import PermissionDenied
from scoring.models.settlement import dues, settlement_of, still_to_pay
from scoring.operations.verify.evenings import settlement_differences
from scoring.queries.my_data import my_data
from scoring.queries.seasons import final_rows
from scoring.services.adjustments import book_at_table, penalty
from scoring.services.confirmations import dispute_hand
from scoring.services.games import finish_game
from scoring.services.hands.correct import void_hand
from scoring.services.seasons import close_season
from scoring.services.settlements import change_terms, mark_as_paid, undo_payment
from tests.factories import (
    make_game,
    make_hand,
    make_league,
    make_member,
    make_organiser,
    make_owner,
    make_player,
)
from tests.support.effort import tries

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

EURO_FOR_100 = {"stake": 100, "stake_points": 100}


@pytest.fixture
def by():
    return make_owner()


@pytest.fixture
def played(by):
    """South has won from everybody."""
    game = make_game()
    make_hand(game, winner=1, by=by)
    return game


def settled(game):
    return settlement_of(game.league, game.evening)


def left(game, currency=""):
    return settled(game).of(currency).left.transfers


def mark(game, transfer, currency="", *, by):
    payer, payee, amount = transfer.payer, transfer.payee, transfer.amount
    return mark_as_paid(game.league, game.evening, payer, payee, amount, currency, by=by)


def adds_up(game):
    return all(sum(one.due.values()) == 0 for one in settled(game).sums)


def test_points_are_owed_without_a_stake(played):
    winner = played.players[1]
    points = settled(played).points
    assert {one.payee for one in left(played)} == {winner.pk}
    assert sum(one.amount for one in left(played)) == points[winner.pk] > 0
    assert [one.currency for one in settled(played).sums] == [""]


def test_stake_and_fee_are_owed_in_money_and_the_till_gets_the_fee(played, by):
    change_terms(None, **EURO_FOR_100, fee=250, by=by)
    [sums] = settled(played).sums
    points = settled(played).points
    assert sums.due == {None: 1000, **{pk: amount - 250 for pk, amount in points.items()}}
    assert sums.currency == "EUR"


def test_a_fee_without_a_stake_leaves_the_points_owed_as_points(played, by):
    change_terms(played.league, fee=1000, fee_per="evening", currency="GBP", by=by)
    assert settled(played).of("GBP").due == {
        None: 1000,
        **dict.fromkeys((player.pk for player in played.players), -250),
    }
    assert settled(played).of("").due == settled(played).points


def test_a_league_has_terms_of_its_own_until_it_takes_those_of_the_club_again(played, by):
    change_terms(None, **EURO_FOR_100, by=by)
    change_terms(played.league, stake=0, by=by)
    assert settled(played).of("EUR") is None
    change_terms(played.league, as_club=True, by=by)
    assert settled(played).of("EUR")
    assert (
        change_terms(played.league, as_club=True, by=by).pk == EveningTerms.objects.latest("pk").pk
    )
    assert EveningTerms.objects.count() == 3


def test_evenings_before_a_change_stay_as_they_were(played, by):
    tomorrow = club_day() + timedelta(days=1)
    change_terms(None, **EURO_FOR_100, effective_from=tomorrow, by=by)
    assert settled(played).of("EUR") is None


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"stake": 2_000_000}, "stake"),
        ({"stake_points": 0}, "stake_points"),
        ({"rounding": 7}, "rounding"),
        ({"currency": "XXX"}, "currency"),
    ],
)
def test_terms_that_cannot_be_are_refused_at_their_field(by, terms, field):
    with pytest.raises(ValidationError) as refused:
        change_terms(None, **terms, by=by)
    assert field in refused.value.error_dict


def test_what_was_paid_is_not_owed_any_more_and_the_rest_stays(played, by):
    before = left(played)
    payment = mark(played, before[0], by=by)
    assert left(played) == before[1:]
    assert (payment.marked_by, payment.amount) == (by, before[0].amount)
    undo_payment(payment, by=by)
    undo_payment(payment, by=by)
    assert left(played) == before
    actions = AuditEntry.objects.filter(subject="eveningpayment").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == ["mark_as_paid", "undo_payment"]


def test_two_taps_mark_one_payment(played, by):
    first = left(played)[0]
    assert mark(played, first, by=by) == mark(played, first, by=by)
    assert EveningPayment.objects.count() == 1


def test_what_is_not_owed_is_not_marked(played, by):
    first = left(played)[0]
    others = [
        Due(first.payer, first.payee, first.amount + 1),
        Due(first.payee, first.payer, first.amount),
        Due(None, first.payee, first.amount),
    ]
    for other in others:
        with pytest.raises(ValidationError) as refused:
            mark(played, other, by=by)
        assert refused.value.error_list[0].code == "moved_on"


def test_a_correction_keeps_what_was_paid_and_asks_for_the_difference_back(played, by):
    first = left(played)[0]
    mark(played, first, by=by)
    void_hand(played.hands.current().get(), by=by, reason="A trial")
    assert left(played) == (Due(first.payee, first.payer, first.amount),)
    assert adds_up(played)


def test_a_disputed_hand_is_not_owed_yet_and_a_penalty_is(played, by):
    dispute_hand(played.hands.get(), by=by, player=played.players[0])
    assert left(played) == ()
    book_at_table(played, penalty(played, played.players[3], 10), by=by, reason="Late")
    assert {(one.payer, one.amount) for one in left(played)} == {(played.players[3].pk, 10)}


def test_a_payment_in_another_currency_than_now_is_still_told(played, by):
    """The stake came after the points were paid."""
    first = left(played)[0]
    mark(played, first, by=by)
    change_terms(None, **EURO_FOR_100, by=by)
    assert left(played) == (Due(first.payee, first.payer, first.amount),)
    assert adds_up(played)


def test_verify_tells_an_evening_whose_points_do_not_add_up(played, by):
    mark(played, left(played)[0], by=by)
    finish_game(played, by=by)
    assert list(settlement_differences(played.league)) == []
    Payment.objects.filter(amount__gt=0).update(amount=F("amount") + 1)
    [difference] = settlement_differences(played.league)
    assert (difference.stored, difference.repairable) == (1, False)
    assert adds_up(played)


def test_the_file_about_a_person_has_what_they_paid(played, by):
    one = left(played)[0]
    mark(played, one, by=by)
    account = make_member(player=settled(played).players[one.payer])
    [paid] = my_data(account)["player"]["evening_payments"]
    assert (paid["amount"], paid["currency"]) == (str(one.amount), "points")


def test_only_the_two_and_organisers_mark_and_undo(played):
    first = left(played)[0]
    payer = next(player for player in played.players if player.pk == first.payer)
    other = next(player for player in played.players if player.pk not in (first.payer, first.payee))
    with pytest.raises(PermissionDenied, match="Only the two"):
        mark(played, first, by=make_member(player=other))
    payment = mark(played, first, by=make_member(player=payer))
    with pytest.raises(PermissionDenied, match="Only the two"):
        undo_payment(payment, by=make_member())
    undo_payment(payment, by=make_organiser())


def test_only_owners_change_the_terms_of_the_club(game):
    with pytest.raises(PermissionDenied):
        change_terms(None, **EURO_FOR_100, by=make_organiser())
    with pytest.raises(PermissionDenied):
        change_terms(game.league, **EURO_FOR_100, by=make_member())


@pytest.fixture
def closed(played, by):
    """The league of ``played``, whose season was closed on the evening of the game."""
    League.objects.filter(pk=played.league_id).update(ends_on=club_day())
    finish_game(played, by=by)
    close_season(played.league, by=by, final_rows=final_rows)
    return League.objects.get(pk=played.league_id)


def test_debts_of_a_closed_season_are_still_marked_as_paid_and_undone(played, closed, by):
    first = left(played)[0]
    payer = next(player for player in played.players if player.pk == first.payer)
    for account in (make_member(player=payer), by):
        undo_payment(mark(played, first, by=account), by=account)


def test_the_stake_of_a_closed_season_is_frozen(played, closed, by):
    for terms in (EURO_FOR_100, {"as_club": True}):
        with pytest.raises(ValidationError, match="open it again to change its stake"):
            change_terms(closed, **terms, by=by)


def test_the_club_changes_its_stake_only_after_the_evenings_of_closed_seasons(played, closed, by):
    with pytest.raises(ValidationError, match="is closed") as refused:
        change_terms(None, **EURO_FOR_100, by=by)
    assert list(refused.value.error_dict) == ["effective_from"]
    change_terms(None, **EURO_FOR_100, effective_from=club_day() + timedelta(days=1), by=by)


def test_a_closed_season_with_a_stake_of_its_own_holds_nobody_up(played, by, request):
    change_terms(played.league, stake=0, by=by)
    request.getfixturevalue("closed")
    change_terms(None, **EURO_FOR_100, by=by)
    assert settled(played).of("EUR") is None


@pytest.mark.each_database
@pytest.mark.parametrize("parties", ["nobody", "one"])
def test_the_database_refuses_payments_that_are_none(game, parties):
    player = make_player() if parties == "one" else None
    payment = EveningPayment(
        league=game.league, day=game.evening, payer=player, payee=player, amount=1
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        payment.save()


@pytest.mark.parametrize("games", [1, 3])
def test_a_settlement_costs_five_queries(played, games, django_assert_num_queries):
    for _game in range(games - 1):
        make_hand(make_game(league=played.league), winner=1)
    league = played.league
    with django_assert_num_queries(5):
        settlement_of(league, played.evening)


def test_each_league_and_day_has_a_settlement_of_its_own(played):
    assert settlement_of(make_league(), played.evening).points == {}
    assert settlement_of(played.league, played.evening - timedelta(days=1)).points == {}


AMOUNTS = st.lists(st.integers(-50, 50), min_size=1, max_size=6)


@settings(max_examples=tries(60, 1000))
@given(st.data())
def test_whatever_is_paid_and_corrected_the_rest_settles_it(data):
    """Some pay as they are told, then the points change, and some pay again."""
    paid = []
    for _correction in range(2):
        some = data.draw(AMOUNTS)
        due = dict(enumerate([*some, -sum(some)]))
        for _payment in range(data.draw(st.integers(0, 3))):
            plan = still_to_pay(due, paid).transfers
            if not plan:
                break
            one = data.draw(st.sampled_from(plan))
            # The others are told the same as before.
            rest = tuple(other for other in plan if other != one)
            assert still_to_pay(due, [*paid, one]).transfers == rest
            paid.append(one)
        balances = dict(due)
        for one in [*paid, *still_to_pay(due, paid).transfers]:
            balances[one.payer] = balances.get(one.payer, 0) + one.amount
            balances[one.payee] = balances.get(one.payee, 0) - one.amount
        assert not any(balances.values())


@settings(max_examples=tries(60, 1000))
@given(
    points=AMOUNTS,
    stake=st.integers(0, 500),
    stake_points=st.integers(1, 1000),
    fee=st.integers(0, 1000),
    rounding=st.sampled_from(EveningTerms.Rounding.values),
    fee_per=st.sampled_from(EveningTerms.FeePer.values),
)
def test_what_is_due_adds_up_and_is_rounded(points, rounding, **columns):
    terms = EveningTerms(rounding=rounding, **columns)
    points = dict(enumerate([*points, -sum(points)]))
    for currency, owed in dues(terms, points, fee_of=points).items():
        assert sum(owed.values()) == 0
        assert not currency or all(amount % rounding == 0 for amount in owed.values())
