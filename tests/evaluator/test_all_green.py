"""All Green, a double that a rule set may play: green tiles only, two doubles."""

import pytest

from scoring.evaluator.batch import final_scores
from scoring.evaluator.hand import Hand
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.evaluator.scorecard import score
from scoring.evaluator.tiles import Wind

GREEN = RuleSet(slug="green", all_green=True, limit=100_000)
PLAIN = RuleSet(slug="plain", limit=100_000)

ALL_GREEN = [
    "234B 234B 666B GGG 88B",
    "222B 333B 444B 66B 888B",
    "2222B 3333B 4444B GGGG 66B",
    "234B* 234B 666B* GGG 88B",
]
JUST_MISSED = [
    "234B 234B 666B RRR 88B",
    "234B 234B 666B GGG EE",
    "234B 345B 666B GGG 88B",
    "234B 234B 666B GGG 77B",
    "123B 234B 666B GGG 88B",
    "234C 234C 666C GGG 88C",
    "234D 234D 666D GGG 88D",
    "234B 234B 666C GGG 88B",
    "222B 333B 444B 66B 888D",
    "EEE RRR GGG 234B WhWh",
]


def reported(text, rules):
    return {line.rule: line.doubles for line in score(text, "S", "E", rules=rules).double_report}


@pytest.mark.parametrize("text", ALL_GREEN)
def test_a_hand_of_green_tiles_doubles_twice_more(text):
    assert reported(text, GREEN) == reported(text, PLAIN) | {"all_green": 2}
    plain, green = score(text, "S", "E", rules=PLAIN), score(text, "S", "E", rules=GREEN)
    assert green.total == 4 * plain.total


@pytest.mark.parametrize("text", JUST_MISSED)
def test_one_tile_that_is_not_green_is_enough_to_miss_it(text):
    assert reported(text, GREEN) == reported(text, PLAIN)


@pytest.mark.parametrize("text", ALL_GREEN)
@pytest.mark.parametrize("rules", [CLUB, BOOK], ids=lambda rules: rules.slug)
def test_club_and_book_do_not_play_all_green(rules, text):
    assert not rules.all_green
    assert "all_green" not in reported(text, rules)


@pytest.mark.parametrize("text", [*ALL_GREEN[:3], *JUST_MISSED])
def test_hands_by_the_batch_and_without_a_card_score_alike(text):
    hand = Hand.from_notation(text, "S", "E")
    winds = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}
    final = score(text, "S", "E", rules=GREEN).final
    assert hand.final_score(GREEN) == final
    assert final_scores([hand.counts], **winds, rules=GREEN) == [final]


def test_all_green_counts_beside_lucky_sets_and_consistency():
    card = score(ALL_GREEN[0], "S", "E", rules=RuleSet(slug="green", all_green=True))
    assert reported(ALL_GREEN[0], GREEN) == {
        "lucky_sets": 1,
        "all_green": 2,
        "one_suit_with_honors": 1,
    }
    assert (card.points, card.doubles, card.total, card.final) == (32, 4, 512, 500)
