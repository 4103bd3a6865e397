"""A hand in the words of the book."""

import pickle
from copy import copy

import pytest

from scoring.evaluator.counts import counts_of
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import format_tiles, parse_hand, parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.readings import forget, readings, winds_key
from scoring.evaluator.rules import BOOK, CLUB, RuleSet
from scoring.evaluator.sets import FourSet, PairSet, ThreeSet, set_of
from scoring.evaluator.text import Text
from scoring.evaluator.tiles import Wind, tile
from scoring.evaluator.win import Win

FIRST = "222B 345B 55B 222D GGG"
SECOND = "222B 345B 55B 222D 234D"


def hand(text=FIRST, seat="S", prevailing="E", **more) -> Hand:
    return Hand.from_notation(text, seat, prevailing, **more)


class TestFromNotation:
    def test_from_notation_takes_how_it_was_won_by_position_or_by_name(self):
        closed, drawn = hand(concealed=True), hand(concealed=True, self_drawn=True)
        assert Hand.from_notation(FIRST, "S", "E", None, True) == closed
        assert Hand.from_notation(FIRST, "S", "E", None, True, True) == drawn
        assert Hand.from_notation(FIRST, "S", "E", None, True, self_drawn=True) == drawn
        assert Hand.from_notation(FIRST, "S", "E", None, None, win=Win(self_drawn=True)) == hand(
            self_drawn=True
        )

    @pytest.mark.parametrize(
        ("in_order", "named", "wrong"),
        [
            ((), {"foo": 1}, "foo"),
            ((True,), {"concealed": True}, "concealed"),
            ((True, False, "S"), {}, "'S'"),
            ((True,), {"concealed": True, "won_by": ""}, "concealed"),
        ],
    )
    def test_from_notation_refuses_what_it_does_not_take_by_its_own_name(
        self, in_order, named, wrong
    ):
        with pytest.raises(TypeError, match=rf"^Hand\.from_notation\(\) .*: not {wrong}\.$"):
            Hand.from_notation(FIRST, "S", "E", None, *in_order, **named)


class TestTheBooksHands:
    def test_the_first_hand_of_the_book_has_36_points(self):
        lines = [(line.rule, line.points) for line in hand(FIRST).point_report()]
        assert lines == [
            ("winning", 20), ("pung", 4), ("chow", 0), ("pair", 0), ("pung", 4), ("pung", 8),
        ]  # fmt: skip
        assert hand(FIRST).points() == 36

    def test_the_second_hand_of_the_book_has_28_points(self):
        lines = [(line.label, line.points) for line in hand(SECOND).point_report()]
        assert lines == [
            ("Winning", 20),
            ("Pung: 2 of Bamboo", 4),
            ("Chow: 3B 4B 5B", 0),
            ("Pair: 5 of Bamboo", 0),
            ("Pung: 2 of Dots", 4),
            ("Chow: 2D 3D 4D", 0),
        ]
        assert hand(SECOND).points() == 28


class TestWinning:
    @pytest.mark.parametrize(
        "text",
        [
            FIRST,
            "223344B 567C 88C 111D",  # the book's own search misses it
            "2222B 345B 678B 123C EE",
            "1111B 2222C 3333D EEEE RR",
            "19B 19C 19D ESWNRGWh E",
        ],
    )
    def test_winning_hands_are_recognised(self, text):
        assert hand(text).mahjongg()

    @pytest.mark.parametrize(
        "text",
        [
            "2244B 6688B 2244C 66C",  # seven pairs
            "1111B 234B 567B 789B 1C 1D",
            "222B 345B 55B 222D GG 9C",
            "ESW 123B 456B 789B RR",
            "912B 345B 678C 999D EE",
            "111222333444555B",  # 15 tiles, five pungs
            "19B 19C 19D ESWNRGG 5B",
        ],
    )
    def test_a_win_is_not_claimed_for_hands_that_do_not_win(self, text):
        assert not hand(text).mahjongg()
        with pytest.raises(ValueError, match="does not win"):
            hand(text).final_score()
        with pytest.raises(ValueError, match="does not win"):
            hand(text).points()

    def test_what_lies_open_is_not_rearranged(self):
        assert hand("11123456789999B").mahjongg()
        assert hand("123B* 11456789999B").mahjongg()
        assert not hand("345B* 11126789999B").mahjongg()


DOUBLES = [
    ("lucky_sets", FIRST, 1),
    ("lucky_sets", "GGGG RRR 234B 567B 99C", 2),
    ("lucky_sets", "EEE SSS 234B 567B 99C", 2),
    ("lucky_sets", "WWW NNN 234B 567B 99C", 0),
    ("lucky_sets", "222B 345B 678B 222D GG", 0),
    ("groups", "222B 444C 666D 999B 33C", 1),
    ("groups", FIRST, 0),
    ("sequences", "123B 456B 789B 222C 55D", 1),
    ("sequences", "123B 123B 456B 789B 55D", 1),
    ("sequences", "123B 456C 789B 222C 55D", 0),
    ("sequences", "234B 567B 789B 222C 55D", 0),
    ("no_points", "123B 456C 789D 234B 66C", 1),
    ("no_points", "123B 456C 789D 234B WW", 1),
    ("no_points", "123B 456C 789D 234B EE", 0),
    ("consistency", "234B 345C 678D 222B 55D", 1),
    ("consistency", "222B 345B 666B 777B 88B", 4),
    ("consistency", "123B 456B 888B NNN 55B", 1),
    ("consistency", "123B 789C 999D NNN 11C", 1),
    ("consistency", "RRR GGG 345B 456C WhWh", 1),
    ("consistency", FIRST, 0),
]


class TestDoubles:
    @pytest.mark.parametrize(("name", "text", "doubles"), DOUBLES)
    def test_doubles_of_each_rule_are_counted(self, name, text, doubles):
        assert getattr(hand(text), name)() == doubles

    def test_an_own_wind_that_prevails_counts_twice(self):
        text = "EEE 345B 678B 222D 99C"
        assert hand(text, "E", "E").lucky_sets() == 2
        assert hand(text, "E", "S").lucky_sets() == 1
        assert hand(text, "W", "S").lucky_sets() == 0

    def test_straight_variants_count_where_the_rules_have_them(self):
        chows, pungs = "234B 234C 234D 999B 55C", "222B 222C 222D 789B 55C"
        both = RuleSet(slug="both", straights=frozenset({"same_rank_chows", "same_rank_pungs"}))
        only_chows = RuleSet(slug="chows", straights=frozenset({"same_rank_chows"}))
        assert [hand(chows).sequences(rules) for rules in (CLUB, only_chows, both)] == [0, 1, 1]
        assert [hand(pungs).sequences(rules) for rules in (CLUB, only_chows, both)] == [0, 0, 1]

    def test_doubles_of_all_rules_together_are_their_sum(self):
        one = hand("123B 123B 456B 789B 55B")
        assert one.doubles() == 6
        report = {line.rule: line.doubles for line in one.double_report()}
        assert report == {"sequences": 1, "no_points": 1, "one_suit": 4}
        assert one.score_card().total == 20 * 2**6

    def test_the_highest_double_of_consistency_counts_or_the_first_listed(self):
        text = "222B 345B 666B 777B 88B"
        assert hand(text).consistency(CLUB) == 4
        assert hand(text).consistency(BOOK) == 1

    def test_a_report_names_the_group_of_exclusive_rules(self):
        groups = {line.rule: line.group for line in hand("RRR GGG 345B 456C WhWh").double_report()}
        assert groups == {"lucky_sets": "", "little_three_dragons": "consistency"}


class TestTheFinalScore:
    @pytest.mark.parametrize(
        ("text", "rules", "final"),
        [
            (FIRST, CLUB, 70),
            (FIRST, RuleSet(slug="exact", rounding=1), 72),
            (FIRST, RuleSet(slug="low", limit=60), 60),
            ("123B 456B 789B 222B 55B", CLUB, 500),
            ("2222B 345C 678D 123D EE", CLUB, 40),
            ("222B 345C 678D 123D EE", CLUB, 30),
            ("234B 345C 678D 123D EE", RuleSet(slug="odd", rounding=1), 22),
            ("222B 345C 678D 123D EE", RuleSet(slug="26", rounding=1), 26),
        ],
    )
    def test_the_final_score_is_rounded_once_and_limited(self, text, rules, final):
        assert hand(text).final_score(rules) == final

    def test_the_final_score_is_that_of_the_best_interpretation_or_of_the_first(self):
        text = "22233344455B 666C"  # pungs first in the book's order
        best, first = hand(text).ranked(CLUB), hand(text).ranked(BOOK)
        assert len(best) == len(first) > 1
        assert best[0].verdict.final == max(scored.verdict.final for scored in best)
        assert hand(text).final_score(CLUB) == best[0].verdict.final
        assert hand(text).final_score(BOOK) == first[0].verdict.final
        assert [tile_set.kind for tile_set in first[0].reading.sets][:3] == ["pung"] * 3


class TestRefusals:
    def test_an_open_hand_is_not_concealed(self):
        with pytest.raises(HandError) as refused:
            hand("222B* 345B 55B 222D GGG", concealed=True)
        [problem] = refused.value.problems
        assert (problem.field, problem.code) == ("concealed", "open_set")
        assert problem.message == "A hand with an open set is not concealed: choose one."

    def test_a_hand_made_of_tiles_is_checked_too(self):
        winds = {"seat_wind": Wind.EAST, "prevailing_wind": Wind.EAST}
        for tiles in ("222B", "22222B 345B 555B 22D G"):
            with pytest.raises(HandError):
                Hand(parse_tiles(tiles), **winds)
        with pytest.raises(HandError):
            Hand(parse_tiles(FIRST), melds=(set_of(parse_tiles("EEE")),), **winds)

    @pytest.mark.parametrize(
        ("name", "value", "sentence"),
        [
            ("concealed", "0", "“concealed” is true or false."),
            ("concealed", "no", "“concealed” is true or false."),
            ("concealed", 2, "“concealed” is true or false."),
            ("concealed", 1, "“concealed” is true or false."),
            ("self_drawn", [], "“self_drawn” is true or false."),
            ("self_drawn", None, "“self_drawn” is true or false."),
            ("won_by", None, "“won_by” is a text."),
            ("bonus", ["F1"], "“bonus” is a text."),
            ("value", "5", "The value of a line is a whole number."),
            ("value", True, "The value of a line is a whole number."),
        ],
    )
    @pytest.mark.parametrize("text", [FIRST, "222B* 345B 55B 222D GGG"])
    def test_how_a_hand_was_won_is_said_in_its_own_kind(self, text, name, value, sentence):
        tiles = {"tiles": parse_tiles(FIRST), "seat_wind": "S", "prevailing_wind": "E"}
        makers = [
            lambda: hand(text, **{name: value}),
            lambda: hand(text, win=Win(**{name: value})),
            lambda: Hand(**tiles, **{name: value}),
        ]
        for make in makers:
            with pytest.raises(HandError) as refused:
                make()
            [problem] = refused.value.problems
            assert (problem.field, problem.code, problem.message) == (name, "not_how_won", sentence)

    @pytest.mark.parametrize(
        "tiles",
        [["2B"] * 14, FIRST, [1] * 14, [None] * 14, None, 7, tile("2B"), iter([tile("2B")] * 14),
         [tile("2B"), "3B"], [ThreeSet([tile("2B")] * 3)]],
    )  # fmt: skip
    def test_what_are_no_tiles_is_refused_in_words(self, tiles):
        with pytest.raises(HandError) as refused:
            Hand(tiles, seat_wind="S", prevailing_wind="E")
        [problem] = refused.value.problems
        assert (problem.field, problem.code) == ("tiles", "not_tiles")
        assert problem.message == (
            'Give tiles, such as tile("2B"). Hand.from_notation reads a text or codes.'
        )

    @pytest.mark.parametrize(
        "melds", [("222B",), ["222B"], "222B", None, 7, [None], ThreeSet([tile("2B")] * 3)]
    )
    def test_what_are_no_sets_is_refused_in_words(self, melds):
        with pytest.raises(HandError) as refused:
            Hand(parse_tiles(FIRST), seat_wind="S", prevailing_wind="E", melds=melds)
        [problem] = refused.value.problems
        assert (problem.field, problem.code) == ("melds", "not_sets")
        assert problem.message == (
            "Give declared sets, such as ThreeSet(tiles). Hand.from_notation reads texts."
        )

    @pytest.mark.parametrize("tiles", [("G", "R"), (tile("G"), "R"), ("G", tile("R")), (None, 7)])
    def test_what_is_exchanged_are_tiles(self, tiles):
        with pytest.raises(HandError, match=r"^Give tiles, such as tile\("):
            hand().exchange(*tiles)

    @pytest.mark.parametrize("text", [FIRST, "222B* 345B 55B 222D GGG"])
    @pytest.mark.parametrize("counts", [0, -1, 1 << 170, 5, counts_of(parse_tiles("5" * 14 + "B"))])
    def test_a_verdict_with_tiles_that_do_not_win_is_refused(self, text, counts):
        with pytest.raises(ValueError, match=r"^(These tiles do not win|.* are no counts)"):
            hand(text).verdict_with(counts)

    def test_winds_are_refused_by_their_field(self):
        for seat, prevailing, field in [("X", "E", "seat"), ("E", "X", "prevailing")]:
            with pytest.raises(HandError) as refused:
                hand(seat=seat, prevailing=prevailing)
            assert [problem.field for problem in refused.value.problems] == [field]


class TestSetsThatACallerGives:
    """They may be changed afterwards; the hand has its own."""

    OPEN = "222B* 345B 55B 222D GGG"

    def made_of(self, *melds):
        winds = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}
        return Hand(parse_tiles(FIRST), melds=melds, **winds)

    def parsed_with(self, *melds):
        return Hand.from_parsed(parse_hand(FIRST)._replace(melds=melds), "S", "E")

    @pytest.mark.parametrize("made", ["made_of", "parsed_with"])
    @pytest.mark.parametrize("spoil", [ThreeSet.pop, lambda mine: setattr(mine, "concealed", True)])
    def test_sets_that_a_caller_gives_change_no_hand_once_it_is_made(self, made, spoil):
        forget()
        mine = ThreeSet(parse_tiles("222B"), concealed=False)
        own = getattr(self, made)(mine)
        other = hand(self.OPEN)
        for one in (own, other):
            assert one.points() == 36
        spoil(mine)
        later = hand(self.OPEN)
        for one in (own, other, later):
            assert sum(line.points for line in one.point_report()) == one.points() == 36
            assert str(one) == "222B* 34555B 222D GGG"
            assert one.score_card().as_dict()["sets"][0]["concealed"] is False
        assert len({own, other, later}) == 1

    @pytest.mark.parametrize(
        "given",
        [
            ThreeSet(),
            ThreeSet([tile("2B")] * 2),
            FourSet([tile("2B")] * 3),
            PairSet([tile("5B")] * 2),
            set_of([tile("5B")] * 2),
        ],
    )
    def test_sets_that_a_caller_gives_are_whole_pungs_kongs_or_chows(self, given):
        with pytest.raises(HandError) as refused:
            self.made_of(given)
        [problem] = refused.value.problems
        assert (problem.field, problem.code) == ("melds", "no_meld")


class TestConcealed:
    @pytest.mark.parametrize(
        ("text", "asked", "concealed"),
        [
            (FIRST, None, True),
            (FIRST, False, False),
            ("222B# 345B 55B 222D GGG", None, True),
            ("222B* 345B 55B 222D GGG", None, False),
            ("222B* 345B 55B 222D GGG", False, False),
        ],
    )
    def test_being_concealed_is_worked_out_from_the_melds(self, text, asked, concealed):
        assert hand(text, concealed=asked).concealed is concealed


class TestReadings:
    def test_readings_name_the_sets_from_the_lowest_tile_wherever_they_lie(self):
        sets = hand("333B* 234B 55C 678D GGG").readings[0].sets
        assert [format_tiles(tile_set.tiles) for tile_set in sets] == [
            "234B",
            "333B",
            "55C",
            "678D",
            "GGG",
        ]

    def test_readings_do_not_depend_on_how_a_hand_was_won(self):
        one = hand(concealed=False)
        reading = readings(one.counts, (), winds_key(one.prevailing_wind, one.seat_wind))[0]
        assert reading.traits == one.readings[0].traits


class TestMadeOfTiles:
    WINDS = {"seat_wind": Wind.SOUTH, "prevailing_wind": Wind.EAST}

    def test_a_hand_made_of_tiles_is_the_same_hand(self):
        assert Hand(parse_tiles(FIRST), **self.WINDS) == hand()

    @pytest.mark.parametrize("how", [{"concealed": False}, {"self_drawn": True}])
    def test_a_hand_made_of_tiles_was_won_as_is_said(self, how):
        assert Hand(parse_tiles(FIRST), **self.WINDS, **how) == hand(**how)

    def test_a_hand_made_of_tiles_takes_any_text_that_says_how_it_was_won(self):
        how = {"won_by": Text("robbing_kong"), "concealed": True}
        assert Hand(parse_tiles(FIRST), **self.WINDS, **how) == hand(**how)

    def test_a_hand_made_of_tiles_has_its_melds(self):
        melds = hand("222B* 345B 55B 222D GGG").melds
        assert Hand(parse_tiles(FIRST), melds=melds, **self.WINDS).concealed is False


class TestText:
    def test_a_winning_hand_is_written_set_by_set(self):
        assert str(hand("GGG222D55345B222B")) == "222B 345B 55B 222D GGG"

    def test_a_hand_that_does_not_win_is_written_suit_by_suit(self):
        assert str(hand("9C 222B 345B 55B 222D GG")) == "22234555B 9C 222D GG"

    @pytest.mark.parametrize(
        ("one", "printed"),
        [
            (hand(), f"Hand.from_notation('{FIRST}', 'S', 'E')"),
            (
                hand("222B# 345B# 55B 222D GGG", self_drawn=True),
                "Hand.from_notation('222B# 345B# 55B 222D GGG', 'S', 'E', self_drawn=True)",
            ),
            (hand(concealed=False), f"Hand.from_notation('{FIRST}', 'S', 'E', concealed=False)"),
        ],
    )
    def test_repr_of_a_hand_says_only_what_is_not_as_usual(self, one, printed):
        assert repr(one) == printed

    @pytest.mark.parametrize(
        "one",
        [
            hand(),
            hand("222B* 345B# 55B 222D GGG", "E", "N"),
            hand(FIRST, concealed=False, self_drawn=True),
            hand("9C 222B 345B 55B 222D GG"),
            hand("19B 19C 19D ESWNRGWh E"),
            hand(win=Win(won_by="robbing_kong", winning_tile="3B", value=25)),
            hand(self_drawn=True, bonus="F1 Y2", flags="original_call", dora_indicators="4C"),
        ],
        ids=repr,
    )
    def test_repr_of_a_hand_makes_the_hand_again(self, one):
        again = eval(repr(one), {"Hand": Hand})
        assert again == one
        assert hash(again) == hash(one)
        assert again.score_card().as_dict() == one.score_card().as_dict()

    def test_hands_differ_by_tiles_winds_melds_and_how_they_were_won(self):
        hands = [
            hand(),
            hand(SECOND),
            hand(seat="E"),
            hand(prevailing="S"),
            hand("222B* 345B 55B 222D GGG"),
            hand(self_drawn=True),
            hand(concealed=False),
        ]
        assert len(set(hands)) == len(hands)
        assert hand() != FIRST

    @pytest.mark.parametrize(
        ("text", "one", "other"),
        [
            ("111122223333B GG", ["123B"], ["123B", "123B"]),
            ("123123456456B 55C", ["123B", "123B", "456B"], ["123B", "456B", "456B"]),
            (FIRST, ["222B"], ["222B#"]),
        ],
    )
    def test_hands_differ_by_how_often_a_set_is_declared(self, text, one, other):
        hands = {hand(text, melds=one), hand(text, melds=other)}
        assert len(hands) == 2
        assert hand(text, melds=one[::-1]) in hands

    def test_the_text_of_a_hand_says_how_it_was_won(self):
        assert hand(self_drawn=True).self_drawn
        assert not hand().self_drawn

    def test_tiles_are_sorted(self):
        assert hand("GGG222D55345B222B").tiles == parse_tiles("22234555B 222D GGG")


class TestAHandStaysAsItIs:
    @pytest.mark.parametrize(
        ("name", "value"),
        [("counts", 0), ("melds", ()), ("seat_wind", Wind.EAST), ("prevailing_wind", Wind.EAST),
         ("win", Win()), ("tiles", ()), ("concealed", False), ("self_drawn", True), ("other", 1)],
    )  # fmt: skip
    def test_nothing_of_a_hand_can_be_changed(self, name, value):
        one = hand("EEE 345B 55B 222D GGG", "W", "S")
        with pytest.raises(AttributeError, match=name):
            setattr(one, name, value)
        assert one == hand("EEE 345B 55B 222D GGG", "W", "S")

    def test_a_hand_that_is_copied_or_pickled_stays_the_same(self):
        one = hand("222B* 345B 55B 222D GGG", self_drawn=True)
        for again in (copy(one), pickle.loads(pickle.dumps(one))):
            assert (again, again.final_score()) == (one, one.final_score())


class TestReportsOfAHandThatDoesNotWin:
    def test_reports_of_a_hand_that_does_not_win_have_no_figures(self):
        none = hand("9C 222B 345B 55B 222D GG")
        for report in (none.point_report(), none.double_report()):
            assert (str(report), report.figures, len(report)) == ("This hand does not win.", [], 0)

    def test_reports_of_a_hand_without_doubles_say_so(self):
        without = hand("222B 345B 55B 222D 789D").double_report()
        assert (str(without), len(without)) == ("Doubles  0", 0)
