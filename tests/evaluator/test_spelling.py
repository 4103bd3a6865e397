"""What is typed is made plain once: what looks like a tile is one, and nothing else is."""

import sys
import unicodedata

import pytest

from scoring.evaluator.notation import parse_hand, parse_tiles, parse_wind
from scoring.evaluator.problems import HandError
from scoring.evaluator.spelling import normalise
from scoring.evaluator.tiles import TILES, Wind, tile


def folds_to_ascii(char: str) -> bool:
    folded = {char.lower(), char.upper(), char.casefold(), unicodedata.normalize("NFKC", char)}
    bare = {"".join(c for c in form if not unicodedata.combining(c)) for form in folded}
    return not char.isascii() and any(form.isascii() for form in folded | bare)


PLAIN = ("2B", "White", "Wh", "wh", "Green", "East", "S", "1c")


@pytest.fixture(scope="module")
def lookalikes() -> list[str]:
    return [char for char in map(chr, range(sys.maxunicode + 1)) if folds_to_ascii(char)]


def codes(text) -> str:
    return " ".join(kind.code for kind in parse_tiles(text))


def read(function, text):
    """What ``function`` makes of ``text``, or None if it is refused in words."""
    try:
        return function(text)
    except HandError:
        return None


@pytest.mark.parametrize("function", [parse_tiles, parse_hand, parse_wind, tile])
def test_no_character_that_folds_to_ascii_breaks_the_reading(lookalikes, function):
    assert {"ı", "İ", "ſ", "\u212a", "Ｂ", "²"} <= set(lookalikes)
    for char in lookalikes:
        for word in (char, f"2{char}", f"{char}B", f"Wh{char}te", f"{char}hite", f"Ea{char}t"):
            read(function, word)


def test_a_letter_is_read_as_the_plain_one_that_it_stands_for(lookalikes):
    for char in lookalikes:
        plain = normalise(char)
        if plain.isascii() and plain.isalnum():
            for word in PLAIN:
                assert read(codes, word.replace(word[0], char)) == read(
                    codes, word.replace(word[0], plain)
                )


@pytest.mark.parametrize("text", ["Whıte", "WHİTE", "Wh\u0131", "2Ɓ", "２Ɓ", "Ε", "٢B"])
def test_letters_that_only_look_like_ours_are_no_tiles(text):
    with pytest.raises(HandError, match="There is no tile “"):
        parse_tiles(text)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("２２２Ｂ", "2B 2B 2B"),
        ("222Ｂ，345B；55B、E", "2B 2B 2B 3B 4B 5B 5B 5B E"),
        ("２２２Ｂ\u3000ＧＲＥＥＮ", "2B 2B 2B G"),
        ("🀄\ufe0f🀄\ufe0e 🀀\ufe0f", "R R E"),
        ("2\u200bB\u2060 \ufeff3B \u00adG\u200d", "2B 3B G"),
        ("\u202a2B\u202c", "2B"),
        ("Green dragon", "G"),
        ("green Dragons, EAST WIND; White  dragon", "G E Wh"),
        ("2 of Bamboo", "2B"),
        ("2 of Bamboo 9 of characters 1 OF DOTS 3 of dot 4 of Character", "2B 9C 1D 3D 4C"),
        ("222 of Bamboo", "2B 2B 2B"),
        ("2of Bamboo2 of Dots", "2B 2D"),
        ("2 of Bamboos, 33 of bamboos", "2B 3B 3B"),
        ("GreenGreenWh GREENred", "G G Wh G R"),
        ("East windEast wind, 2 of BambooGreen dragon", "E E 2B G"),
        ("2 of BambooEast wind 2 of BambooWh", "2B E 2B Wh"),
        ("Ｇｒｅｅｎ dragon", "G"),
        (["2 of Bamboo", "East wind", "🀄\ufe0f"], "2B E R"),
    ],
)
def test_tiles_are_read_however_they_are_typed(text, read_as):
    assert codes(text) == read_as


@pytest.mark.parametrize("kind", TILES)
def test_every_name_on_a_scorecard_can_be_typed(kind):
    assert parse_tiles(kind.name) == (kind,)
    assert parse_tiles([kind.name, kind.name.upper()]) == (kind, kind)
    assert tile(kind.name) is tile(f" {kind.name.lower()}") is kind


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("2 of", "2"),
        ("dragon", "dragon"),
        ("Green wind", "ind"),
        ("10 of Dots", "10"),
        ("2 of Bambooss", "2"),
        ("3 of BambooE", "3"),
        ("1 of Dotss", "1"),
        ("Northern", "Northern"),
        ("Eastern wind", "Eastern"),
        ("Souths", "Souths"),
        ("East windsE", "ind"),
        ("Green dragonss", "dragonss"),
        ("GreenG", "GreenG"),
    ],
)
def test_half_a_name_is_no_tile(text, part):
    with pytest.raises(HandError, match=f"There is no tile “{part}"):
        parse_tiles(text)


def test_marks_are_read_in_full_width_and_after_a_name():
    parsed = parse_hand("２２２Ｂ＊ 345B 55B 222D GGG＃")
    assert [(meld.kind, meld.concealed) for meld in parsed.melds] == [
        ("pung", False),
        ("pung", True),
    ]
    assert parse_hand("345B 55B 222D GGG", ["２２２Ｂ＃"]).melds[0].concealed
    kong = parse_hand("2222 of Bamboo # 345B 55B 222D GGG")
    assert [(meld.kind, meld.concealed) for meld in kong.melds] == [("kong", True)]


@pytest.mark.parametrize(
    "text", ["W", "Ｗ", "ｗest", "West wind", " WEST  WIND ", "🀂", "🀂\ufe0f", "W\u200b", "ＷＥＳＴ"]
)
def test_winds_are_read_however_they_are_typed(text):
    assert parse_wind(text) is Wind.WEST


@pytest.mark.parametrize("text", ["Wеst", "Eaſt wınd", "🀄", "wind", "Ea st"])
def test_what_only_looks_like_a_wind_is_refused(text):
    with pytest.raises(HandError, match="A wind is E, S, W or N"):
        parse_wind(text)
