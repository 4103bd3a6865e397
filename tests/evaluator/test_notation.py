"""Every spelling of docs/rules.md, both ways, and every refusal in words."""

import re

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

WINNING = "{} tiles: a winning hand has 14, and one more for each kong (at most 18)."
DECLARED = "{} tiles: a {} hand with these declared sets has {}."
MISSING = "The declared sets are not in the hand: {} missing."
BEFORE = "The mark {0} belongs after its set, as in 222B{0}."
NOT_TILES = "Give tiles as a text or as a list of codes."
NOT_MELDS = "Give the declared sets as a list of at most four."
NO_MELD = "A declared set is a pung, a kong or a chow: three or four alike, or three in a row."


def no_tile(part):
    return f"There is no tile “{part}”. Write 1B to 9B, 1C to 9C, 1D to 9D, E S W N, R G or Wh."


def codes(tiles) -> str:
    return " ".join(kind.code for kind in tiles)


def refused(function, *args) -> list[tuple[str, str, str]]:
    with pytest.raises(HandError) as error:
        function(*args)
    return [(problem.field, problem.code, problem.message) for problem in error.value.problems]


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
    def test_tiles_are_read(self, text, read):
        assert codes(parse_tiles(text)) == read

    @pytest.mark.parametrize("kind", TILES)
    def test_tiles_are_read_in_every_spelling(self, kind):
        spellings = [kind.code, kind.code.lower(), kind.char, kind.code.upper()]
        if kind.index >= 27:
            spellings.append(kind.name.split()[0])
        assert {parse_tiles(one) for one in spellings} == {(kind,)}

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
    def test_tiles_that_are_none_are_named(self, text, parts):
        assert refused(parse_tiles, text) == [
            ("tiles", "unknown_tile", no_tile(part)) for part in parts
        ]

    @pytest.mark.parametrize("text", [None, 7, {"2B": 1}, ["2B", 7], [["2B"]], ["2B"] * 73, b"2B"])
    def test_tiles_come_as_text_or_a_list_of_codes(self, text):
        assert refused(parse_tiles, text, "west") == [("west", "not_tiles", NOT_TILES)]

    def test_tiles_come_in_at_most_72_codes(self):
        assert len(parse_tiles(["2B"] * 72)) == 72

    def test_tiles_come_in_at_most_400_characters(self):
        assert len(parse_tiles("1B " * 18 + " " * 346)) == 18
        problem = ("west", "too_long", "A hand is at most 400 characters.")
        assert refused(parse_tiles, " " * 401, "west") == [problem]

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
    def test_tiles_are_written_short(self, text, written):
        assert format_tiles(parse_tiles(text)) == written
        assert parse_tiles(written) == parse_tiles(text)


class TestWinds:
    @pytest.mark.parametrize("text", ["W", "w", "West", " west ", Wind.WEST])
    def test_winds_are_read(self, text):
        assert parse_wind(text) is Wind.WEST

    @pytest.mark.parametrize("text", ["", "X", "R", "Wh", "Ea", None, 1, ["E"]])
    def test_winds_that_are_none_are_refused_at_their_field(self, text):
        problem = (
            "prevailing",
            "unknown_wind",
            "A wind is E, S, W or N (East, South, West, North).",
        )
        assert refused(parse_wind, text, "prevailing") == [problem]

    def test_winds_are_of_a_seat_if_nobody_says_of_what(self):
        assert refused(parse_wind, "X")[0][0] == "seat"


class TestHands:
    def test_hands_have_their_tiles_as_written(self):
        assert codes(parse_hand("GGG 55B 222D 345B 222B").tiles).startswith("G G G 5B 5B")
        assert parse_hand(BOOK).melds == ()

    @pytest.mark.parametrize(
        ("text", "melds"),
        [
            ("222B* 345B 55B 222D GGG", ["222B open"]),
            ("222B * 345B* 55B 222D GGG", ["222B open", "345B open"]),
            ("222B*345B 55B 222D GGG#", ["222B open", "GGG concealed"]),
            ("222B 345B * 55B 222D GGG # ", ["345B open", "GGG concealed"]),
            ("543B* 222B 55B 222D GGG", ["345B open"]),
        ],
    )
    def test_hands_mark_the_sets_that_were_declared(self, text, melds):
        parsed = parse_hand(text)
        assert len(parsed.tiles) == 14
        assert [shown(meld) for meld in parsed.melds] == melds

    @pytest.mark.parametrize(
        "melds",
        [
            ["222B"],
            ["222B*"],
            ["222B *"],
            ["2B 2B 2B"],
            [["2B", "2B", "2B"]],
            [{"tiles": "222B"}],
            [{"tiles": ["2B", "2B", "2B"], "concealed": False}],
        ],
    )
    @pytest.mark.parametrize("tiles", [BOOK, "345B 55B 222D GGG"])
    def test_hands_take_melds_beside_the_tiles_or_among_them(self, tiles, melds):
        parsed = parse_hand(tiles, melds)
        assert sorted(parsed.tiles) == sorted(parse_tiles(BOOK))
        assert [shown(meld) for meld in parsed.melds] == ["222B open"]

    def test_hands_that_wait_may_hold_their_melds(self):
        assert len(parse_hand("222B 345B 55B 222D GG", ["222B"], lacking=1).tiles) == 13

    def test_hands_of_fours_may_hold_their_melds(self):
        assert len(parse_hand("1111B 2222B 3333B 44B", ["111B"]).tiles) == 14

    @pytest.mark.parametrize(
        "melds", [["222B#"], ["222B# "], [{"tiles": "222B", "concealed": True}]]
    )
    def test_hands_take_concealed_melds(self, melds):
        assert [shown(meld) for meld in parse_hand(BOOK, melds).melds] == ["222B concealed"]

    def test_hands_of_18_tiles_may_have_14_beside_one_kong(self):
        parsed = parse_hand("1111B 2222B 3333B 44B", ["EEEE"])
        assert len(parsed.tiles) == 18

    def test_hands_of_14_tiles_are_not_read_as_beside_a_meld_they_do_not_hold(self):
        [(field, code, message)] = refused(parse_hand, BOOK, ["444B"])
        assert (field, code) == ("melds", "not_in_the_hand")
        assert "4 of Bamboo" in message

    def test_hands_that_are_short_lie_beside_their_melds_even_if_they_hold_them(self):
        parsed = parse_hand("123B 123B 55D EEE", ["123B"])
        assert codes(parsed.tiles).count("1B") == 3

    @pytest.mark.parametrize(
        ("text", "messages"),
        [
            (None, {"not_tiles": NOT_TILES}),
            ("222B 345B", {"wrong_count": WINNING.format(6)}),
            ("1111B 22B", {"wrong_count": WINNING.format(6)}),
            ("222B 345B 55B 22D GGG", {"wrong_count": WINNING.format(13)}),
            ("11112222333344445B 5B E", {"wrong_count": WINNING.format(19)}),
            ("22222B 345B 55B 2D GGG", {"too_many_copies": "Five 2 of Bamboo: a wall has four."}),
            ("22222B* 345B 55B 2D GGG", {"no_meld": NO_MELD}),
            (
                "22222B 3333B 4444B 5555B 6B",
                {"too_many_copies": "Five 2 of Bamboo: a wall has four."},
            ),
            ("RRRRRR GGGG EEEE", {"too_many_copies": "Six Red dragon: a wall has four."}),
            ("111111111B 55B 2D GG", {"too_many_copies": "9 1 of Bamboo: a wall has four."}),
            (
                "2" * 31 + "B",
                {
                    "too_many_copies": "31 2 of Bamboo: a wall has four.",
                    "wrong_count": WINNING.format(31),
                },
            ),
            # More than that overflow the number that counts them: it says nothing of kinds then.
            ("2" * 32 + "B", {"wrong_count": WINNING.format(32)}),
            ("55B* 222B 345B 222D GGG", {"no_meld": NO_MELD}),
            ("* 222B 345B 55B 222D GGG", {"unknown_tile": no_tile("*")}),
            ("222B *345B 55B 222D GGG", {"mark_before": BEFORE.format("*")}),
            ("*222B 345B 55B 222D GGG", {"mark_before": BEFORE.format("*")}),
            ("222B,#345B 55B 222D GGG", {"mark_before": BEFORE.format("#")}),
            ("222B* *345B 55B 222D GGG", {"mark_before": BEFORE.format("*")}),
            ("222B 345B 55B 222D ＊GGG", {"mark_before": BEFORE.format("*")}),
            ("2B", {"wrong_count": "1 tile: a winning hand has at least 14."}),
        ],
    )
    def test_hands_that_cannot_be_are_refused_in_words(self, text, messages):
        problems = [("tiles", code, message) for code, message in messages.items()]
        assert refused(parse_hand, text) == problems

    @pytest.mark.parametrize(
        ("melds", "code", "message"),
        [
            (["EEE"], "not_in_the_hand", MISSING.format("East wind")),
            (["222B", "EEE", "SSS"], "not_in_the_hand", MISSING.format("East wind, South wind")),
            (["55B"], "no_meld", NO_MELD),
            (["22B"], "no_meld", NO_MELD),
            (["246B"], "no_meld", NO_MELD),
            (["2X"], "unknown_tile", no_tile("2X")),
            # A mark comes after its set, and only one.
            (["#222B"], "mark_before", BEFORE.format("#")),
            (["222B*#"], "unknown_tile", no_tile("#")),
            ([{"tiles": None}], "not_tiles", NOT_TILES),
            ([{}], "not_tiles", NOT_TILES),
            ([7], "not_tiles", NOT_TILES),
            ("222B", "not_melds", NOT_MELDS),
            ({"tiles": "222B"}, "not_melds", NOT_MELDS),
            (["222B"] * 5, "not_melds", NOT_MELDS),
            (
                [{"tiles": "222B", "concealed": 1}],
                "not_melds",
                "“concealed” of a declared set is true or false.",
            ),
        ],
    )
    def test_hands_take_no_melds_that_cannot_be(self, melds, code, message):
        assert refused(parse_hand, BOOK, melds) == [("melds", code, message)]

    def test_hands_mark_at_most_four_sets(self):
        problem = ("melds", "too_many_melds", "At most four sets of a hand are declared.")
        assert refused(parse_hand, "111B* 222B* 333B* 444B* 555B* EE") == [problem]

    @pytest.mark.parametrize("melds", [["EEE"], ["666B", "EEE"]])
    def test_hands_that_are_short_count_the_melds_that_they_do_not_hold(self, melds):
        size = 6 + 3 * len(melds)
        assert refused(parse_hand, "222B 345B", melds) == [
            ("tiles", "wrong_count", WINNING.format(size))
        ]

    @pytest.mark.parametrize("mark", ["*", "#"])
    @pytest.mark.parametrize(
        ("text", "size"),
        [
            ("123B{} 456B 789B 55D", 11),
            ("123B{0} 456B{0} 55D", 8),
            ("222B{} 345B 55B 222D", 11),
            ("123B{} 4444C 55D RR", 11),
            ("123B{}", 3),
        ],
    )
    def test_hands_that_are_short_count_a_marked_set_once(self, text, size, mark):
        problem = ("tiles", "wrong_count", WINNING.format(size))
        assert refused(parse_hand, text.format(mark)) == [problem]

    def test_hands_with_a_marked_set_may_lie_beside_one_that_is_given_apart(self):
        parsed = parse_hand("123B* 456B 55D EEE", ["789B"])
        assert codes(parsed.tiles) == "1B 2B 3B 4B 5B 6B 5D 5D E E E 7B 8B 9B"
        assert [shown(meld) for meld in parsed.melds] == ["123B open", "789B open"]

    @pytest.mark.parametrize("meld", ["678D#", {"tiles": "678D", "concealed": True}])
    def test_hands_hold_a_marked_set_once_also_where_the_melds_name_it_again(self, meld):
        with pytest.raises(HandError, match="11 tiles"):
            parse_hand("123C WWW EE 678D#", [meld])
        hand = parse_hand("123C WWW EE 678D# 222B", [meld])
        assert (len(hand.tiles), len(hand.melds)) == (14, 1)

    def test_do_not_lie_beside_melds_of_which_a_wall_has_no_second(self):
        problem = ("tiles", "wrong_count", WINNING.format(11))
        assert refused(parse_hand, "222B 345B 55B 222D", ["222B"]) == [problem]

    @pytest.mark.parametrize(
        ("text", "size", "wanted"),
        [
            ("1111B# 222B 345B 55C GG", 14, "15 to 18"),
            ("1111B* 222B 345B 55C G", 13, "15 to 18"),
            ("1111B# 2222B# 345B 55C GG", 15, "16 to 18"),
            ("1111B# 222B* 345B 55C", 12, "15 to 17"),
            ("1111B# 2222B# 3333B# 4444B# G", 17, "18"),
            ("123B* 4444B 5555B 6666B 77B E", 18, "14 to 17"),
            ("123B* 123C* 123D* EEE# RRRR", 16, "14"),
        ],
    )
    def test_hands_with_declared_sets_are_told_how_many_tiles_they_need(self, text, size, wanted):
        problem = ("tiles", "wrong_count", DECLARED.format(size, "winning", wanted))
        assert refused(parse_hand, text) == [problem]

    def test_hands_that_wait_with_a_declared_kong_have_14_tiles(self):
        assert len(parse_hand("1111B# 222B 345B 55C GG", lacking=1).tiles) == 14
        sentence = re.escape(DECLARED.format(13, "waiting", "14 to 17"))
        with pytest.raises(HandError, match=sentence):
            parse_hand("1111B# 222B 345B 55C G", lacking=1)

    def test_hands_that_are_short_do_not_count_the_melds_that_they_hold(self):
        problem = ("tiles", "wrong_count", WINNING.format(6))
        assert refused(parse_hand, "222B 345B", ["222B"]) == [problem]

    def test_hands_that_wait_have_one_tile_less(self):
        sentence = "12 tiles: a waiting hand has 13, and one more for each kong (at most 17)."
        with pytest.raises(HandError, match=re.escape(sentence)):
            parse_hand("222B 345B 55B 22D GG", lacking=1)
        with pytest.raises(HandError, match="18 tiles: a waiting hand"):
            parse_hand("1111B 2222B 3333B 4444B 55B", lacking=1)
        with pytest.raises(HandError, match=r"^Five 2 of Bamboo: a wall has four\.$"):
            parse_hand("22222B 345B 55B 2D GG", lacking=1)

    def test_hands_that_have_more_than_one_thing_wrong_say_all(self):
        assert refused(parse_hand, "22222B 33333B", ["EEEE", "NNNN", "SSSS"]) == [
            ("tiles", "too_many_copies", "Five 2 of Bamboo: a wall has four."),
            ("tiles", "too_many_copies", "Five 3 of Bamboo: a wall has four."),
            ("tiles", "wrong_count", DECLARED.format(10, "winning", "17 to 18")),
            ("melds", "not_in_the_hand", MISSING.format("East wind, South wind, North wind")),
        ]

    def test_hands_that_cannot_be_say_why_one_sentence_after_the_other(self):
        with pytest.raises(HandError) as error:
            parse_hand("22222B 33333B", [])
        assert str(error.value) == (
            "Five 2 of Bamboo: a wall has four. Five 3 of Bamboo: a wall has four. "
            + WINNING.format(10)
        )

    @pytest.mark.parametrize(
        "text", ["222B* 34555B 222D GGG", "EEEE# 123B* 456B 789B 11D", "1112345678999B 5B"]
    )
    def test_hands_are_written_as_they_can_be_read_back(self, text):
        parsed = parse_hand(text)
        again = parse_hand(format_hand(parsed.tiles, parsed.melds))
        assert sorted(again.tiles) == sorted(parsed.tiles)
        assert again.melds == parsed.melds


def shown(meld) -> str:
    return format_tiles(meld.tiles) + (" concealed" if meld.concealed else " open")


@pytest.mark.parametrize(
    ("text", "melds", "lacking", "fewest"),
    [("5B", None, 1, 13), ("E", None, 0, 14)],
)
def test_one_tile_is_one_tile(text, melds, lacking, fewest):
    with pytest.raises(HandError, match=rf"^1 tile: a w\w+ hand has at least {fewest}\.$"):
        parse_hand(text, melds, lacking=lacking)
