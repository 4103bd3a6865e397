"""The engine that scores by a book: what it remembers changes nothing, and odd hands do not win."""

from dataclasses import replace
from random import Random

import pytest

from scoring.evaluator.books import judging
from scoring.evaluator.books.book import Form
from scoring.evaluator.books.compiled import Compiled, compiled
from scoring.evaluator.books.counting import HIGHEST, MOST_SHOWN
from scoring.evaluator.books.examples import lines_of, parse_player_hand
from scoring.evaluator.books.expressions import UNREADABLE, Expression, ExpressionError
from scoring.evaluator.books.forms import arrangements
from scoring.evaluator.books.loader import as_data, from_data, frozen, load
from scoring.evaluator.books.vocabulary import FLAGS, HAND_FACTS, WON_BY, Group
from scoring.evaluator.books.waits import waits
from scoring.evaluator.counts import ONE, tiles_of
from scoring.evaluator.problems import HandError

WIN = "123B* 555B 777C 999D NN; last=N; won_by=discard"


def overlay(**changed: object) -> Compiled:
    """DMJL with some changes."""
    return Compiled(from_data({"base": "dmjl", **changed}))


@pytest.mark.parametrize("text", ["chows == 0", "chows > 0", "chows != 0", "honors == 0"])
def test_a_number_compared_with_nothing_is_asked_as_a_bit(text: str) -> None:
    [slot] = Expression(text).slots
    assert slot.kind in ("any", "any_tile")
    expression = Expression(text)
    assert expression([0]) == (0 if ">" in text or "!" in text else 1)


@pytest.mark.parametrize("text", ["chows == 1", "chows >= 0", "0 == chows", "0 < chows < 3"])
def test_comparisons_with_other_numbers_read_the_count(text: str) -> None:
    assert {slot.kind for slot in Expression(text).slots} == {"count"}


@pytest.mark.parametrize("text", ["simples == 0", "any_tile(rank == 3)", "every(green)"])
def test_a_bit_is_the_same_as_the_number(text: str) -> None:
    engine = overlay(
        pattern=[{"id": "odd", "name": "Odd", "points": 1, "who": "all", "when": text}]
    )
    lines = engine.loser(parse_player_hand("222B 333B")).verdict.lines
    assert ("odd" in {line.pattern.id for line in lines}) == (text != "simples == 0")


def test_a_form_that_must_be_concealed_has_no_open_sets() -> None:
    form = {**as_data("dmjl")["form"][0], "concealed": True}
    engine = overlay(form=[form])
    assert engine.judged(parse_player_hand(WIN)) == []
    assert len(engine.judged(parse_player_hand(WIN.replace("*", "")))) == 1


def test_a_hand_with_a_set_of_another_kind_is_not_four_sets_and_a_pair() -> None:
    hand = replace(parse_player_hand(WIN), melds=(Group("knitted", (0, 9, 18), False),))
    assert compiled(load("dmjl")).judged(hand) == []
    assert list(arrangements(load("dmjl").forms[0], hand)) == []


def test_a_declared_set_may_be_the_one_that_was_completed() -> None:
    hand = parse_player_hand("123B 555B 777C 999D* NN; last=N; won_by=discard")
    done = replace(hand, melds=(hand.melds[0]._replace(last=True),), last=26)
    [judged] = compiled(load("dmjl")).judged(done)
    assert compiled(load("dmjl")).waits(done) == (26, 30)
    assert [group.last for group in judged.groups] == [True, False, False, False, False]


def test_a_declared_pair_leaves_no_other_pair() -> None:
    hand = parse_player_hand("123B 555B 777C 99D NN*")
    assert compiled(load("dmjl")).completing(hand) == (26,)


def test_two_suits_that_lack_a_tile_wait_for_nothing() -> None:
    assert compiled(load("dmjl")).completing(parse_player_hand("12B 555B 777C 99D NNN 1C")) == ()


def test_a_kind_that_is_all_in_the_hand_is_not_waited_for() -> None:
    engine = compiled(load("dmjl"))
    assert engine.completing(parse_player_hand("1111B# 23B 555C 777D NN")) == (3,)
    [snake] = [form for form in load("bmja").forms if form.id == "wriggling_snake"]
    held = parse_player_hand("1111B 23456789B E")
    assert waits((snake,), held, held.counts, lambda *_asked: True) == ()


def test_waits_found_by_suits_are_those_found_by_trying() -> None:
    engine, rng = compiled(load("dmjl")), Random(11)
    plain = load("dmjl").forms
    tried = tuple(replace(form, when=Expression("1 == 1")) for form in plain)
    for _hand in range(60):
        ranks = [rng.choice((0, 0, 9, 27)) + rng.randrange(7) for _tile in range(13)]
        if any(ranks.count(rank) > 4 for rank in ranks):
            continue
        counts = sum(ONE[rank] for rank in ranks)
        hand = replace(parse_player_hand("N"), counts=counts)
        slow = waits(tried, hand, counts, lambda *_asked: True)
        assert engine.completing(hand) == slow, tiles_of(counts)


def test_remembered_parts_are_dropped_before_they_are_too_many(monkeypatch) -> None:
    hand = parse_player_hand(WIN)
    expected = compiled(load("dmjl")).judged(hand)
    monkeypatch.setattr(judging, "REMEMBERED", 1)
    engine = Compiled(load("dmjl"))
    for other in (parse_player_hand("RRR"), parse_player_hand("222B*"), hand, hand):
        (engine.judged if other.won else engine.loser)(other)
    assert engine.judged(hand) == expected


def test_the_higher_share_of_two_limit_hands_counts() -> None:
    judged = compiled(load("bmja")).judged(
        parse_player_hand("EEE* SSS WWW NNN RR; last=R; won_by=discard")
    )
    assert (judged[0].verdict.limit, judged[0].verdict.final) == (100, 1000)


@pytest.mark.parametrize("best", [True, False])
def test_an_arrangement_that_may_be_declared_comes_before_a_dearer_one(best: bool) -> None:
    """Three pungs are worth more points, but only four chows have the double that it takes."""
    engine = Compiled(from_data({"base": "cc", "counting": {"minimum": 1, "best": best}}))
    first, *others = engine.judged(
        parse_player_hand("77B 678C 777888999D; last=9D; won_by=discard; prevailing=N")
    )
    assert (first.verdict.doubles, first.verdict.meets_minimum) == (1, True)
    assert max(other.verdict.final for other in others) > first.verdict.final


def test_shares_of_a_limit_that_is_not_there_leave_a_stored_hand_its_points() -> None:
    """New books are refused for that; under a stored one thirteen orphans paid nothing."""
    stored = frozen({**as_data("dmjl"), "counting": {"limit": 0}})
    hand = parse_player_hand("RRRGGGWhWhWhEEE55B; last=5B; won_by=self_drawn")
    verdict = compiled(stored).judged(hand)[0].verdict
    assert verdict.limit
    assert verdict.final == verdict.points << verdict.doubles > 320


def test_no_line_and_no_score_is_more_than_a_table_can_write_down() -> None:
    often = "won*100000*100000*100000"
    patterns = [
        {"id": "often", "name": "Often", "points": 100000, "times": often},
        {"id": "twice", "name": "Twice", "doubles": 100000},
    ]
    engine = overlay(pattern=patterns, counting={"roof": False})
    verdict = engine.judged(parse_player_hand(WIN))[0].verdict
    assert (verdict.final, verdict.doubles) == (HIGHEST, MOST_SHOWN)
    assert verdict.points <= len(engine.book.patterns) * HIGHEST
    assert verdict.total < 2**63
    assert next(line for line in verdict.lines if line.pattern.id == "often").times == 100000


@pytest.mark.parametrize(
    ("won", "open_end"),
    [
        ("345C 123B 555B 999D NN; last=3C", True),
        ("345C 123B 555B 999D NN; last=5C", True),
        ("345C 123B 555B 999D NN; last=4C", False),
        ("345C 123B 555B 999D NN; last=3B", False),
        ("345C 789B 555B 999D NN; last=7B", False),
        ("345C 123B 555B 999D NN; last=1B", True),
        ("345C 789B 555B 999D NN; last=9B", True),
        ("345C 123B 555B 999D NN; last=N", False),
    ],
)
def test_a_wait_at_both_ends_of_a_sequence_is_known(won: str, open_end: bool) -> None:
    engine = overlay(pattern=[{"id": "odd", "name": "Odd", "points": 1, "when": "sequence_wait"}])
    lines = engine.judged(parse_player_hand(won + "; won_by=self_drawn"))[0].verdict.lines
    assert ("odd" in {line.pattern.id for line in lines}) == open_end


def test_every_fact_of_a_hand_is_worked_out() -> None:
    """A word that no hand has would let a pattern be published that nobody gets."""
    known = {"base": "dmjl", "circumstances": [*WON_BY, *FLAGS], "bonus": True}
    engine = Compiled(
        from_data(
            known
            | {
                "pattern": [
                    {"id": f"is_{name}", "name": name, "points": 1, "when": name}
                    for name in HAND_FACTS
                ]
            }
        )
    )
    hand = "123B* 555B 777C 999D NN; last=N; seat=E; prevailing=E; bonus=F1,Y1; flags={}; won_by={}"
    had = set()
    for way in WON_BY:
        hand_won = parse_player_hand(hand.format(",".join(FLAGS), way))
        lines = engine.judged(hand_won)[0].verdict.lines
        had |= {line.pattern.id.removeprefix("is_") for line in lines}
    assert set(HAND_FACTS) - had == set()


def test_a_form_is_equal_to_itself_alone() -> None:
    form = Form("a", "A", "sets", Expression("1"))
    assert form.unconditional
    assert form != Form("a", "A", "sets", Expression("1"))


def test_gates_are_seen_in_any_arrangement() -> None:
    engine = overlay(pattern=[{"id": "open_gates", "name": "Gates", "limit": 50, "when": "gates"}])
    for text, has in (("111* 234 567 88 999B", True), ("111* 234 567 777 99B", False)):
        hand = parse_player_hand(
            text.replace(" ", "B ").replace("*B", "B*") + "; won_by=self_drawn"
        )
        ids = {line.pattern.id for line in engine.judged(hand)[0].verdict.lines}
        assert ("open_gates" in ids) == has


def test_a_book_without_bonus_tiles_refuses_them_by_name() -> None:
    book = from_data({"base": "dmjl", "bonus": False})
    with pytest.raises(HandError, match="DMJL does not know “F1, Y2”"):
        lines_of(book, "RRR; bonus=F1,Y2")


@pytest.mark.parametrize(
    ("text", "sentence", "column"),
    [
        ("chows + )", UNREADABLE, 8),
        ("1 + " * 110 + "1", "An expression has at most 400 characters.", 400),
        ("+".join("1" * 70), "An expression has at most 120 parts.", 0),
        ("100001", "Numbers are whole, and at most 100000.", 0),
        ("1.5", "Numbers are whole, and at most 100000.", 0),
        ("chows in 2", "“chows in 2” cannot stand here.", 0),
        ("luck", "“luck” is not known here: choose from ", 0),
        ("count(luck)", "“luck” is not known here: choose from ", 6),
        ("luck(pung)", "“luck(pung)” cannot stand here.", 0),
        ("count(pung, kong)", "“count” takes one condition in its parentheses.", 0),
        ("form(1)", "“1” cannot stand here.", 5),
        ("chows / 2", "“chows / 2” cannot stand here.", 0),
    ],
)
def test_an_expression_is_refused_with_the_place(text: str, sentence: str, column: int) -> None:
    with pytest.raises(ExpressionError) as error:
        Expression(text)
    assert error.value.message.startswith(sentence)
    assert error.value.column == column


@pytest.mark.parametrize(
    ("text", "value"), [("-1 + 2 * 3", 5), ("not 0 and (0 or 2 > 1)", 1), ("2 - 1", 1)]
)
def test_an_expression_of_numbers_is_worked_out(text: str, value: int) -> None:
    assert Expression(text)([]) == value
    assert repr(Expression(text)) == f"Expression({text!r})"
