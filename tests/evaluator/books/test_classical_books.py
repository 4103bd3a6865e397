"""What the classical books have of their own: losers, callings, special hands beside bonus tiles."""

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import load
from scoring.evaluator.books.settlement import HandResult, settle

# Published: "Working out the scores" and "Special hands" of mahjongbritishrules.com.
ALL_PAIR_HONORS_AND_TWO_FLOWERS = (
    "EESSWW 11D 99B GGRR; last=1D; won_by=self_drawn; seat=N; bonus=F4,F2"
)
CALLING_FOR_THIRTEEN = "19B 19C 19D ESWN RGWh; seat=N; bonus=F4,F2"


def score(slug: str, text: str) -> int | None:
    """The score of the hand; None for a winner's tiles that do not win."""
    hand, engine = parse_player_hand(text), compiled(load(slug))
    if not hand.won:
        return engine.loser(hand).verdict.final
    judged = engine.judged(hand)
    return judged[0].verdict.final if judged else None


@pytest.mark.parametrize(
    ("slug", "text", "expected"),
    [
        pytest.param("bmja", ALL_PAIR_HONORS_AND_TWO_FLOWERS, 500 + 8 * 2, id="published: 516"),
        pytest.param("bmja", CALLING_FOR_THIRTEEN, 400 + 8 * 2, id="published: 416"),
        ("bmja", CALLING_FOR_THIRTEEN + "; flags=original_call", 416),
        ("bmja", "111B 999C 999B* 111D 9D; bonus=F1", 400 + 4 * 2),
        ("bmja", "2468B 24682C 24682D", 0),  # lacks two
        ("bmja", "24678B 2467C 2467D", 200),
        ("bmja", "2345679D 234567B", 200),
        ("bmja", "1123456789C EWN", 400),
        ("bmja", "EESSWW 11D 99B GG R", 200),
        ("bmja", "EEE* SSS WWWW# NNN R", 400),  # 44 points, four times doubled, are no more
        ("bmja", "EEEE# SSSS# WWWW# NNN R; prevailing=S", (32 * 3 + 8) * 4),  # 416 are
        ("bmja", "111B* 333B 666B 22B 88B; bonus=F2,Y3", (4 + 4 + 4) * 8 + 8),  # Purity
        ("bmja", "111B* 333B 666B 22B 88B 2D", 0),  # too many tiles
        ("dmjl", "19B 19C 19D ESWN RGWh", 0),
        ("dmjl", "RRR* 222B 333C 4444D# 6D", (4 + 4 + 4 + 16) * 4),
        ("dmjl", "RRR* 222B 333C 4444D# 6D; bonus=F1", (4 + 4 + 4 + 16 + 4) * 4),
        ("dmjl", "RRR* 222B 333C 4444D# 66D", 0),
        ("bmja", "123B 456B 777C 999D NN; last=N; won_by=discard", None),  # two chows
        ("bmja", "123B* 555B 777C 999D NN; last=N; won_by=discard", 20 + 4 + 4 + 8),
        ("bmja", "1123456789C ESWN; last=1C; won_by=self_drawn; bonus=F1,F2,F3,F4", 1000),
        ("bmja", "123C* 1456789C ESWN; last=1C; won_by=self_drawn", None),
        ("bmja", "111B* 333B 666B 222B 88B; last=3B; won_by=discard", (4 + 2 + 4 + 4 + 20) * 8),
        (
            "bmja",
            "111B* 333B 666B 222B 88B; last=3B; won_by=last_discard; bonus=F2",
            (4 + 2 + 4 + 4 + 20) * 8 + 4 * 2,
        ),
        ("cc", "123B* 555B 777C 999D NN; last=N; won_by=discard", (10 + 4 + 4 + 8 + 2 + 4) * 2),
        ("cc", "RRR* GGG WhWhWh 234D 55C; last=5C; won_by=discard", 1000),  # capped
        ("american-1922", "123B 456B* 789C 234D 55D; last=4D; won_by=discard", 30),
        ("american-1922", "EEE SSS RRR GGG NN; last=N; won_by=self_drawn; bonus=F1,Y1", 66 << 8),
        ("american-1922", "222B* 444B 5678B; seat=S", 6),  # not told whole
        ("american-1922", "222B* 444B 5678B 999B; seat=S", 14 << 3),
    ],
)
def test_a_classical_hand_scores_as_its_rules_say(
    slug: str, text: str, expected: int | None
) -> None:
    assert score(slug, text) == expected


def test_a_loser_is_told_for_which_hand_the_calling_counts() -> None:
    judged = compiled(load("bmja")).loser(parse_player_hand(CALLING_FOR_THIRTEEN))
    [line] = [line for line in judged.verdict.lines if line.pattern.unit == "limit"]
    assert (line.pattern.name, line.value) == ("Calling for Thirteen unique wonders", 40)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("123B 456B 789C 234D 5D", [19, 22]),
        ("1111B 23B 456C 789C EE", [3, 0]),
    ],
)
def test_the_kinds_that_complete_a_hand_are_found(text: str, codes: list[int]) -> None:
    found = compiled(load("dmjl")).completing(parse_player_hand(text))
    held = [index for index in codes if parse_player_hand(text).counts >> 5 * index & 31 < 4]
    assert list(found) == sorted(held)


def test_only_a_book_without_conditions_is_asked_by_suits() -> None:
    waiting = parse_player_hand("123B 456B 77C 999D RR")
    assert compiled(load("dmjl")).completing(waiting) == (15, 31)
    assert compiled(load("bmja")).completing(waiting) == ()  # two chows


def test_who_is_liable_pays_for_all_and_losers_do_not_settle() -> None:
    settlement = load("dmjl").settlement
    assert settle(settlement, HandResult([0, 24, 64, 8], winner=1, liable=2)) == [0, 96, -96, 0]
    assert settle(settlement, HandResult([24, 0, 64, 8], winner=0, liable=2)) == [144, 0, -144, 0]
    assert settle(settlement, HandResult([24, 0, 64, 8], winner=None)) == [0, 0, 0, 0]


@pytest.mark.parametrize("slug", ["dmjl", "bmja", "cc", "american-1922"])
def test_every_pattern_has_a_hand_that_has_it_and_one_that_nearly_has(slug: str) -> None:
    lacking = [
        pattern.id for pattern in load(slug).patterns if not (pattern.has and pattern.nearly)
    ]
    assert lacking == []
