"""Books whose hands a library judges: what their files say, their forms and their settlements."""

from dataclasses import replace
from typing import Any

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.counting import Line, count
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.libraries import LIBRARIES
from scoring.evaluator.books.loader import (
    BookError,
    as_data,
    from_data,
    frozen,
    load,
    shipped,
    whole,
)
from scoring.evaluator.books.possible import check_for
from scoring.evaluator.books.settlement import HandResult, settle, sticks_after
from scoring.evaluator.problems import HandError
from scoring.variants.book_rules import BookTableRules

EAST, SOUTH, WEST, NORTH = range(4)
RIICHI = load("riichi").settlement


def wrong(base: str = "riichi", **changes: Any) -> list[tuple[str, str]]:
    """What is wrong with a book that changes one with a library."""
    with pytest.raises(BookError) as error:
        from_data({"base": base, "slug": "ours", **changes})
    return [(problem.field, str(problem.message)) for problem in error.value.problems]


# --- the file -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [slug for slug in shipped() if load(slug).engine])
def test_a_book_with_a_library_says_which_and_has_patterns_to_read(slug: str) -> None:
    book = load(slug)
    assert book.engine in LIBRARIES
    assert set(book.options) <= set(LIBRARIES[book.engine])
    assert all(pattern.name and pattern.explanation for pattern in book.patterns)


def test_values_of_a_library_book_are_those_of_the_library() -> None:
    message = "The hands of this book are scored by mahjong, whose values cannot be changed."
    pattern = {"id": "pinfu", "name": "Pinfu", "faan": 2}
    assert wrong(pattern=[pattern]) == [("pattern", message)]
    assert wrong(engine="") == [("engine", message)]


def test_options_and_settlement_of_a_library_book_may_be_changed() -> None:
    ours = from_data(
        {
            "base": "riichi",
            "slug": "ours",
            "options": {"kiriage": True},
            "settlement": {"places": [20_000, 10_000]},
        }
    )
    assert ours.options == {**load("riichi").options, "kiriage": True}
    assert ours.settlement == replace(RIICHI, places=(20_000, 10_000))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"liable_for": ["suukantsu"]}, ""),
        ({"liable_for": ["suukantsu", "five_kongs"]}, "unknown_pattern"),
        ({"liability": False}, ""),
        ({"liable_for": "daisangen"}, "no_list"),
        ({"liable_for": [3]}, "no_texts"),
    ],
)
def test_the_hands_with_which_somebody_is_liable_are_patterns(changes, code) -> None:
    data = {"base": "riichi", "slug": "ours", "name": "Ours", "settlement": changes}
    if not code:
        settlement = from_data(data).settlement
        assert {key: getattr(settlement, key) for key in changes} in (
            changes,
            {"liable_for": ("suukantsu",)},
        )
        return
    with pytest.raises(BookError) as refused:
        from_data(data)
    assert ("settlement: liable_for", code) in {
        (problem.field, problem.code) for problem in refused.value.problems
    }


def test_what_the_library_does_not_read_is_refused() -> None:
    message = "By these rules “{}” changes nothing: leave it out."
    assert wrong(counting={"minimum": 2}) == [("counting: minimum", message.format("minimum"))]
    assert wrong(bonus=True) == [("bonus", message.format("bonus"))]
    assert wrong(settlement={"kind": "shares"}) == [("settlement: kind", "“kind” is one of costs.")]
    assert wrong(counting={"kind": "sum"}) == [("counting: kind", "“kind” is one of faan.")]
    [(field, _message)] = wrong("mcr", counting={"limit": 100})
    assert field == "counting: limit"


def test_no_library_takes_the_place_of_a_books_own_lines() -> None:
    [(field, message)] = wrong("dmjl", engine="mahjong")
    assert field == "engine"
    assert message.startswith("The hands of DMJL")


def test_what_a_stored_book_says_in_vain_is_not_claimed_by() -> None:
    data = whole(as_data("riichi"))
    counting = {**data["counting"], "minimum": 4, "maximum": 5, "table": [1, 2, 3, 4, 5, 6]}
    claims = BookTableRules(frozen({**data, "slug": "ours", "counting": counting})).claims
    assert (claims.least, claims.step, claims.listed) == (1, 100, ())


@pytest.mark.parametrize(
    ("options", "field", "message"),
    [
        ({"kazoe": "never"}, "options: kazoe", "“kazoe” is one of yakuman, sanbaiman, unlimited."),
        ({"kiriage": "yes"}, "options: kiriage", "“kiriage” is one of false, true."),
        ({"luck": 1}, "options: luck", "“luck” is not known here: choose from open_tanyao, "),
        ([], "options", "“options” is a table."),
    ],
)
def test_options_that_the_library_does_not_have_are_refused(
    options: object, field: str, message: str
) -> None:
    [(its_field, its_message)] = wrong(options=options)
    assert its_field == field
    assert its_message.startswith(message)


def test_a_book_without_a_library_has_no_options() -> None:
    with pytest.raises(BookError, match="leave “kiriage” out"):
        from_data({"base": "dmjl", "slug": "ours", "options": {"kiriage": True}})


def test_indicators_are_refused_by_name_where_they_are_not_known() -> None:
    hand = replace(parse_player_hand("123B 456B 789B 234D 55C"), dora_indicators=(3,))
    check_for(load("riichi"), hand)
    with pytest.raises(HandError, match="DMJL does not know “dora_indicators”"):
        check_for(load("dmjl"), hand)


def test_faan_without_a_table_are_the_score() -> None:
    book = load("mcr")
    lines = [
        Line(book.by_id[name], times, worth)
        for name, times, worth in (("all_pungs", 1, 6), ("flower_tiles", 3, 3))
    ]
    verdict = count(book.counting, lines)
    assert (verdict.faan, verdict.final, verdict.meets_minimum) == (9, 9, False)
    more = count(book.counting, [*lines, Line(book.by_id["dragon_pung"], 1, 2)])
    assert (more.final, more.meets_minimum) == (11, True)


# --- knitted forms ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "form"),
    [
        ("147B 258C 369D 555D EE", "knitted_straight"),
        ("147B 258C 369D 55B 678D", "knitted_straight"),
        ("147D 258B 369C EE 123C*", "knitted_straight"),
        ("147D 258B 369C EE 5555C#", "knitted_straight"),
        ("147B 258C 369D E S W N R", "knitted_singles"),
        ("14B 258C 36D E S W N R G Wh", "knitted_singles"),
    ],
)
def test_knitted_hands_win(tiles: str, form: str) -> None:
    hand = parse_player_hand(f"{tiles}; won_by=self_drawn")
    [judged] = compiled(load("mcr")).judged(hand)
    assert judged.form is not None
    assert judged.form.id == form
    assert sorted(index for group in judged.groups for index in group.tiles) == sorted(
        index for index in range(34) for _copy in range(hand.all_counts() >> 5 * index & 31)
    )


@pytest.mark.parametrize(
    "tiles",
    [
        "147B 258B 369D 555D EE",  # two runs of one suit
        "147B 258C 369D 555D ES",
        "147B 258C 369D 55D EEE 1B",  # 15 tiles
        "147B 258C 369D E S W N N",  # a pair
        "157B 258C 369D E S W N R",
        "14B 258C 36D E S W N R 111D*",
        "147B 258C 369D E S W N",
    ],
)
def test_hands_that_are_nearly_knitted_do_not_win(tiles: str) -> None:
    hand = parse_player_hand(f"{tiles}; won_by=self_drawn")
    assert compiled(load("mcr")).judged(hand) == []


def test_the_winning_tile_of_a_knitted_straight_completes_one_of_its_sets() -> None:
    hand = parse_player_hand("147B 258C 369D 123C* EE; last=E; won_by=discard")
    [judged] = compiled(load("mcr")).judged(hand)
    assert [group.kind for group in judged.groups if group.last] == ["pair"]


# --- who pays -----------------------------------------------------------------------------------------


def test_mcr_pays_eight_from_each_and_the_value_from_who_discards() -> None:
    mcr = load("mcr").settlement
    assert settle(mcr, HandResult([0, 30, 0, 0], SOUTH, discarder=NORTH)) == [-8, 54, -8, -38]
    assert settle(mcr, HandResult([0, 30, 0, 0], SOUTH)) == [-38, 114, -38, -38]
    assert settle(mcr, HandResult([0] * 4, None)) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("outcome", "amounts"),
    [
        # Not the dealer, 30 minipoints and 4 han: 7,700 on a discard, 2,000 and 3,900 self-drawn.
        (HandResult([0] * 4, SOUTH, discarder=NORTH, shares=(7700, 0)), [0, 7700, 0, -7700]),
        (HandResult([0] * 4, SOUTH, shares=(3900, 2000)), [-3900, 7900, -2000, -2000]),
        # The dealer is paid the same by everybody.
        (HandResult([0] * 4, EAST, shares=(3900, 3900)), [11_700, -3900, -3900, -3900]),
        # Two counters: 300 each on a discard, 100 each from each self-drawn.
        (
            HandResult([0] * 4, SOUTH, discarder=NORTH, shares=(7700, 0), counters=2),
            [0, 8300, 0, -8300],
        ),
        (HandResult([0] * 4, SOUTH, shares=(3900, 2000), counters=2), [-4100, 8500, -2200, -2200]),
        # One stick lay there, and two are staked in this hand, one of them by the winner.
        (
            HandResult(
                [0] * 4, SOUTH, discarder=WEST, shares=(2000, 0), sticks=1, staked=(SOUTH, EAST)
            ),
            [-1000, 4000, -2000, 0],
        ),
        # Who is liable pays all that was drawn, and half of what was discarded; the discarder pays the
        # counters (rules of the EMA, 3.3.9).
        (
            HandResult([0] * 4, SOUTH, liable=WEST, shares=(16_000, 8000), counters=1),
            [0, 32_300, -32_300, 0],
        ),
        (
            HandResult(
                [0] * 4, SOUTH, discarder=NORTH, liable=WEST, shares=(32_000, 0), counters=1
            ),
            [0, 32_300, -16_000, -16_300],
        ),
        (
            HandResult([0] * 4, SOUTH, discarder=WEST, liable=WEST, shares=(32_000, 0)),
            [0, 32_000, -32_000, 0],
        ),
        # A draw: 3,000 from those who do not call; the stick of who said riichi stays.
        (HandResult([0] * 4, None, calling=(EAST,)), [3000, -1000, -1000, -1000]),
        (HandResult([0] * 4, None, calling=(EAST, WEST)), [1500, -1500, 1500, -1500]),
        (HandResult([0] * 4, None, calling=(EAST, SOUTH, WEST)), [1000, 1000, 1000, -3000]),
        (
            HandResult([0] * 4, None, calling=(EAST,), staked=(EAST,), sticks=1),
            [2000, -1000, -1000, -1000],
        ),
        (HandResult([0] * 4, None, calling=(EAST, SOUTH, WEST, NORTH)), [0, 0, 0, 0]),
        (HandResult([0] * 4, None), [0, 0, 0, 0]),
    ],
)
def test_riichi_pays_shares_counters_and_sticks(outcome: HandResult, amounts: list[int]) -> None:
    assert settle(RIICHI, outcome) == amounts
    kept = 1000 * (sticks_after(outcome.winner, outcome.sticks, outcome.staked) - outcome.sticks)
    assert sum(amounts) + kept == 0


def test_two_winners_on_one_discard_have_an_outcome_each() -> None:
    first = HandResult(
        [0] * 4, SOUTH, discarder=EAST, shares=(2000, 0), counters=1, sticks=1, staked=(WEST,)
    )
    second = HandResult([0] * 4, WEST, discarder=EAST, shares=(3900, 0))
    both = [sum(pair) for pair in zip(settle(RIICHI, first), settle(RIICHI, second), strict=True)]
    assert both == [-6200, 4300, 2900, 0]
