"""Every spelling of docs/rules.md, both ways, and every refusal in words."""

import pytest

from scoring.evaluator.notation import (
    format_hand,
    format_tiles,
    parse_hand,
    parse_tiles,
    parse_wind,
)
from scoring.evaluator.problems import HandError
from scoring.evaluator.tiles import TILES, Wind

BOOK = "222B 345B 55B 222D GGG"


def codes(tiles) -> str:
    return " ".join(each.code for each in tiles)


def refused(function, *args) -> list[tuple[str, str, str]]:
    with pytest.raises(HandError) as error:
        function(*args)
    return [(each.field, each.code, each.message) for each in error.value.problems]


class TestTiles:
    @pytest.mark.parametrize(
        ("text", "read"),
        [
            ("2B", "2B"),
            ("222b 345B", "2B 2B 2B 3B 4B 5B"),
            ("1B,9B;1c", "1B 9B 1C"),
            ("  12B   E\n\tS ", "1B 2B E S"),
            ("222B345D", "2B 2B 2B 3D 4D 5D"),
            ("Green East", "G E"),
            ("green EAST north wh White", "G E N Wh Wh"),
            ("GGG WhWhWh EESS", "G G G Wh Wh Wh E E S S"),
            ("W WW Wh", "W W W Wh"),
            ("1B2B9C", "1B 2B 9C"),
            ("🀐🀐🀀 🀄", "1B 1B E R"),
            ("🀐2BGreen", "1B 2B G"),
            ("", ""),
            (["2B", "Green", "33C"], "2B G 3C 3C"),
            (("2B",), "2B"),
            ([], ""),
        ],
    )
    def test_are_read(self, text, read):
        assert codes(parse_tiles(text)) == read

    @pytest.mark.parametrize("each", TILES)
    def test_are_read_in_every_spelling(self, each):
        spellings = [each.code, each.code.lower(), each.char, each.code.upper()]
        if each.index >= 27:
            spellings.append(each.name.split()[0])
        assert {parse_tiles(one) for one in spellings} == {(each,)}

    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            ("2B 0B", ["0B"]),
            ("2X 3B 2X Q", ["2X", "Q"]),
            ("222", ["222"]),
            ("2BB", ["B"]),
            ("E2", ["2"]),
            ("🀢", ["🀢"]),
            ("x" * 50, ["x" * 20]),
        ],
    )
    def test_that_are_none_are_named(self, text, parts):
        problems = refused(parse_tiles, text)
        assert [(field, code) for field, code, _message in problems] == [
            ("tiles", "unknown_tile")
        ] * len(parts)
        for part, (_field, _code, message) in zip(parts, problems, strict=True):
            assert f"“{part}”" in message
            assert "Write 1B to 9B" in message

    @pytest.mark.parametrize("text", [None, 7, {"2B": 1}, ["2B", 7], [["2B"]], ["2B"] * 73, b"2B"])
    def test_come_as_text_or_a_list_of_codes(self, text):
        [(field, code, _message)] = refused(parse_tiles, text)
        assert (field, code) == ("tiles", "not_tiles")

    def test_come_in_at_most_400_characters(self):
        assert len(parse_tiles("1B " * 18 + " " * 346)) == 18
        assert refused(parse_tiles, " " * 401)[0][1] == "too_long"

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("2B 2B 3B G G", "223B GG"),
            ("2B 2C 2B", "2B 2C 2B"),
            ("Wh Wh W W", "WhWh WW"),
            ("1B E 1B", "1B E 1B"),
            ("E S", "E S"),
            ("W Wh W", "W Wh W"),
            ("", ""),
        ],
    )
    def test_are_written_short(self, text, written):
        assert format_tiles(parse_tiles(text)) == written
        assert parse_tiles(written) == parse_tiles(text)


class TestWinds:
    @pytest.mark.parametrize("text", ["W", "w", "West", " west ", Wind.WEST])
    def test_are_read(self, text):
        assert parse_wind(text) is Wind.WEST

    @pytest.mark.parametrize("text", ["", "X", "R", "Wh", "Ea", None, 1, ["E"]])
    def test_that_are_none_are_refused_at_their_field(self, text):
        [(field, code, message)] = refused(parse_wind, text, "prevailing")
        assert (field, code) == ("prevailing", "unknown_wind")
        assert "East, South, West, North" in message


class TestHands:
    def test_have_their_tiles_as_written(self):
        assert codes(parse_hand("GGG 55B 222D 345B 222B").tiles).startswith("G G G 5B 5B")
        assert parse_hand(BOOK).melds == ()

    @pytest.mark.parametrize(
        ("text", "melds"),
        [
            ("222B* 345B 55B 222D GGG", ["222B open"]),
            ("222B * 345B* 55B 222D GGG", ["222B open", "345B open"]),
            ("222B*345B 55B 222D GGG#", ["222B open", "GGG concealed"]),
            ("543B* 222B 55B 222D GGG", ["345B open"]),
        ],
    )
    def test_mark_the_sets_that_were_declared(self, text, melds):
        parsed = parse_hand(text)
        assert len(parsed.tiles) == 14
        assert [said(meld) for meld in parsed.melds] == melds

    @pytest.mark.parametrize(
        "melds",
        [
            ["222B"],
            ["222B*"],
            ["2B 2B 2B"],
            [["2B", "2B", "2B"]],
            [{"tiles": "222B"}],
            [{"tiles": ["2B", "2B", "2B"], "concealed": False}],
        ],
    )
    @pytest.mark.parametrize("tiles", [BOOK, "345B 55B 222D GGG"])
    def test_take_melds_beside_the_tiles_or_among_them(self, tiles, melds):
        parsed = parse_hand(tiles, melds)
        assert sorted(parsed.tiles) == sorted(parse_tiles(BOOK))
        assert [said(meld) for meld in parsed.melds] == ["222B open"]

    @pytest.mark.parametrize("melds", [["222B#"], [{"tiles": "222B", "concealed": True}]])
    def test_take_concealed_melds(self, melds):
        assert [said(meld) for meld in parse_hand(BOOK, melds).melds] == ["222B concealed"]

    def test_of_18_tiles_may_have_14_beside_one_kong(self):
        parsed = parse_hand("1111B 2222B 3333B 44B", ["EEEE"])
        assert len(parsed.tiles) == 18

    def test_of_14_tiles_are_not_read_as_beside_a_meld_they_do_not_hold(self):
        [(field, code, message)] = refused(parse_hand, BOOK, ["444B"])
        assert (field, code) == ("melds", "not_in_the_hand")
        assert "4 of Bamboo" in message

    def test_that_are_short_lie_beside_their_melds_even_if_they_hold_them_too(self):
        parsed = parse_hand("123B 123B 55D EEE", ["123B"])
        assert codes(parsed.tiles).count("1B") == 3

    @pytest.mark.parametrize(
        ("text", "melds", "expected"),
        [
            ("222B 345B", None, ("tiles", "wrong_count", "6 tiles")),
            ("11112222333344445B 5B E", None, ("tiles", "wrong_count", "19 tiles")),
            ("22222B 345B 55B 2D GGG", None, ("tiles", "too_many_copies", "Five 2 of Bamboo")),
            ("RRRRRR GGGG EEEE", None, ("tiles", "too_many_copies", "Six Red dragon")),
            (BOOK, ["EEE"], ("melds", "not_in_the_hand", "East wind")),
            (BOOK, ["55B"], ("melds", "no_meld", "pung, a kong or a chow")),
            (BOOK, ["22B"], ("melds", "no_meld", "pung, a kong or a chow")),
            (BOOK, ["246B"], ("melds", "no_meld", "pung, a kong or a chow")),
            (BOOK, ["2X"], ("melds", "unknown_tile", "2X")),
            (BOOK, [{"tiles": None}], ("melds", "not_tiles", "list of codes")),
            (BOOK, [{}], ("melds", "not_tiles", "list of codes")),
            (BOOK, [7], ("melds", "not_tiles", "list of codes")),
            (BOOK, "222B", ("melds", "not_melds", "at most four")),
            (BOOK, {"tiles": "222B"}, ("melds", "not_melds", "at most four")),
            (BOOK, ["222B"] * 5, ("melds", "not_melds", "at most four")),
            (BOOK, [{"tiles": "222B", "concealed": 1}], ("melds", "not_melds", "true or false")),
            ("55B* 222B 345B 222D GGG", None, ("tiles", "no_meld", "pung, a kong")),
            ("* 222B 345B 55B 222D GGG", None, ("tiles", "unknown_tile", "*")),
            ("111B* 222B* 333B* 444B* 555B* EE", None, ("melds", "too_many_melds", "four")),
        ],
    )
    def test_that_cannot_be_are_refused_in_words(self, text, melds, expected):
        field, code, words = expected
        problems = refused(parse_hand, text, melds)
        assert (field, code) in [problem[:2] for problem in problems]
        assert any(words in message for _field, _code, message in problems)

    def test_that_have_more_than_one_thing_wrong_say_all(self):
        problems = refused(parse_hand, "22222B 33333B", [])
        assert [code for _field, code, _message in problems] == [
            "too_many_copies",
            "too_many_copies",
            "wrong_count",
        ]

    @pytest.mark.parametrize(
        "text", ["222B* 34555B 222D GGG", "EEEE# 123B* 456B 789B 11D", "1112345678999B 5B"]
    )
    def test_are_written_as_they_can_be_read_back(self, text):
        parsed = parse_hand(text)
        again = parse_hand(format_hand(parsed.tiles, parsed.melds))
        assert sorted(again.tiles) == sorted(parsed.tiles)
        assert again.melds == parsed.melds


def said(meld) -> str:
    return format_tiles(meld.tiles) + (" concealed" if meld.concealed else " open")
