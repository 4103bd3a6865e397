"""Settle debts with the fewest transfers, and round amounts so that they sum to zero.

A balance is what somebody has to get; less than zero is what they have to pay. Whole units (points, or
the smallest coins of a currency) by any keys, whose order decides wherever something else does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from .rounding import nearest

Key = TypeVar("Key")

# People for whom the fewest transfers are found for certain. The work doubles with each one more.
MOST_EXACT = 12


@dataclass(frozen=True, slots=True)
class Due(Generic[Key]):
    """``payer`` pays ``payee`` the ``amount``, 1 or more."""

    payer: Key
    payee: Key
    amount: int


@dataclass(frozen=True, slots=True)
class Plan(Generic[Key]):
    """Transfers that make everybody even.

    :ivar fewest: whether it is certain that no fewer would do.
    """

    transfers: tuple[Due[Key], ...]
    fewest: bool = True


def fewest_transfers(balances: Mapping[Key, int]) -> Plan[Key]:
    """The fewest transfers that settle ``balances``. The same balances always give the same ones.

    Up to ``MOST_EXACT`` people, besides pairs who are even between themselves, it is exact. Above that
    the largest debtor pays the largest creditor until so many are left.

    :raises ValueError: unless the balances sum to 0.

    >>> fewest_transfers({"Anna": -5, "Ben": 8, "Cai": -3}).transfers
    (Due(payer='Anna', payee='Ben', amount=5), Due(payer='Cai', payee='Ben', amount=3))
    """
    if sum(balances.values()):
        raise ValueError("balances that do not sum to 0 cannot be settled")
    keys = [key for key, balance in balances.items() if balance]
    left = [balances[key] for key in keys]
    transfers = _even_pairs(left)
    fewest = sum(map(bool, left)) <= MOST_EXACT
    while sum(map(bool, left)) > MOST_EXACT:
        transfers += [_largest(left, range(len(left)))]
        transfers += _even_pairs(left)
    open_ones = [place for place, balance in enumerate(left) if balance]
    for group in _even_groups([left[place] for place in open_ones]):
        places = [open_ones[one] for one in group]
        while any(left[place] for place in places):
            transfers.append(_largest(left, places))
    return Plan(
        tuple(Due(keys[payer], keys[payee], amount) for payer, payee, amount in transfers), fewest
    )


def apportion(shares: Mapping[Key, Fraction], step: int = 1) -> dict[Key, int]:
    """``shares``, each as a multiple of ``step``, so that they sum to what they did, rounded to a step.

    By largest remainders: each is rounded down, and what is missing goes step by step to those who lost
    most by it, of equals to the first.

    >>> apportion({"Anna": Fraction(10, 3), "Ben": Fraction(-20, 3), "Cai": Fraction(10, 3)})
    {'Anna': 4, 'Ben': -7, 'Cai': 3}
    """
    steps = {key: share // step for key, share in shares.items()}
    by_remainder = sorted(shares, key=lambda key: steps[key] - shares[key] / step)
    missing = nearest(sum(shares.values()), step) // step - sum(steps.values())
    for key in by_remainder[:missing]:
        steps[key] += 1
    return {key: count * step for key, count in steps.items()}


_Transfer = tuple[int, int, int]


def _even_pairs(left: list[int]) -> list[_Transfer]:
    """Settle who owes exactly what another one gets: fewer transfers are never lost by that."""
    transfers = []
    for payee, balance in enumerate(left):
        if balance > 0 and -balance in left:
            transfers.append(_pay(left, left.index(-balance), payee))
    return transfers


def _largest(left: list[int], places: Sequence[int]) -> _Transfer:
    """Let the largest debtor of ``places`` pay the largest creditor what one of them has left."""
    payer = min(places, key=lambda place: left[place])
    payee = max(places, key=lambda place: left[place])
    return _pay(left, payer, payee)


def _pay(left: list[int], payer: int, payee: int) -> _Transfer:
    amount = min(-left[payer], left[payee])
    left[payer] += amount
    left[payee] -= amount
    return payer, payee, amount


def _even_groups(balances: Sequence[int]) -> list[list[int]]:
    """``balances``, none of them 0, in as many groups (of places) as can be that sum to 0 each.

    A group of n is settled by n - 1 transfers, so that each group more is a transfer less. For every set
    of places, a number with a bit for each, it is the best of what is so without one of them, and one
    group more if the set itself sums to 0.
    """
    sets = 1 << len(balances)
    sums, most, without = [0] * sets, [0] * sets, [0] * sets
    for chosen in range(1, sets):
        lowest = (chosen & -chosen).bit_length() - 1
        sums[chosen] = sums[chosen & (chosen - 1)] + balances[lowest]
        places = [place for place in range(len(balances)) if chosen >> place & 1]
        without[chosen] = max(places, key=lambda place: most[chosen ^ 1 << place])
        most[chosen] = most[chosen ^ 1 << without[chosen]] + (sums[chosen] == 0)
    groups: list[list[int]] = []
    chosen = sets - 1
    while chosen:
        if sums[chosen] == 0:
            groups.append([])
        groups[-1].append(without[chosen])
        chosen ^= 1 << without[chosen]
    return [sorted(group) for group in groups]
