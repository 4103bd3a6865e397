"""Who pays whom at a riichi table, and what lies there afterwards.

Worked by hand from Riichi, Rules for Japanese Mahjong (European Mahjong Association, 2016): 3.3.9
liability, 3.3.14 riichi, 3.4.2 the exhaustive draw, 3.4.3 sticks after it, 3.4.9 and 3.4.10 the win
and the counters, 3.4.12 who deals on; the payments are those of its scoring tables. Hands that are broken off
leave sticks and counters as a draw does (edition of 2012, 3.4.3).
"""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.evaluator.books.loader import from_data, load
from scoring.evaluator.books.settlement import shares_of
from scoring.evaluator.problems import HandError
from scoring.evaluator.table import SILENT, Calls, TableState
from scoring.evaluator.table_rules import Paid
from scoring.evaluator.tiles import Wind
from scoring.variants.book_rules import BookTableRules

RULES = BookTableRules(load("riichi"))
E, S, W, N = range(4)
DRAW = None


def played(winner, final=0, *, off=None, liable=None, lay=(0, 0), dealer=E, **calls):
    """Payments, counters and sticks afterwards, and who deals then, of a hand in the East round.

    ``lay``: how many counters and sticks lay on the table.
    """
    table = TableState(Wind.EAST, dealer, 5, counters=lay[0], sticks=lay[1])
    calls = Calls(**calls)
    paid = Paid.of(
        winner, final, dealer=dealer, discarder=off, liable=liable, table=table, calls=calls
    )
    amounts, after = RULES.settle(paid), RULES.after(table, winner, calls)
    assert sum(amounts) == RULES.stick * (lay[1] - after.sticks)
    return list(amounts), (after.counters, after.sticks), after.dealer


CASES = [
    # Won off a discard: only the discarder pays (3.4.9).
    (played(S, 1000, off=W), [0, 1000, -1000, 0], (0, 0), S),
    (played(S, 7700, off=N), [0, 7700, 0, -7700], (0, 0), S),
    (played(N, 8000, off=E), [-8000, 0, 0, 8000], (0, 0), S),
    (played(E, 1500, off=S), [1500, -1500, 0, 0], (1, 0), E),
    (played(E, 11_600, off=N), [11_600, 0, 0, -11_600], (1, 0), E),
    (played(E, 48_000, off=W), [48_000, 0, -48_000, 0], (1, 0), E),
    (played(W, 32_000, off=S), [0, -32_000, 32_000, 0], (0, 0), S),
    # Self-drawn: 30 minipoints with 1 to 4 han, limits, and two hands whose shares are rounded.
    (played(S, 1100), [-500, 1100, -300, -300], (0, 0), S),
    (played(S, 2000), [-1000, 2000, -500, -500], (0, 0), S),
    (played(S, 4000), [-2000, 4000, -1000, -1000], (0, 0), S),
    (played(S, 7900), [-3900, 7900, -2000, -2000], (0, 0), S),
    (played(W, 1500), [-700, -400, 1500, -400], (0, 0), S),
    (played(N, 2700), [-1300, -700, -700, 2700], (0, 0), S),
    (played(N, 8000), [-4000, -2000, -2000, 8000], (0, 0), S),
    (played(W, 32_000), [-16_000, -8000, 32_000, -8000], (0, 0), S),
    (played(E, 1500), [1500, -500, -500, -500], (1, 0), E),
    (played(E, 7800), [7800, -2600, -2600, -2600], (1, 0), E),
    (played(E, 11_700), [11_700, -3900, -3900, -3900], (1, 0), E),
    (played(S, 12_000, dealer=S), [-4000, 12_000, -4000, -4000], (1, 0), S),
    # Counters: 300 each from the discarder, 100 each from everybody (3.4.10).
    (played(S, 1000, off=W, lay=(2, 0)), [0, 1600, -1600, 0], (0, 0), S),
    (played(S, 7900, lay=(3, 0)), [-4200, 8800, -2300, -2300], (0, 0), S),
    (played(E, 1500, lay=(1, 0)), [1800, -600, -600, -600], (2, 0), E),
    (played(E, 11_600, off=N, lay=(4, 0)), [12_800, 0, 0, -12_800], (5, 0), E),
    # Sticks: who declared riichi pays 1,000 to the table, the winner takes all (3.3.14, 3.4.9).
    (played(S, 2000, off=E, staked=(S,)), [-2000, 2000, 0, 0], (0, 0), S),
    (played(S, 2000, off=E, staked=(S, E)), [-3000, 3000, 0, 0], (0, 0), S),
    (played(W, 3900, off=N, staked=(E, S)), [-1000, -1000, 5900, -3900], (0, 0), S),
    (played(S, 2000, off=W, lay=(0, 3)), [0, 5000, -2000, 0], (0, 0), S),
    (played(E, 6000, lay=(1, 2), staked=(E, N)), [9300, -2100, -2100, -3100], (2, 0), E),
    (
        played(N, 8000, off=W, lay=(2, 1), staked=(E, S, W, N)),
        [-1000, -1000, -9600, 12_600],
        (0, 0),
        S,
    ),
    # The wall runs out: 3,000 from those who do not call; the dealer stays while calling (3.4.2, 3.4.12).
    (played(DRAW), [0, 0, 0, 0], (1, 0), S),
    (played(DRAW, calling=(E,)), [3000, -1000, -1000, -1000], (1, 0), E),
    (played(DRAW, calling=(S,)), [-1000, 3000, -1000, -1000], (1, 0), S),
    (played(DRAW, calling=(E, W)), [1500, -1500, 1500, -1500], (1, 0), E),
    (played(DRAW, calling=(S, W, N)), [-3000, 1000, 1000, 1000], (1, 0), S),
    (played(DRAW, calling=(E, S, W, N)), [0, 0, 0, 0], (1, 0), E),
    (
        played(DRAW, lay=(1, 1), staked=(S,), calling=(S,)),
        [-1000, 2000, -1000, -1000],
        (2, 2),
        S,
    ),
    (
        played(DRAW, lay=(0, 2), staked=(E, N), calling=(E, N)),
        [500, -1500, -1500, 500],
        (1, 4),
        E,
    ),
    # Broken off: nobody shows a hand, sticks and counters stay, and the dealer deals again.
    (played(DRAW, abortive=True), [0, 0, 0, 0], (1, 0), E),
    (played(DRAW, lay=(2, 1), staked=(W,), abortive=True), [0, 0, -1000, 0], (3, 2), E),
    (
        played(DRAW, staked=(E, S, W, N), abortive=True),
        [-1000, -1000, -1000, -1000],
        (1, 4),
        E,
    ),
    # Liability: all of a drawn tile, half of a discard; the discarder pays the counters (3.3.9).
    (played(S, 32_000, liable=N), [0, 32_000, 0, -32_000], (0, 0), S),
    (played(S, 32_000, liable=N, lay=(1, 0)), [0, 32_300, 0, -32_300], (0, 0), S),
    (played(E, 48_000, off=S, liable=W), [48_000, -24_000, -24_000, 0], (1, 0), E),
    (
        played(S, 32_000, off=E, liable=W, lay=(2, 1), staked=(E,)),
        [-17_600, 34_600, -16_000, 0],
        (0, 0),
        S,
    ),
    (played(W, 32_000, off=N, liable=N), [0, 0, 32_000, -32_000], (0, 0), S),
]


@pytest.mark.parametrize(("got", "amounts", "lies", "deals"), CASES)
def test_a_settlement_of_the_published_rules(got, amounts, lies, deals) -> None:
    assert got == (amounts, lies, deals)


def test_a_score_says_how_it_is_shared() -> None:
    for han, minipoints in (
        (han, fu) for han in range(1, 5) for fu in (20, 25, *range(30, 111, 10))
    ):
        base = min(minipoints * 2 ** (2 + han), 2000)
        other, dealer = (-(-base * times // 100) * 100 for times in (1, 2))
        assert shares_of(dealer + 2 * other, drawn=True, deals=False, step=100) == (dealer, other)
        assert RULES.divides(dealer + 2 * other, drawn=True, deals=False)
        assert shares_of(3 * dealer, drawn=True, deals=True, step=100) == (dealer, dealer)


@pytest.mark.parametrize(
    ("claim", "deals"), [(1300, False), (1000, True), (2700, True), (500, False)]
)
def test_what_three_cannot_share_is_no_score(claim, deals) -> None:
    assert RULES.divides(claim, drawn=True, deals=deals) is (claim == 2700)


@pytest.mark.parametrize(
    ("winner", "calls", "refusal"),
    [
        (S, Calls(calling=(E,)), ("calling", "not_in_a_win")),
        (S, Calls(abortive=True), ("abortive", "not_in_a_win")),
        (DRAW, Calls(calling=(E,), abortive=True), ("calling", "broken_off")),
    ],
)
def test_riichi_calls_that_contradict_the_hand_are_refused(winner, calls, refusal) -> None:
    with pytest.raises(HandError) as error:
        RULES.check_calls(calls, winner)
    assert [(one.field, one.code) for one in error.value.problems] == [refusal]


def test_books_other_than_riichi_ask_nobody_who_was_calling() -> None:
    rules = BookTableRules(load("hk"))
    with pytest.raises(HandError):
        rules.check_calls(Calls(staked=(S,)), S)
    rules.check_calls(SILENT, S)
    assert rules.follow_calls(SILENT, S, "x") == (SILENT, "x")
    state = TableState.start()
    assert rules.after(state, S) == state.after(S, rules)


def test_a_table_may_know_no_hands_that_are_broken_off() -> None:
    book = from_data({"base": "riichi", "slug": "ours", "deal": {"abortive": False}})
    with pytest.raises(HandError, match="nobody is asked"):
        BookTableRules(book).check_calls(Calls(abortive=True), DRAW)


def test_riichi_and_the_stick_are_one() -> None:
    assert RULES.follow_calls(SILENT, S, "riichi") == (Calls(staked=(S,)), "riichi")
    assert RULES.follow_calls(Calls(staked=(S,)), S, "ippatsu")[1] == "ippatsu riichi"
    assert RULES.follow_calls(Calls(staked=(S,)), S, "double_riichi")[1] == "double_riichi"
    assert RULES.follow_calls(Calls(staked=(W,)), DRAW, "")[0].calling == (W,)


def test_riichi_without_sticks_puts_nobodys_stick_on_the_table() -> None:
    book = from_data({"base": "riichi", "slug": "ours", "settlement": {"stick": 0}})
    rules = BookTableRules(book)
    calls, flags = rules.follow_calls(SILENT, S, "riichi")
    rules.check_calls(calls, S)
    assert (calls, flags) == (SILENT, "riichi")


@given(st.integers(), st.integers(min_value=1, max_value=60))
def test_nothing_is_lost_in_any_game(seed: int, hands: int) -> None:
    rng, table, held = Random(seed), TableState.start(), [0, 0, 0, 0]
    for _hand in range(hands):
        people = [place for place in range(4) if rng.random() < 0.4]
        winner = rng.choice([DRAW, *range(4)])
        others = [place for place in range(4) if place != winner]
        off, liable = rng.choice([None, *others]), rng.choice([None, None, *others])
        calls = Calls(staked=tuple(people))
        if winner is DRAW:
            off = liable = None
            calls = calls._replace(abortive=rng.random() < 0.2)
        calls, _flags = RULES.follow_calls(calls, winner, "")
        final = 0 if winner is DRAW else 100 * rng.randrange(1, 480)
        paid = Paid.of(
            winner,
            final,
            dealer=table.dealer,
            discarder=off,
            liable=liable,
            table=table,
            calls=calls,
        )
        held = [sum(pair) for pair in zip(held, RULES.settle(paid), strict=True)]
        table = RULES.after(table, winner, calls)
        assert table.sticks >= 0
        assert table.counters >= 0
        assert sum(held) == -1000 * table.sticks
    assert table.round in (Wind.EAST, Wind.SOUTH)
