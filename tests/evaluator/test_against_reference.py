"""The evaluator against a second scorer that shares no code with it, on random hands.

2,000 hands in every run; `REFERENCE_HANDS=100000` for the long one. Hand n is the same in every
run: `random_case(n)` makes it again.
"""

import os
from collections import Counter
from random import Random

import pytest

from scoring.evaluator.hand import Hand
from scoring.evaluator.payments import settle
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import score
from scoring.evaluator.table import replay
from tests.evaluator import reference, reference_table
from tests.evaluator.random_hands import Case, random_case, random_house

HANDS = int(os.environ.get("REFERENCE_HANDS", "2000"))
BATCH = 100


@pytest.mark.parametrize("first", range(0, HANDS, BATCH))
def test_random_hands_score_as_in_the_reference(first):
    for number in range(first, min(first + BATCH, HANDS)):
        case = random_case(number)
        assert evaluated(case) == expected(case), f"hand {number}: {case}"


@pytest.mark.parametrize("first", range(0, HANDS, BATCH))
def test_the_final_score_alone_is_that_of_the_card(first):
    for number in range(first, min(first + BATCH, HANDS)):
        case = random_case(number)
        if not reference.has_its_number(case.hand):
            continue
        card = reference.score(case.hand, case.house)
        hand = Hand.from_notation(case.typed_tiles, **typed(case))
        assert hand.mahjongg() == card.winning, f"hand {number}: {case}"
        if card.winning:
            final = hand.final_score(rules_of(case.house))
            assert final == card.final, f"hand {number}: {case}"


@pytest.mark.parametrize("first", range(0, HANDS, BATCH))
def test_random_payments_are_as_in_the_reference(first):
    for number in range(first, min(first + BATCH, HANDS)):
        rng = Random(number)
        house = random_house(rng)
        final, dealer = rng.randint(20, 1000), rng.randint(0, 3)
        winner, *losers = rng.sample(range(4), 4)
        discarder = rng.choice([None, *losers])
        paid = settle(
            final, winner=winner, dealer=dealer, discarder=discarder, rules=rules_of(house)
        )
        owed = reference_table.payments(final, winner, dealer, discarder, house)
        assert list(paid) == owed, f"{final} to {winner}, {dealer=}, {discarder=}, {house}"
        assert sum(paid) == 0


@pytest.mark.parametrize("seed", range(100))
def test_random_games_pass_the_deal_as_in_the_reference(seed):
    rng = Random(seed)
    house = random_house(rng)
    winners: list[int | None] = []
    while (table := reference_table.play(winners, house)).round and len(winners) < 80:
        state = replay(winners, rules_of(house))[-1]
        assert not state.finished
        assert (state.round, state.dealer, state.number) == table, f"{winners}, {house}"
        for place in range(4):
            assert state.seat_wind(place) == reference_table.seat_wind(table, place)
        winners.append(rng.choice([None, 0, 1, 2, 3]))
    assert replay(winners, rules_of(house))[-1].finished == (table.round is None)


def test_the_random_hands_reach_every_rule():
    reached = Counter()
    for number in range(4000):
        case = random_case(number)
        card = reference.score(case.hand, case.house)
        reached["refused"] += not reference.has_its_number(case.hand)
        reached.update(card.limits)
        if card.chosen:
            reached.update(card.chosen.doubles)
            reached.update(group.kind for group in card.chosen.groups)
        reached["not winning"] += not card.winning
        reached["a choice"] += len({(one.final, one.total) for one in card.interpretations}) > 1
        reached["winning with melds"] += bool(card.winning and case.hand.melds)
        reached["spoilt by melds"] += not card.winning and wins_without_melds(case)
    few = {name: reached[name] for name in EVERYTHING if reached[name] < 2}
    assert not few


EVERYTHING = [
    *reference.KINDS,
    *reference.LISTED_CONSISTENCY,
    *["lucky_sets", "groups", "sequences", "no_points", "all_green"],
    *["big_three_dragons", "little_four_winds", "big_four_winds", "all_honors", "all_terminals"],
    *["thirteen_orphans", "nine_gates"],
    *["refused", "not winning", "a choice", "winning with melds", "spoilt by melds"],
]


def wins_without_melds(case: Case) -> bool:
    loose = reference.Hand(case.hand.tiles, case.hand.seat, case.hand.prevailing)
    return bool(case.hand.melds) and reference.score(loose, case.house).winning


def typed(case: Case) -> dict:
    """What the interfaces of the project pass on, but for the tiles."""
    return {
        "seat": case.hand.seat,
        "prevailing": case.hand.prevailing,
        "melds": case.typed_melds,
        "concealed": case.hand.concealed,
        "self_drawn": case.hand.self_drawn,
    }


def rules_of(house: reference.House) -> RuleSet:
    options = vars(house) | {"straights": sorted(house.straights)}
    return RuleSet.from_options(options, slug="house", name="House", version=1)


def evaluated(case: Case) -> dict:
    """What the evaluator's card says, in the terms of the reference."""
    try:
        card = score(case.typed_tiles, **typed(case), rules=rules_of(case.house)).as_dict()
    except HandError as error:
        return {"refused": [problem.code for problem in error.problems]}
    if not card["winning"]:
        assert card["why"]
        assert not card["interpretations"]
        return {"winning": False}
    return {
        "winning": True,
        "final": card["final"],
        "limits": sorted(card["limits"]),
        "chosen": figures(card),
        "point lines": sorted((line["tiles"], line["points"]) for line in card["point_report"]),
        "double lines": {line["rule"]: line["doubles"] for line in card["double_report"]},
        "chosen once": [one["chosen"] for one in card["interpretations"]].count(True),
        "interpretations": sorted(figures(one) for one in card["interpretations"]),
    }


def figures(card: dict) -> tuple:
    groups = [(one["kind"], one["tiles"], one["concealed"], one["points"]) for one in card["sets"]]
    return (sorted(groups), card["points"], card["doubles"], card["total"], card["final"])


def expected(case: Case) -> dict:
    """What the reference says."""
    if not reference.has_its_number(case.hand):
        return {"refused": ["wrong_count"]}
    card = reference.score(case.hand, case.house)
    if not card.winning:
        return {"winning": False}
    interpretations = [reference_figures(one, case) for one in card.interpretations]
    if card.chosen is None:
        chosen, double_lines = ([], 20, 0, 20, card.final), {}
    else:
        chosen, double_lines = reference_figures(card.chosen, case), card.chosen.doubles
    return {
        "winning": True,
        "final": card.final,
        "limits": sorted(card.limits),
        "chosen": chosen,
        "point lines": sorted([([], 20), *((group[1], group[3]) for group in chosen[0])]),
        "double lines": double_lines,
        "chosen once": 1 if card.chosen else 0,
        "interpretations": sorted(interpretations),
    }


def reference_figures(one: reference.Interpretation, case: Case) -> tuple:
    groups = [
        (group.kind, list(group.tiles), group.concealed, reference.points_of(group, case.hand))
        for group in one.groups
    ]
    return (sorted(groups), one.points, sum(one.doubles.values()), one.total, one.final)
