"""Who pays whom at the end of an evening: the fewest transfers, and sums that stay 0."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.evaluator.transfers import MOST_EXACT, apportion, fewest_transfers
from tests.support.effort import tries

MANY = MOST_EXACT + 6


def balances_of(most, highest=9):
    amounts = st.lists(st.integers(-highest, highest), max_size=most - 1)
    return amounts.map(lambda some: dict(enumerate([*some, -sum(some)])))


def after(balances, transfers):
    left = dict(balances)
    for one in transfers:
        left[one.payer] += one.amount
        left[one.payee] -= one.amount
    return left


@cache
def fewest_by_trying(left):
    """However few transfers settle ``left``, by trying whom the first debtor could be grouped with."""
    if not left:
        return 0
    first, *others = left
    best = len(left) - 1
    for chosen in range(1 << len(others)):
        group = [one for place, one in enumerate(others) if chosen >> place & 1]
        if first + sum(group) == 0:
            rest = tuple(one for place, one in enumerate(others) if not chosen >> place & 1)
            best = min(best, len(group) + fewest_by_trying(rest))
    return best


@settings(max_examples=tries(100, 2000), deadline=None)
@given(balances_of(10))
def test_no_fewer_transfers_would_do_up_to_ten_people(balances):
    plan = fewest_transfers(balances)
    assert not any(after(balances, plan.transfers).values())
    owed = tuple(sorted(amount for amount in balances.values() if amount))
    assert (plan.fewest, len(plan.transfers)) == (True, fewest_by_trying(owed))


@settings(max_examples=tries(15, 200), deadline=None)
@given(balances_of(MANY, highest=10_000))
def test_everybody_is_even_afterwards_however_many_they_are(balances):
    plan = fewest_transfers(balances)
    assert not any(after(balances, plan.transfers).values())
    assert all(one.amount > 0 and one.payer != one.payee for one in plan.transfers)
    assert len(plan.transfers) < max(len(balances), 1)


def test_a_plan_for_very_many_says_that_fewer_might_do():
    # Different debts, so that no two people are even between themselves.
    balances = {place: 2**place for place in range(MOST_EXACT)}
    balances["all"] = -sum(balances.values())
    assert not fewest_transfers(balances).fewest


def test_pairs_that_are_even_leave_room_for_others():
    balances = {f"{side}{place}": side * (3**place) for place in range(MANY) for side in (1, -1)}
    plan = fewest_transfers(balances)
    assert (plan.fewest, len(plan.transfers)) == (True, MANY)


def test_two_groups_that_are_even_settle_apart():
    # The largest debtor and the largest creditor would need one transfer more.
    balances = {"Anna": -7, "Ben": 4, "Cai": 3, "Dee": -9, "Eva": 5, "Fay": 4}
    assert len(fewest_transfers(balances).transfers) == 4


def test_balances_that_do_not_add_up_are_refused():
    with pytest.raises(ValueError, match="sum to 0"):
        fewest_transfers({"Anna": 3, "Ben": -2})


@settings(max_examples=tries(100, 1000))
@given(
    st.lists(st.fractions(-1000, 1000, max_denominator=60), max_size=12),
    st.sampled_from([1, 5, 10, 50, 100]),
)
def test_rounded_amounts_sum_to_zero_and_are_off_by_less_than_a_step(some, step):
    shares = dict(enumerate([*some, -sum(some, Fraction(0))]))
    rounded = apportion(shares, step)
    assert sum(rounded.values()) == 0
    for key, share in shares.items():
        assert rounded[key] % step == 0
        assert abs(rounded[key] - share) < step
