"""The 34 kinds of tile and the wall."""

import copy
import pickle
import re
from collections import Counter
from random import Random

import pytest

from scoring.evaluator.problems import HandError
from scoring.evaluator.tiles import (
    TILES,
    Dragon,
    HonorsTile,
    SimpleSuitTile,
    Suit,
    SuitTile,
    TerminalSuitTile,
    Tile,
    Wall,
    Wind,
    tile,
)


def test_tiles_are_34_kinds_in_order():
    codes = [f"{rank}{suit}" for suit in "BCD" for rank in range(1, 10)]
    assert [known.code for known in TILES] == [*codes, "E", "S", "W", "N", "R", "G", "Wh"]
    assert [known.index for known in TILES] == list(range(34))
    assert all(TILES[i] < TILES[i + 1] for i in range(33))


@pytest.mark.parametrize(
    ("args", "kind", "name", "char"),
    [
        ((2, "B"), SimpleSuitTile, "2 of Bamboo", "🀑"),
        (("9d",), TerminalSuitTile, "9 of Dots", "🀡"),
        (("1C",), TerminalSuitTile, "1 of Characters", "🀇"),
        (("Green",), HonorsTile, "Green dragon", "🀅"),
        (("w",), HonorsTile, "West wind", "🀂"),
        (("WH",), HonorsTile, "White dragon", "🀆"),
        (("white",), HonorsTile, "White dragon", "🀆"),
    ],
)
def test_tile_finds_the_one_object_of_a_kind(args, kind, name, char):
    known = tile(*args)
    assert (type(known), known.name, known.char) == (kind, name, char)
    assert known is tile(known.code) is TILES[known.index]
    assert str(known) == known.code


@pytest.mark.parametrize("kind", [SimpleSuitTile, TerminalSuitTile, HonorsTile, SuitTile, Tile])
def test_a_class_gives_its_own_tiles_and_refuses_others(kind):
    for known in TILES:
        if isinstance(known, kind):
            assert kind(known.name) is known
        else:
            with pytest.raises(ValueError, match=rf"^tile\('{known}'\) is no {kind.__name__}\.$"):
                kind(known.code)
    with pytest.raises(HandError, match="There is no tile “X”"):
        kind("X")


@pytest.mark.parametrize("args", [(), ("0B",), (10, "B"), ("2E",), ("X",), ("",), (2, "Bamboos")])
def test_tile_refuses_what_is_none(args):
    with pytest.raises(HandError) as refused:
        tile(*args)
    [problem] = refused.value.problems
    assert (problem.field, problem.code) == ("tiles", "unknown_tile")
    named = "".join(map(str, args))
    assert problem.message == f"There is no tile “{named}”."


@pytest.mark.parametrize("known", TILES)
def test_copies_are_the_same_object(known):
    assert copy.deepcopy(known) is known
    assert pickle.loads(pickle.dumps(known)) is known
    assert eval(repr(known), {"tile": tile}) is known


def test_simples_are_2_to_8():
    simples = [known.code for known in TILES if known.simple()]
    assert simples == [f"{rank}{suit}" for suit in "BCD" for rank in range(2, 9)]


def test_lucky_are_dragons_and_the_winds_that_count():
    lucky = {known.code for known in TILES if known.lucky(Wind.EAST, Wind.NORTH)}
    assert lucky == {"E", "N", "R", "G", "Wh"}
    assert lucky == {known.code for known in TILES if known.lucky("east", "N")}


def test_a_tile_is_not_lucky_for_a_wind_that_does_not_exist():
    with pytest.raises(HandError) as refused:
        tile("E").lucky("East", "Green")
    [problem] = refused.value.problems
    assert (problem.field, problem.code) == ("wind", "unknown_wind")


@pytest.mark.parametrize("known", TILES, ids=str)
@pytest.mark.parametrize("winds", [("Easter", "South"), ("East", "Nowhere"), (None, "S")])
def test_a_wind_that_is_none_is_refused_by_every_tile(known, winds):
    with pytest.raises(HandError, match="A wind is E, S, W or N"):
        known.lucky(*winds)


@pytest.mark.parametrize("known", [tile("2B"), tile("1B"), tile("G")], ids=str)
@pytest.mark.parametrize("name", ["code", "name", "index", "char", "rank", "suit", "honor", "mine"])
def test_a_tile_cannot_be_changed(known, name):
    before = known.code
    sentence = rf"^{re.escape(repr(known))} is the one of its kind: it stays as it is\.$"
    with pytest.raises(AttributeError, match=sentence):
        setattr(known, name, "9B")
    with pytest.raises(AttributeError, match=sentence):
        delattr(known, name)
    assert (known.code, tile(before)) == (before, known)


def test_tiles_are_in_order():
    two, three = tile("2B"), tile("3B")
    assert (two < three, two <= three, two <= tile("2B"), three > two, three >= two) == (True,) * 5
    assert (three < two, three <= two, two >= three) == (False,) * 3


def test_suits_winds_and_dragons_have_labels():
    assert [named.label for named in (Suit.DOTS, Wind.SOUTH, Dragon.RED)] == [
        "Dots",
        "South",
        "Red",
    ]


class TestTheWall:
    def test_the_wall_has_four_of_each(self):
        assert Counter(Counter(Wall().tiles).values()) == {4: 34}

    def test_the_wall_deals_in_an_order_that_the_shuffle_decides(self):
        walls = [Wall(), Wall(), Wall()]
        for wall, seed in zip(walls, (1, 1, 2), strict=True):
            wall.shuffle(Random(seed))
        first, again, other = (wall.deal() for wall in walls)
        assert first == again != other
        assert len(first) == 13

    def test_the_wall_gives_every_tile_once_and_then_no_more(self):
        wall = Wall()
        drawn = [wall.draw() for _tile in range(136)]
        assert Counter(drawn) == Counter(Wall().tiles)
        assert len(wall) == 0
        with pytest.raises(IndexError):
            wall.draw()
