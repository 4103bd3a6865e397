"""Work out who pays whom after a hand, by the settlement that a book names. Whole points, seats 0 to 3.

Every engine gives four amounts that add up to 0, but for sticks: those come onto the table, and go to
who wins.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .book import SettlementRules

SEATS = range(4)


class HandResult(NamedTuple):
    """What was played: the ``scores`` of the four, who won (None: a draw), and who dealt.

    ``liable`` pays for everybody, where the book knows that. ``discarder`` is None for a drawn tile.
    Who declared a ``false_win`` pays by the highest score of the book, which then stands in ``scores``.
    ``shares`` as in the winner's verdict; ``counters`` and ``sticks`` lay on the table before, ``staked``
    are the seats that put a stick there in this hand, ``calling`` those who lack one tile at a draw. Where
    several win on one discard, each has an outcome: counters, sticks and staked stand in the first.
    """

    scores: Sequence[int]
    winner: int | None
    dealer: int = 0
    discarder: int | None = None
    liable: int | None = None
    false_win: int | None = None
    shares: tuple[int, int] = (0, 0)
    counters: int = 0
    sticks: int = 0
    staked: tuple[int, ...] = ()
    calling: tuple[int, ...] = ()


def settle(settlement: SettlementRules, outcome: HandResult) -> list[int]:
    """What each seat wins or pays.

    >>> classical = SettlementRules(losers_settle=True)
    >>> settle(classical, HandResult([100, 200, 50, 20], winner=1))
    [-140, 800, -270, -390]
    """
    if outcome.false_win is not None:
        return _false_win(settlement, outcome.false_win, outcome.scores)
    return ENGINES[settlement.kind](settlement, outcome)


def _false_win(settlement: SettlementRules, at_fault: int, scores: Sequence[int]) -> list[int]:
    """The same amount to each other player."""
    amounts = [0] * 4
    for seat in SEATS:
        if seat != at_fault:
            _pay(amounts, at_fault, seat, settlement.false_win * scores[at_fault] * settlement.base)
    return amounts


def _shares(settlement: SettlementRules, outcome: HandResult) -> list[int]:
    """From each loser the winner's score, and between losers the difference where they settle."""
    amounts = [0] * 4
    winner = outcome.winner
    if winner is not None:
        weights = _weights(settlement, outcome)
        for payer, weight in weights.items():
            _pay(amounts, payer, winner, outcome.scores[winner] * weight)
    for (one, _other), amount in between_losers(settlement, outcome).items():
        amounts[one] += amount
    return amounts


def between_losers(settlement: SettlementRules, outcome: HandResult) -> dict[tuple[int, int], int]:
    """What each loser gets from each other one, less than 0 for what is paid; empty where none settle.

    >>> between_losers(SettlementRules(losers_settle=True), HandResult([100, 200, 50, 50], winner=1))[0, 2]
    100
    """
    winner, scores = outcome.winner, outcome.scores
    if not settlement.losers_settle or winner is None or outcome.liable is not None:
        return {}
    losers = [seat for seat in SEATS if seat != winner]
    return {
        (one, other): (scores[one] - scores[other]) * _factor(settlement, outcome, one, other)
        for one in losers
        for other in losers
        if one != other
    }


def _weights(settlement: SettlementRules, outcome: HandResult) -> dict[int, int]:
    """How many times the winner's score each other player pays."""
    winner, discarder = outcome.winner, outcome.discarder
    assert winner is not None
    weights = {seat: _factor(settlement, outcome, seat, winner) for seat in SEATS if seat != winner}
    if outcome.liable is not None:
        return {outcome.liable: sum(weights.values())}
    if discarder is None or settlement.discarder == "equal":
        return weights
    if settlement.discarder == "pays_for_all":
        return {discarder: sum(weights.values())}
    if settlement.discarder == "alone":
        return {discarder: weights[discarder]}
    weights[discarder] *= 2
    return weights


def _factor(settlement: SettlementRules, outcome: HandResult, one: int, other: int) -> int:
    return 2 if settlement.dealer_doubles and outcome.dealer in (one, other) else 1


def _portions(settlement: SettlementRules, outcome: HandResult) -> list[int]:
    """A portion from each on a drawn tile; on a discard two in all, by who is responsible."""
    amounts = [0] * 4
    winner = outcome.winner
    if winner is None:
        return amounts
    portion = outcome.scores[winner] * settlement.base
    others = [seat for seat in SEATS if seat != winner]
    if outcome.liable is not None:
        times = 3 if outcome.discarder is None else 2
        _pay(amounts, outcome.liable, winner, times * portion)
    elif outcome.discarder is None:
        for seat in others:
            _pay(amounts, seat, winner, portion)
    elif settlement.discarder == "half":
        for seat in others:
            share = portion if seat == outcome.discarder else portion // 2
            _pay(amounts, seat, winner, share)
    else:
        _pay(amounts, outcome.discarder, winner, 2 * portion)
    return amounts


def _threshold(settlement: SettlementRules, outcome: HandResult) -> list[int]:
    """Up to the threshold each pays the score; above it the discarder pays what lies above."""
    amounts = [0] * 4
    winner = outcome.winner
    if winner is None:
        return amounts
    score, limit = outcome.scores[winner], settlement.threshold
    for seat in SEATS:
        if seat == winner:
            continue
        share = score
        if outcome.discarder is not None and score > limit:
            share = 3 * score - 2 * limit if seat == outcome.discarder else limit
        _pay(amounts, seat, winner, share)
    return amounts


def _base(settlement: SettlementRules, outcome: HandResult) -> list[int]:
    """The base from each; the score besides from the discarder, or from each on a drawn tile."""
    amounts = [0] * 4
    winner = outcome.winner
    if winner is None:
        return amounts
    for seat in SEATS:
        if seat != winner:
            pays = outcome.discarder in (None, seat)
            _pay(amounts, seat, winner, settlement.base + pays * outcome.scores[winner])
    return amounts


def _costs(settlement: SettlementRules, outcome: HandResult) -> list[int]:
    """The shares of the verdict, counters and sticks; at a draw, those who call are paid."""
    amounts = [0] * 4
    winner = outcome.winner
    for seat in outcome.staked:
        amounts[seat] -= settlement.stick
    if winner is None:
        _pay_calling(amounts, settlement.draw, outcome.calling)
        return amounts
    for payer, amount in _costs_by_payer(settlement, outcome).items():
        _pay(amounts, payer, winner, amount)
    amounts[winner] += settlement.stick * (outcome.sticks + len(outcome.staked))
    return amounts


def _costs_by_payer(settlement: SettlementRules, outcome: HandResult) -> dict[int, int]:
    main, additional = outcome.shares
    counters = settlement.counter * outcome.counters
    dealer, discarder, liable = outcome.dealer, outcome.discarder, outcome.liable
    others = [seat for seat in SEATS if seat != outcome.winner]
    if discarder is None:
        costs = {seat: counters + (main if seat == dealer else additional) for seat in others}
        return costs if liable is None else {liable: sum(costs.values())}
    if liable in (None, discarder):
        return {discarder: main + 3 * counters}
    return {discarder: main - main // 2 + 3 * counters, liable: main // 2}


def shares_of(score: int, *, drawn: bool, deals: bool, step: int = 1) -> tuple[int, int]:
    """What the dealer, or who discarded, and what each other loser pays for a hand of ``score``.

    By "costs" a score says how it is shared: of a drawn tile a dealer gets a third of it from each, any
    other winner twice as much from the dealer as from the rest, each rounded up to ``step``.

    >>> shares_of(7900, drawn=True, deals=False, step=100)
    (3900, 2000)
    """
    if not drawn:
        return score, 0
    additional = -(-score // ((3 if deals else 4) * step)) * step
    return (additional if deals else max(score - 2 * additional, 0)), additional


def _pay_calling(amounts: list[int], pot: int, calling: Sequence[int]) -> None:
    """The ``pot`` from those who do not call to those who do; nothing if all or none do."""
    rest = [seat for seat in SEATS if seat not in calling]
    if calling and rest:
        for seat in calling:
            amounts[seat] += pot // len(calling)
        for seat in rest:
            amounts[seat] -= pot // len(rest)


def sticks_after(winner: int | None, sticks: int, staked: Sequence[int]) -> int:
    """How many sticks lie on the table after a hand."""
    return 0 if winner is not None else sticks + len(staked)


def _pay(amounts: list[int], payer: int, receiver: int, amount: int) -> None:
    amounts[payer] -= amount
    amounts[receiver] += amount


ENGINES: dict[str, Callable[[SettlementRules, HandResult], list[int]]] = {
    "shares": _shares,
    "portions": _portions,
    "threshold": _threshold,
    "base": _base,
    "costs": _costs,
}

# What each reads of its table; false wins are settled alike by all.
READS: Mapping[str, tuple[str, ...]] = {
    "shares": ("dealer_doubles", "losers_settle", "discarder", "liability", "liable_for"),
    "portions": ("base", "discarder", "liability", "liable_for"),
    "threshold": ("threshold",),
    "base": ("base",),
    "costs": ("liability", "liable_for", "counter", "stick", "draw", "left_to_first", "start", "target", "places"),
}  # fmt: skip
# Who pays how much for a discard, where a book may choose: the first unless it says otherwise.
DISCARDERS: Mapping[str, tuple[str, ...]] = {
    "shares": ("equal", "double", "pays_for_all", "alone"),
    "portions": ("full", "half"),
}
