"""What the evaluator says, in the reader's language."""

import json
import re
from contextlib import suppress
from string import ascii_lowercase

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis.strategies import data, lists, sampled_from

from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import parse_hand, parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import score
from scoring.evaluator.tiles import TILES
from scoring.evaluator.trace import trace
from scoring.translation import card_in_words, label_of, translate, typed_tiles


def problems_of(tiles):
    with pytest.raises(HandError) as refused:
        parse_hand(tiles)
    return [translate(problem.message) for problem in refused.value.problems]


def test_english_stays_as_the_evaluator_said_it_but_for_the_chows():
    card = score("222B 345B 55B 222D GGG", "S", "E").as_dict()
    shown = card_in_words(card)
    for report in ("point_report", "double_report"):
        for line, in_words in zip(card[report], shown[report], strict=True):
            label = line["label"].replace("3B 4B 5B", "3-4-5 of Bamboo")
            assert in_words == {**line, "label": label}
            assert label_of(line) == label
    assert {**shown, "point_report": [], "double_report": []} == {
        **card,
        "point_report": [],
        "double_report": [],
    }
    for step in trace(Hand.from_notation("223344B 55B 222D GGG")):
        assert translate(step.sentence) == step.sentence


def test_a_sentence_is_translated_with_what_is_filled_in():
    with override("nl"):
        assert problems_of("22222B 345B 55B 22D GG") == [
            "Vijf keer Bamboe 2: een muur heeft er vier."
        ]
    with override("zh-hant"):
        assert problems_of("22222B 345B 55B 22D GG") == ["五隻二索：整副牌只有四隻。"]


@pytest.mark.parametrize("language", ["en", "nl", "zh-hant"])
def test_the_names_of_tiles_that_a_scorecard_prints_can_be_typed_back(language):
    with override(language):
        for typed in (str, str.upper, str.lower, "{}*".format, "5B {},".format):
            for tile in TILES:
                assert parse_tiles(typed_tiles(typed(translate(tile.name)))) == parse_tiles(
                    typed(tile.code)
                )


def test_a_name_behind_an_english_one_never_becomes_its_plural():
    """ "2 of Bamboos" is one tile: no south wind may be left of it."""
    for name in ("2 of Bamboo", "2 of Character", "2 of Dot", "East wind", "Red dragon"):
        for typed in (name, name.upper()):
            with pytest.raises(HandError):
                parse_tiles(typed_tiles(f"{typed}南風"))


def test_a_letter_that_only_folds_to_one_of_a_name_is_read_or_refused():
    """As the dotless i of a Turkish keyboard."""
    folding = [
        (one, letter)
        for letter in ascii_lowercase
        for one in map(chr, range(128, 0x11000))
        if re.match(letter, one, re.I)
    ]
    assert {"\u0130", "\u0131", "\u017f", "\u212a"} <= {one for one, _letter in folding}
    with override("nl"):
        for tile in TILES:
            name = translate(tile.name).lower()
            for one, letter in folding:
                typed = typed_tiles(name.replace(letter, one))
                with suppress(HandError):
                    assert parse_tiles(typed) == (tile,)


def test_chinese_names_of_tiles_need_nothing_between_them():
    with override("zh-hant"):
        assert typed_tiles("一索一索一索東風２Ｂ發財") == "1B1B1BE2BG"


@pytest.mark.parametrize("typed", ["22二索", "3四筒", "1一索", "西風h", "2東風", "二索B"])
def test_what_stands_beside_a_chinese_name_is_never_read_with_its_code(typed):
    with override("zh-hant"), pytest.raises(HandError):
        parse_tiles(typed_tiles(typed))


@pytest.mark.parametrize("language", ["nl", "zh-hant"])
@given(data())
def test_names_and_codes_in_any_mixture_are_the_tiles_that_were_written(language, data):
    with override(language):
        tiles = data.draw(lists(sampled_from(TILES), min_size=1, max_size=6))
        words = [data.draw(sampled_from([tile.code, translate(tile.name)])) for tile in tiles]
        between = [data.draw(sampled_from(["", " ", ", "])) for _word in words]
        typed = "".join(map("".join, zip(words, between, strict=True)))
        with suppress(HandError):
            assert sorted(parse_tiles(typed_tiles(typed))) == sorted(tiles)


@pytest.mark.parametrize("typed", ["oostenwinden", "Bamboe 22", "Bamboe 2B", "noordoostenwind"])
def test_a_longer_word_than_the_name_of_a_tile_is_no_tile(typed):
    with override("nl"), pytest.raises(HandError):
        parse_tiles(typed_tiles(typed))


def test_a_list_of_tiles_is_translated():
    with override("nl"):
        with pytest.raises(HandError) as refused:
            parse_hand("222B 345B 55B 222D GGG", ["EEE", "999C"])
        assert str(refused.value.problems[0].message).startswith("The declared sets")
        assert translate(refused.value.problems[0].message) == (
            "De gemelde sets zitten niet in de hand: Tekens 9, Oostenwind ontbreekt."
        )


def test_what_somebody_typed_is_left_as_it_is():
    with override("nl"):
        assert problems_of("Points")[0].startswith("Er is geen steen “Points”.")


def test_a_card_says_in_dutch_why_a_hand_does_not_win():
    card = score("222B 345B 55B 222D GG9C", "S", "E").as_dict()
    with override("nl"):
        assert card_in_words(card)["why"] == (
            "Deze hand wint niet. Deze sets passen: 222B 345B 55B 222D. Over: 9C GG. "
            "Met één keer ruilen zou het winnen: 9C → 2B, 9C → 5B, 9C → G."
        )


def test_a_stored_card_is_read_by_its_rules_and_tiles():
    stored = json.loads(json.dumps(score("222B 345B 55B 222D GGG", "S", "E").as_dict()))
    with override("zh-hant"):
        card = card_in_words(stored)
    labels = [line["label"] for line in [*card["point_report"], *card["double_report"]]]
    assert labels == [
        "食糊", "刻子：二索", "順子：3-4-5 索", "對子：五索", "刻子：二筒", "刻子：發財", "幸運牌組",
    ]  # fmt: skip
    assert stored["point_report"][0]["label"] == "Winning"


def test_a_rule_that_is_gone_keeps_its_words():
    with override("nl"):
        assert label_of({"rule": "lost_rule", "label": "A lost rule"}) == "A lost rule"


def test_the_name_of_an_option_is_translated():
    with pytest.raises(HandError) as refused:
        RuleSet.from_options({"limit": 7}, slug="x", name="X", version=1)
    with override("nl"):
        assert translate(refused.value.problems[0].message) == "“Limiet” ligt tussen 20 en 100000."


@pytest.mark.parametrize("language", ["nl", "zh-hant"])
def test_every_step_of_a_trace_is_translated(language):
    for tiles in ("223344B 55B 222D GGG", "222B 345B 55B 222D GG9C", "19B 19C 19D ESWN RGWh Wh"):
        for step in trace(Hand.from_notation(tiles)):
            with override(language):
                assert translate(step.sentence) != step.sentence
                assert english_words(translate(step.sentence)) == set()


def english_words(sentence):
    matches = set(re.findall(r"\b(?:the|takes?|four|three|sequence|tiles?|sets?)\b", sentence))
    # Dutch has some of them, too.
    return matches - {"set", "sets"}
