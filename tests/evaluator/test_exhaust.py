"""Every winning hand: how many there are, every 997th of them scored anew in `make thorough`, a fourth of those in each run, and the table of all."""

import re
import shutil
import subprocess
import sys
import warnings
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from scoring.evaluator.scorecard import score
from tests.evaluator import exhaust, exhaust_page, reference
from tests.evaluator import exhaust_hands as every
from tests.evaluator.exhaust_classes import distribution
from tests.evaluator.exhaust_page import read_page
from tests.evaluator.scoring_files import READING, scoring

pytestmark = pytest.mark.slow  # make mutants does without
NTH = 997
PARTS = 4
HERE = exhaust_page.ROOT


@pytest.fixture(autouse=True)
def _code_of_this_run(monkeypatch):
    """It is the same all the while: what scores is found once, in a process of its own."""
    monkeypatch.setattr(
        exhaust_page, "scoring", lambda root: found_here() if root == HERE else scoring(root)
    )


@cache
def found_here():
    return scoring(HERE)


def in_one_suit(kongs: int) -> int:
    nothing = {groups[0] for groups in every.groups_for(kongs)}
    return sum(len(block) for block in every.blocks(kongs) if set(block.groups[1:]) <= nothing)


def test_winning_hands_without_a_kong_are_counted():
    assert (every.number_of_hands(0), in_one_suit(0)) == (11_498_658, 13_259)
    assert len({every.codes(hand) for hand in every.thirteen_orphans()}) == 13


def test_winning_hands_with_kongs_are_counted():
    numbers = [(every.number_of_hands(kongs), in_one_suit(kongs)) for kongs in range(1, 5)]
    assert numbers == [
        (24_495_204, 15_643),
        (20_900_532, 9_435),
        (8_491_365, 3_360),
        (1_391_280, 630),
    ]


# Each has every fourth of those hands.
@pytest.mark.parametrize(
    "part",
    [
        part if part == 0 else pytest.param(part, marks=pytest.mark.thorough)
        for part in range(PARTS)
    ],
)
def test_every_997th_hand_scores_alike_in_all_ways(part):
    require_alike(list(every.hands(0, NTH))[part::PARTS])


@pytest.mark.parametrize("kongs", range(1, 5))
def test_some_hands_with_kongs_score_alike_in_all_ways(kongs):
    require_alike(list(every.hands(kongs, every.number_of_hands(kongs) // 500)))


def require_alike(hands):
    rows = np.array([sum(hand, ()) for hand in hands], np.uint8)
    by_arrays = exhaust.by_arrays(rows).transpose(1, 2, 0).tolist()
    for hand, finals in zip(hands, by_arrays, strict=True):
        text, stands_for = every.text(hand), every.positions(hand[3])
        right = {position: exhaust.by_reference(hand, position) for position in set(stands_for)}
        for position, figures in right.items():
            assert exhaust.by_single_path(text, *position) == figures, (text, position)
        assert finals == [[one[3] for one in right[its]] for its in stands_for], text


def test_how_a_hand_was_won_matters_to_nine_gates_alone():
    gates = [nine_gates(place, one_more) for place in range(3) for one_more in range(9)]
    changed = set()
    for hand in [*gates, *every.thirteen_orphans(), *every.hands(0, NTH)]:
        position, text = every.POSITIONS[0], every.text(hand)
        drawn, not_drawn = (
            {
                concealed: [
                    score(text, *position, rules=rules, concealed=concealed, self_drawn=drawn).final
                    for rules in exhaust.RULES
                ]
                for concealed in (True, False)
            }
            for drawn in (True, False)
        )
        assert drawn == not_drawn, text
        if drawn[True] != drawn[False]:
            changed.add(hand)
            opened = reference.Hand(every.codes(hand), *position, concealed=False)
            right = [reference.score(opened, house).final for house in exhaust.HOUSES]
            assert (drawn[True], drawn[False]) == ([500, 500], right), text
    assert changed < set(gates)
    assert len(changed) == 12


def nine_gates(place: int, one_more: int) -> tuple[every.Counts, ...]:
    suit = tuple(n + (rank == one_more) for rank, n in enumerate([3, 1, 1, 1, 1, 1, 1, 1, 3]))
    return (*((0,) * 9,) * place, suit, *((0,) * 9,) * (2 - place), (0,) * 7)


def test_names_of_suits_winds_and_dragons_make_no_difference_to_the_reference():
    rng = Random(11)
    hands = [*every.hands(0, NTH * 101), *every.thirteen_orphans(), *hands_of_all_kinds(rng)]
    for hand in hands:
        *suits, honors = hand
        right = {its: exhaust.by_reference(hand, its) for its in every.POSITIONS}
        stands_for = dict(zip(every.POSITIONS, every.positions(honors), strict=True))
        assert all(right[its] == right[stands_for[its]] for its in right), hand
        for arranged in permutations(suits):
            position = rng.choice(every.POSITIONS)
            winds = rng.sample(range(4), 4)
            named = [every.WINDS[winds.index(every.WINDS.index(wind))] for wind in position]
            rng.shuffle(named)  # own and prevailing may change places
            dragons = rng.sample(honors[4:], 3)
            other = (*arranged, (*[honors[wind] for wind in winds], *dragons))
            assert every.position_class(other[3], *named) == every.position_class(honors, *position)
            figures = exhaust.by_reference(other, tuple(named))
            assert figures == right[position], (hand, other, position)


def hands_of_all_kinds(rng: Random) -> list[tuple[every.Counts, ...]]:
    """One hand of each block, so that all that suits and honors can be stand beside each other."""
    return [block.hand(rng.randrange(len(block))) for block in every.blocks(0)]


def test_a_suit_that_allows_several_ways_stands_alone():
    """So a hand's first way is the first of each suit, in whatever order the suits come."""
    several = [group for group in every.suit_groups(4) if len(group.ways) > 1]
    assert several
    assert min(sets for group in several for sets, _pairs in group.ways) == 3


@pytest.mark.parametrize(
    "kongs",
    [0, *(pytest.param(kongs, marks=pytest.mark.thorough) for kongs in range(1, 4)), 4],
)
def test_the_page_says_how_many_hands_have_which_final_score(kongs):
    counted = distribution(kongs)
    assert counted == read_page()[kongs]
    assert {column.total() for column in counted.values()} == {exhaust.number_of_hands(kongs)}


def test_positions_that_should_be_alike_and_differ_are_no_distribution():
    with pytest.raises(ValueError, match="E in W is not as others under Club"):
        exhaust.by_winds([(0, 1, 70, 4), (0, 2, 70, 5)])


ORPHANS, ALL_HONORS = exhaust.Chunk(0, -1, 0, 0), exhaust.Chunk(0, 0, 0, 1)


@pytest.fixture
def few(monkeypatch, tmp_path):
    """Little work, kept aside; the page is left alone."""
    monkeypatch.setattr(exhaust, "CHECKPOINT", tmp_path / "var" / "exhaust.json")
    monkeypatch.setattr(exhaust, "chunks", lambda _kongs, one_by_one: [ORPHANS, ALL_HONORS])
    monkeypatch.setattr(exhaust, "write", lambda checkpoint: None)


def test_an_exhaustive_run_goes_on_where_it_was_stopped(few, monkeypatch, capsys):
    stopping = ["first chunk"]

    def interrupted(_kept, work, number, result):
        added = add(_kept, work, number, result)
        if stopping:
            raise KeyboardInterrupt(stopping.pop())
        return added

    add = exhaust.Checkpoint.add
    monkeypatch.setattr(exhaust.Checkpoint, "add", interrupted)
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 1
    assert "goes on from there" in capsys.readouterr().out
    before = exhaust.Checkpoint(exhaust.CHECKPOINT).results["0 kongs"]
    assert before.hands == 13

    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 0
    after = exhaust.Checkpoint(exhaust.CHECKPOINT).results["0 kongs"]
    assert after.hands == 13 + 105
    assert exhaust.dense(after.finals)[0, 0].sum() == after.hands


def test_an_exhaustive_run_does_not_go_on_with_other_code(few, monkeypatch, capsys):
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 0
    monkeypatch.setattr(exhaust, "_code", lambda: "another")
    capsys.readouterr()
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 2
    assert "was made with other code. --fresh forgets it" in capsys.readouterr().out
    assert exhaust.main(["--kongs", "0", "--processes", "1", "--fresh"]) == 0


def test_an_exhaustive_run_says_that_its_file_is_damaged(few, monkeypatch, capsys):
    monkeypatch.setattr(exhaust, "_code", lambda: None)
    exhaust.CHECKPOINT.parent.mkdir()
    for text in ("", '{"code": "', "[]", '{"works": {"0 kongs": {}}}'):
        exhaust.CHECKPOINT.write_text(text)
        assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 2
        assert "is damaged. --fresh forgets it" in capsys.readouterr().out
        assert exhaust.CHECKPOINT.read_text() == text


def test_an_exhaustive_run_that_cannot_be_kept_says_so(few, capsys):
    exhaust.CHECKPOINT.parent.write_text("no folder")
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 2
    assert "What is done cannot be kept: " in capsys.readouterr().out


HOLDING = "import fcntl, sys; lock = open(sys.argv[1], 'w'); fcntl.lockf(lock, fcntl.LOCK_EX); input(print())"


def test_two_exhaustive_runs_do_not_share_a_file(few, capsys):
    exhaust.CHECKPOINT.parent.mkdir()
    lock = exhaust.CHECKPOINT.with_suffix(".lock")
    other = [sys.executable, "-c", HOLDING, str(lock)]
    with subprocess.Popen(other, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 2
        assert "Another make exhaust adds to" in capsys.readouterr().out
        process.communicate(b"\n")
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 0


def test_an_exhaustive_run_that_is_stopped_at_once_says_so(few, monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(exhaust, "_code", interrupted)
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 1
    assert "Stopped. What is done is kept in" in capsys.readouterr().out


def test_an_exhaustive_run_without_a_process_is_refused(capsys):
    with pytest.raises(SystemExit):
        exhaust.main(["--processes", "0"])
    assert "argument --processes: invalid" in capsys.readouterr().err


@pytest.fixture
def page(monkeypatch, tmp_path):
    """Another page, which is written with no table."""
    monkeypatch.setattr(exhaust_page, "PAGE", tmp_path / "page.md")
    row = exhaust_page.ComparedHands(0, 0, 13, 0, 0, 0, one_by_one=False)
    exhaust_page.write_page([row], {}, exhaust_page.digest_of_scoring())
    return tmp_path / "page.md"


def test_the_page_names_the_code_that_was_compared(page, monkeypatch, capsys):
    assert exhaust.main(["--code"]) == 0
    assert "page.md holds for the evaluator here" in capsys.readouterr().out
    monkeypatch.setattr(exhaust_page, "digest_of_scoring", lambda: "another")
    assert exhaust.main(["--code"]) == 1
    assert "The evaluator has changed since page.md" in capsys.readouterr().out
    page.write_text("")
    assert exhaust.main(["--code"]) == 1
    assert "does not say which evaluator was compared" in capsys.readouterr().out


def test_a_page_of_another_evaluator_is_warned_about():
    """A warning in the summary, no failure: the whole comparison takes an hour."""
    holds, sentence = exhaust_page.state_of_page()
    if not holds:
        warnings.warn(f"{sentence} make exhaust compares them anew.", stacklevel=1)


@pytest.fixture
def code(monkeypatch, tmp_path):
    """A copy of the code that scores hands, of which the digest is made."""
    evaluator = exhaust_page.ROOT / "scoring/evaluator"
    shutil.copytree(evaluator, tmp_path / "scoring/evaluator")
    for name in ("__init__", "arrays"):
        shutil.copy(exhaust_page.ROOT / f"scoring/{name}.py", tmp_path / "scoring")
    monkeypatch.setattr(exhaust_page, "ROOT", tmp_path)
    return tmp_path / "scoring"


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("evaluator/rules.py", True),
        pytest.param("evaluator/books/expressions.py", True, marks=pytest.mark.thorough),
        pytest.param("arrays.py", True, marks=pytest.mark.thorough),
        ("evaluator/books/data/club.toml", False),
        pytest.param("evaluator/books/data/bmja.toml", False, marks=pytest.mark.thorough),
        ("evaluator/books/loader.py", False),
        pytest.param("evaluator/books/waits.py", False, marks=pytest.mark.thorough),
    ],
)
def test_the_digest_is_of_the_files_that_score_hands_under_club_and_book(code, file, counts):
    before = exhaust_page.digest_of_scoring()
    assert re.fullmatch("[0-9a-f]{16}", before)
    with (code / file).open("a") as changed:
        changed.write("# Changed.\n")
    assert (exhaust_page.digest_of_scoring() != before) == counts


@pytest.mark.parametrize(
    ("before", "after"), [("limit = 500", "limit = 400"), ("doubles = 1", "doubles = 2")]
)
def test_the_digest_is_of_what_is_read_from_the_two_books(code, before, after):
    book = code / "evaluator/books/data/club.toml"
    text, digest = book.read_text(), exhaust_page.digest_of_scoring()
    assert before in text
    book.write_text(text.replace(before, after, 1))
    assert exhaust_page.digest_of_scoring() != digest


def test_nothing_that_only_reads_books_runs_while_a_hand_is_scored():
    """So the digest need not have it."""
    hands = [
        every.text(hand)
        for kongs in range(5)
        for hand in every.hands(kongs, every.number_of_hands(kongs) // 100)
    ]
    ran = set()

    def note(frame, _event, _arg):
        ran.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for tiles in [*hands, *map(every.text, every.thirteen_orphans())]:
            exhaust.by_single_path(tiles, *every.POSITIONS[0])
        exhaust.by_arrays(np.array([sum(every.thirteen_orphans()[0], ())], np.uint8))
    finally:
        sys.setprofile(before)
    names = {str(Path(name).relative_to(exhaust_page.ROOT)) for name in ran if "/scoring/" in name}
    assert "scoring/evaluator/scorecard.py" in names
    assert names.isdisjoint(READING)


def one_point_more(of_rule_sets):
    return tuple((figures[0] + 1, *figures[1:]) for figures in of_rule_sets)


@pytest.mark.parametrize(
    ("way", "wrong", "sentence"),
    [
        ("by_single_path", one_point_more, "19B 19C 119D ESWNRGWh E in E: ((21, 0, 20, 500, ("),
        (
            "by_arrays",
            lambda finals: finals + 10,
            "19B 19C 119D ESWNRGWh E in E, Club: arrays 510, not 500",
        ),
    ],
)
def test_a_difference_is_told(few, monkeypatch, capsys, way, wrong, sentence):
    right = getattr(exhaust, way)
    monkeypatch.setattr(exhaust, way, lambda *hand: wrong(right(*hand)))
    assert exhaust.main(["--kongs", "0", "--processes", "1"]) == 1
    printed = capsys.readouterr().out
    assert sentence in printed
    assert "No difference" not in printed
