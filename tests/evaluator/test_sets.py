"""Sets grow tile by tile, and know what they are worth."""

from itertools import combinations

import pytest

from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.sets import FourSet, PairSet, SequenceSet, Set, ThreeSet, set_of, sets_from
from scoring.evaluator.tiles import TILES, Suit, Wind, tile

KINDS = {"pair": PairSet, "pung": ThreeSet, "kong": FourSet, "chow": SequenceSet}


def set_of_text(text: str) -> Set:
    return set_of(parse_tiles(text))


class TestGrowing:
    @pytest.mark.parametrize(("kind", "size"), [(PairSet, 2), (ThreeSet, 3), (FourSet, 4)])
    def test_growing_of_a_set_of_one_kind_takes_its_tile_only(self, kind, size):
        growing = kind()
        for _copy in range(size):
            assert not growing.full()
            assert growing.can_contain(tile("5B"))
            growing.add(tile("5B"))
            assert not growing.can_contain(tile("6B"))
        assert growing.full()
        assert not growing.can_contain(tile("5B"))

    def test_growing_of_a_sequence_takes_the_next_tile_only(self):
        growing = SequenceSet([tile("3D")])
        assert [kind.code for kind in TILES if growing.can_contain(kind)] == ["4D"]
        growing.add(tile("4D"))
        assert [kind.code for kind in TILES if growing.can_contain(kind)] == ["5D"]
        growing.add(tile("5D"))
        assert growing.full()
        assert not any(map(growing.can_contain, TILES))

    def test_a_sequence_stays_in_its_suit_and_takes_no_honors(self):
        assert not SequenceSet([tile("9B")]).can_contain(tile("1C"))
        assert not SequenceSet([tile("E")]).can_contain(tile("S"))
        assert not SequenceSet([tile("9D")]).can_contain(tile("E"))

    @pytest.mark.parametrize("kind", KINDS.values())
    def test_an_empty_set_takes_any_tile(self, kind):
        assert all(map(kind().can_contain, TILES))

    def test_what_cannot_be_contained_is_refused(self):
        with pytest.raises(ValueError, match="cannot contain"):
            PairSet([tile("R"), tile("R"), tile("R")])

    @pytest.mark.parametrize("given", ["2B", None, 2, ("2B",)])
    @pytest.mark.parametrize("begun", [[], [tile("2B")]])
    def test_what_is_no_tile_is_refused_in_words(self, given, begun):
        growing = ThreeSet(begun)
        with pytest.raises(HandError, match=r"^Give tiles, such as tile\("):
            growing.add(given)
        assert growing.tiles == tuple(begun)


class TestPopping:
    @pytest.mark.parametrize("text", ["EE", "111B", "GGGG", "789C"])
    def test_popping_a_tile_undoes_adding(self, text):
        tiles = parse_tiles(text)
        mine = type(set_of_text(text))(tiles)
        assert [mine.pop() for _tile in tiles] == list(reversed(tiles))
        assert (mine.tiles, mine.counts) == ((), 0)
        mine.add(tile("3D"))
        assert mine == type(mine)([tile("3D")])

    def test_popping_has_an_end(self):
        with pytest.raises(IndexError, match=r"^PairSet\(\[\]\) is empty\.$"):
            PairSet().pop()

    def test_popping_leaves_the_sets_of_hands_alone(self):
        with pytest.raises(ValueError, match="is not yours to change"):
            set_of_text("111B").pop()
        assert set_of_text("111B") == ThreeSet(parse_tiles("111B"))


class TestSetsOfHands:
    @pytest.mark.parametrize(
        ("name", "value"),
        [("tiles", ()), ("concealed", False), ("counts", 0), ("shared", False), ("mine", True)],
    )
    def test_sets_of_hands_cannot_be_changed(self, name, value):
        with pytest.raises(ValueError, match=r"^ThreeSet\(.*\) is not yours to change: make"):
            setattr(set_of_text("222B"), name, value)
        assert not hasattr(set_of_text("222B"), "mine")
        assert (str(set_of_text("222B")), set_of_text("222B").concealed) == ("2B 2B 2B", True)

    def test_sets_of_hands_cannot_lose_anything(self):
        with pytest.raises(ValueError, match="is not yours to change"):
            del set_of_text("222B").tiles
        assert str(set_of_text("222B")) == "2B 2B 2B"

    def test_a_set_of_the_same_tiles_as_one_of_a_hand_is_ones_own(self):
        mine = ThreeSet(set_of_text("222B").tiles)
        mine.concealed, mine.note = False, "tried"
        del mine.note
        assert not hasattr(mine, "note")
        assert mine != set_of_text("222B")
        assert mine == set_of(mine.tiles, concealed=False)

    @pytest.mark.parametrize("tile_set", [set_of_text("222B"), ThreeSet(parse_tiles("222B"))])
    def test_sets_of_hands_take_tiles_by_add_only(self, tile_set):
        with pytest.raises(AttributeError, match="append"):
            tile_set.tiles.append(tile("2B"))
        assert tile_set.tiles == parse_tiles("222B")

    def test_sets_of_hands_are_concealed_or_not_whatever_else_is_given_as_such(self):
        tiles = parse_tiles("678D")
        assert set_of(tiles, concealed=0).concealed is False
        assert set_of(tiles, concealed=False).concealed is False


@pytest.mark.parametrize("kind", KINDS.values())
def test_an_empty_set_answers(kind):
    empty, winds = kind(), ("East", Wind.EAST)
    assert (empty.points(*winds), empty.lucky(*winds)) == (0, False)
    assert (empty.suit(), empty.sequence_suit(), empty.sequence_rank()) == (None, None, None)
    asked = [empty.full, empty.wind, empty.dragon, empty.big_dragon, empty.little_dragon]
    assert not any(ask() for ask in asked)
    assert str(empty) == ""


@pytest.mark.parametrize("kind", KINDS.values())
@pytest.mark.parametrize("tiles", [[], [tile("2B")], [tile("R")], [tile("E")]])
@pytest.mark.parametrize("winds", [("Nowhere", "South"), ("East", "Nowhere"), ("East", None)])
def test_a_wind_that_is_none_is_refused_by_every_set(kind, tiles, winds):
    asked = kind(tiles)
    for ask in (asked.points, asked.lucky):
        with pytest.raises(HandError, match="A wind is E, S, W or N"):
            ask(*winds)


def test_there_is_one_object_for_each_set_of_hands():
    first = set_of_text("1111B")
    assert not any(map(set_of, combinations(TILES, 2)))
    assert set_of_text("1111B") is first
    assert set_of(first.tiles, concealed=False) is set_of(first.tiles, concealed=False)


def test_only_kinds_of_sets_can_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Set()


class TestFallingBack:
    def test_falling_back_pushes_the_tiles_back_and_starts_the_next_kind_with_the_first(self):
        stack = [tile("9C")]
        expected = [ThreeSet, SequenceSet, PairSet]
        falling = FourSet(parse_tiles("222B"))
        for kind in expected:
            falling = falling.fallback(stack)
            assert (type(falling), falling.tiles) == (kind, (tile("2B"),))
            assert stack == list(parse_tiles("2B 2B 9C"))

    def test_falling_back_of_a_sequence_keeps_the_order(self):
        stack = []
        falling = SequenceSet(parse_tiles("345B")).fallback(stack)
        assert (falling, stack) == (PairSet([tile("3B")]), list(parse_tiles("45B")))

    @pytest.mark.parametrize(
        ("kind", "following"),
        [(FourSet, ThreeSet), (ThreeSet, SequenceSet), (SequenceSet, PairSet)],
    )
    def test_falling_back_of_an_empty_set_answers(self, kind, following):
        stack = []
        assert (kind().fallback(stack), stack) == (following(), [])
        stack = [tile("9C")]
        assert (kind().fallback(stack), stack) == (following([tile("9C")]), [])

    def test_falling_back_has_no_kind_after_a_pair(self):
        stack = []
        assert PairSet(parse_tiles("EE")).fallback(stack) is None
        assert stack == list(parse_tiles("EE"))


class TestSetOf:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [("EE", "pair"), ("111B", "pung"), ("GGGG", "kong"), ("789C", "chow"), ("978C", "chow")],
    )
    def test_set_of_knows_the_kind(self, text, kind):
        assert type(set_of_text(text)) is KINDS[kind]
        assert (set_of_text(text).kind, set_of_text(text).full()) == (kind, True)

    @pytest.mark.parametrize("text", ["", "E", "1B 2B", "1B 2B 4B", "ESW", "1B 1C", "5555B 5B"])
    def test_set_of_says_none_for_what_is_no_set(self, text):
        assert set_of_text(text) is None

    def test_set_of_knows_open_sets_from_concealed(self):
        tiles = parse_tiles("222B")
        assert set_of(tiles, concealed=False) != set_of(tiles)
        assert not set_of(tiles, concealed=False).concealed

    @pytest.mark.parametrize("text", ["EE", "111B", "GGGG", "789C"])
    def test_repr_of_a_set_can_be_read_back(self, text):
        names = {kind.__name__: kind for kind in KINDS.values()} | {"tile": tile}
        open_set = set_of(parse_tiles(text), concealed=False)
        assert eval(repr(set_of_text(text)), names) == set_of_text(text)
        assert eval(repr(open_set), names) == open_set
        assert len({set_of_text(text), eval(repr(set_of_text(text)), names), open_set}) == 2

    def test_a_set_is_no_tuple(self):
        assert set_of_text("EE") != "EE"

    def test_sets_from_a_tile_come_in_the_books_order(self):
        assert [str(tile_set) for tile_set in sets_from(tile("7B"))] == [
            "7B 7B 7B 7B",
            "7B 7B 7B",
            "7B 8B 9B",
            "7B 7B",
        ]
        assert [tile_set.kind for tile_set in sets_from(tile("8B"))] == ["kong", "pung", "pair"]
        assert [tile_set.kind for tile_set in sets_from(tile("E"))] == ["kong", "pung", "pair"]


POINTS = [
    ("345B", 0), ("123C", 0),
    ("222B", 4), ("888D", 4), ("111B", 8), ("999C", 8), ("NNN", 8), ("WhWhWh", 8),
    ("5555C", 16), ("1111D", 32), ("EEEE", 32), ("RRRR", 32),
    ("22B", 0), ("99B", 0), ("RR", 2), ("GG", 2), ("WhWh", 2), ("EE", 2), ("SS", 2), ("WW", 0),
]  # fmt: skip


class TestPoints:
    @pytest.mark.parametrize(("text", "points"), POINTS)
    def test_points_of_sets_for_south_in_the_east_round(self, text, points):
        assert set_of_text(text).points(Wind.EAST, Wind.SOUTH) == points

    @pytest.mark.parametrize(("text", "points"), [("WW", 4), ("RR", 2), ("EE", 0)])
    @pytest.mark.parametrize("west", [Wind.WEST, "West", "w"])
    def test_points_of_pairs_where_the_own_wind_prevails(self, text, points, west):
        assert set_of_text(text).points(Wind.WEST, west) == points


@pytest.mark.parametrize(
    ("text", "lucky"),
    [("EEE", True), ("SSSS", True), ("GGG", True), ("WWW", False), ("EE", False), ("222B", False)],
)
def test_lucky_sets_are_pungs_and_kongs(text, lucky):
    assert set_of_text(text).lucky(Wind.EAST, Wind.SOUTH) is lucky


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("222B", {"triplet", "all_simple"}),
        ("9999D", {"triplet", "no_simple", "one_term_honor"}),
        ("345C", {"all_simple"}),
        ("789C", {"one_term_honor"}),
        ("11B", {"pair", "no_simple", "one_term_honor"}),
        ("RRR", {"triplet", "no_simple", "one_term_honor", "dragon", "big_dragon"}),
        ("RR", {"pair", "no_simple", "one_term_honor", "dragon", "little_dragon"}),
        ("NNNN", {"triplet", "no_simple", "one_term_honor", "wind"}),
    ],
)
def test_a_set_tells_its_kind(text, true):
    questions = ["pair", "triplet", "all_simple", "no_simple", "one_term_honor"]
    questions += ["wind", "dragon", "big_dragon", "little_dragon"]
    assert {question for question in questions if getattr(set_of_text(text), question)()} == true


def test_only_sequences_have_a_sequence_suit_and_rank():
    assert (set_of_text("456D").sequence_suit(), set_of_text("456D").sequence_rank()) == (
        Suit.DOTS,
        4,
    )
    assert (set_of_text("444D").sequence_suit(), set_of_text("444D").sequence_rank()) == (
        None,
        None,
    )
    begun_with_a_wind = SequenceSet([tile("E")])
    assert (begun_with_a_wind.sequence_suit(), begun_with_a_wind.sequence_rank()) == (None, None)


def test_suit_is_none_for_honors():
    assert [set_of_text(text).suit() for text in ("22B", "345C", "EEE")] == ["B", "C", None]
