"""The club's own rules behind the interface by which a table plays."""

from types import SimpleNamespace

import pytest

from scoring.evaluator.option_rules import OptionTableRules, no_options
from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import CLUB, LIMIT_RULES
from scoring.evaluator.table import Calls, TableState
from scoring.evaluator.table_rules import Claims, LoserEntry, Paid, Worth
from scoring.evaluator.tiles import Wind
from scoring.evaluator.win import USUAL, Win

RULES = OptionTableRules(CLUB)
HAND = "222B* 345B 55B 222D GGG"


def row(tiles=HAND, **columns):
    usual = {"outcome": "win", "melds": [], "checked": True, "final": None, "claimed_limit": ""}
    return SimpleNamespace(tiles=tiles, **{**usual, **USUAL._asdict(), **columns})


def codes(error):
    return {(problem.field, problem.code) for problem in error.value.problems}


def test_option_rules_read_a_winning_hand_in_its_canonical_spelling():
    read = RULES.read(row(), "S", "E")
    assert read.tiles.split()[:4] == ["2B", "2B", "2B", "3B"]
    assert read.melds == [{"kind": "pung", "tiles": ["2B", "2B", "2B"], "concealed": False}]
    assert read.win == Win(concealed=False)


def test_a_limit_hand_of_another_book_has_no_worth():
    with pytest.raises(HandError) as error:
        RULES.worth(row("", claimed_limit="fan_tan"), "S", "E")
    assert codes(error) == {("claimed_limit", "not_a_limit")}


def test_option_rules_refuse_tiles_that_do_not_win():
    with pytest.raises(HandError) as error:
        RULES.read(row("222B 345B 55B 222D GGW"), "S", "E")
    assert codes(error) == {("tiles", "does_not_win")}


def test_option_rules_refuse_circumstances_of_books_by_name():
    win = Win(
        won_by="robbing_kong", winning_tile="G", bonus="F1 Y2", flags="goulash", value=3
    )._replace(dora_indicators="5B")
    with pytest.raises(HandError) as error:
        RULES.check_circumstances(win)
    assert codes(error) == {(name, "not_in_book") for name in Win._fields[2:]}
    assert "F1, Y2" in str(error.value)
    RULES.check_circumstances(Win(self_drawn=True))


@pytest.mark.parametrize(
    ("columns", "worth"),
    [
        ({"outcome": "draw"}, Worth()),
        ({"claimed_limit": "nine_gates"}, Worth(final=500, limit=True)),
        ({"checked": False, "final": 120}, Worth(final=120)),
    ],
)
def test_a_hand_without_tiles_is_worth_what_was_said(columns, worth):
    assert RULES.worth(row("", **columns), "S", "E") == worth


def test_a_hand_with_tiles_is_worth_what_its_card_says():
    worth = RULES.worth(row(), "S", "E")
    assert worth[:5] == (36, 1, 72, 70, False)
    assert worth.columns()["card"]["final"] == 70
    assert Worth().columns()["card"] is None


def test_option_rules_settle_by_the_options():
    paid = RULES.settle(Paid([0, 70, 0, 0], 1, 0, discarder=2))
    assert paid == settle(70, winner=1, dealer=0, discarder=2, rules=CLUB)


def test_option_rules_know_nothing_that_only_books_know():
    assert not RULES.may_be_liable(row(liable_id=3), "S", "E")
    assert (*RULES.won_by, *RULES.flags) == ()
    asked = (RULES.bonus, RULES.losers_score, RULES.liability, RULES.reads_card)
    assert not any(asked)
    assert not RULES.needs_discarder
    assert RULES.limits == {rule.id: 500 for rule in LIMIT_RULES}
    assert RULES.limit_names == {rule.id: rule.name for rule in LIMIT_RULES}
    for method in (RULES.read_loser, RULES.loser_worth):
        with pytest.raises(HandError) as error:
            method(LoserEntry(1, tiles="RRR"), Wind.SOUTH, Wind.EAST)
        assert codes(error) == {("others", "not_in_book")}
    assert codes(SimpleNamespace(value=no_options())) == {("ruleset", "no_options")}


def test_the_deal_passes_as_the_options_say():
    start = TableState.start()
    assert start.after(0, RULES) == start.after(0, CLUB)
    assert start.after(2, RULES) == start.after(2, CLUB)


@pytest.mark.parametrize(
    ("claims", "allowed", "refused"),
    [
        (RULES.claims, (20, 70, 500), (10, 75, 510)),
        (Claims(20, 305, 10), (300, 305), (303,)),
        (Claims(1, 64, listed=(8, 16, 64)), (8, 64), (9, 1)),
    ],
)
def test_which_scores_a_table_may_have_worked_out(claims, allowed, refused):
    assert all(map(claims.allow, allowed))
    assert not any(map(claims.allow, refused))


@pytest.mark.parametrize(
    ("entry", "empty"),
    [
        (LoserEntry(1), True),
        (LoserEntry(1, claimed=0), True),
        (LoserEntry(1, tiles="RRR"), False),
        (LoserEntry(1, bonus="F1"), False),
        (LoserEntry(1, claimed=4), False),
    ],
)
def test_a_loser_of_whom_nothing_is_said(entry, empty):
    assert entry.empty is empty


@pytest.mark.parametrize(
    ("values", "win"),
    [
        ({"won_by": "discard"}, Win()),
        ({"won_by": "self_drawn"}, Win(self_drawn=True)),
        ({"won_by": "replacement"}, Win(self_drawn=True, won_by="replacement")),
        ({"won_by": "robbing_kong"}, Win(won_by="robbing_kong")),
        ({"flags": {"riichi", "ippatsu"}}, Win(flags="ippatsu riichi")),
    ],
)
def test_how_it_was_won_has_one_spelling(values, win):
    assert Win.of(values) == win
    assert not win.contradicts
    assert win.special is (win[2:] != USUAL[2:])


@pytest.mark.parametrize(
    "values",
    [
        {"won_by": "discard", "self_drawn": True},
        {"won_by": "replacement", "self_drawn": False},
        {"won_by": "robbing_kong", "self_drawn": True},
    ],
)
def test_two_answers_to_how_it_was_won_contradict_each_other(values):
    assert Win.of(values).contradicts


def test_nothing_stays_on_the_table_and_losers_pay_the_winner_alone():
    RULES.check_calls(Calls(), 1)
    assert RULES.follow_calls(Calls(), 1, "robbing_kong") == (Calls(), "robbing_kong")
    with pytest.raises(HandError) as error:
        RULES.check_calls(Calls(staked=(1,), calling=(2,), abortive=True), None)
    assert codes(error) == {(field, "not_in_book") for field in ("staked", "calling", "abortive")}
    state = TableState(Wind.EAST, 0, 1)
    assert RULES.after(state, 1) == state.after(1, RULES)
    assert RULES.between_losers(Paid.of(1, 70, dealer=0)) == {}
    assert RULES.divides(71, drawn=True, deals=False)


def test_anything_that_wins_is_possible():
    """Options ask for no circumstances but who drew the tile."""
    drawn = row("222B 345B 55B 222D GGG")
    assert RULES.check_possible(drawn, "S", "E") == Win.from_columns(drawn).way
