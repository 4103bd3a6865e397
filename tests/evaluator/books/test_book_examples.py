"""The text of an example, and the examples of every book that ships."""

import pytest

from scoring.evaluator.books.book import Example
from scoring.evaluator.books.examples import (
    has,
    lines_of,
    parse_player_hand,
)
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.vocabulary import Group
from scoring.evaluator.counts import counts_of
from scoring.evaluator.notation import parse_tiles
from scoring.evaluator.problems import HandError
from scoring.evaluator.tiles import Wind
from tests.support.wrong_examples import wrong_examples


def refused(text: str) -> list[tuple[str, str]]:
    with pytest.raises(HandError) as error:
        parse_player_hand(text)
    return [(problem.field, problem.message) for problem in error.value.problems]


def test_every_word_of_a_hand_is_read() -> None:
    hand = parse_player_hand(
        "222B* 345B 55B GGGG# 1111D*; last=5B; won_by=discard; seat=S; prevailing=north; "
        "bonus=F1, Y2; flags=original_call,only_place; claimed_kong=1111D; value=25"
    )
    assert hand.counts == counts_of(parse_tiles("345B 55B"))
    assert hand.melds == (
        Group("pung", (1, 1, 1), concealed=False),
        Group("kong", (32, 32, 32, 32)),
        Group("kong", (18, 18, 18, 18), concealed=False, claimed=True),
    )
    assert (hand.last, hand.won_by, hand.seat, hand.prevailing) == (
        4,
        "discard",
        Wind.SOUTH,
        Wind.NORTH,
    )
    assert hand.bonus == ("F1", "Y2")
    assert hand.flags == {"original_call", "only_place"}
    assert hand.claimed == 25


def test_indicators_are_tiles_beside_the_hand() -> None:
    assert parse_player_hand("222B; dora_indicators=4B,E").dora_indicators == (3, 27)


def test_a_hand_without_a_way_of_winning_did_not_win() -> None:
    assert not parse_player_hand("123B 456B 55B 222D GG").won


@pytest.mark.parametrize(
    ("text", "kind"),
    [("55B*", "pair"), ("345D*", "chow"), ("3B3C3D*", "knitted"), ("3B3D *", "knitted_pair")],
)
def test_a_marked_set_is_of_any_kind(text: str, kind: str) -> None:
    assert [meld.kind for meld in parse_player_hand(text).melds] == [kind]


@pytest.mark.parametrize(
    ("text", "field", "message"),
    [
        ("222B; luck=1", "hand", "“luck” is not known: choose from last, won_by, seat, "),
        ("222B;", "hand", "“” is not known"),
        ("222Q", "tiles", "There is no tile “222Q”"),
        ("222B 333B; last=4B", "winning_tile", "The winning tile is not among the tiles."),
        ("222B 333B; last=22B", "winning_tile", "The winning tile is one tile."),
        ("222B; won_by=luck", "won_by", "“luck” is not known: choose from "),
        ("222B; flags=luck", "flags", "“luck” is not known: choose from "),
        ("222B; bonus=F5", "bonus", "“F5” is not known: choose from "),
        ("222B; bonus=F1,F1", "bonus", "There is one of each flower and season."),
        ("222B; seat=up", "seat", "A wind is E, S, W or N"),
        ("222B 222B*", "tiles", "Five 2 of Bamboo: a wall has four."),
        ("224B*", "melds", "A declared set is a pung"),
        ("ESW*", "melds", "A declared set is a pung"),
        ("222B#", "melds", "Only a kong is laid down concealed"),
        ("222B*#", "melds", "Only a kong is laid down concealed"),
        ("2222B*; claimed_kong=3333B", "melds", "Mark a claimed kong among the tiles, too"),
        ("2222B*; value=-1", "claimed", "The value of a line is a whole number."),
        ("2" * 401, "hand", "A hand is at most 400 characters."),
    ],
)
def test_what_nobody_knows_is_refused_by_name(text: str, field: str, message: str) -> None:
    [(its_field, its_message), *_more] = refused(text)
    assert its_field == field
    assert its_message.startswith(message)


@pytest.mark.parametrize(
    "word", ["won_by=earth_draw", "won_by=discard; flags=thirteen_wins", "flags=last_of_kind"]
)
def test_a_book_refuses_what_it_does_not_know(word: str) -> None:
    with pytest.raises(HandError, match="DMJL does not know “"):
        lines_of(load("dmjl"), f"222B 345B 55B 222D GGG; last=5B; {word}")


def test_a_pattern_is_had_also_where_another_replaces_it() -> None:
    book = load("dmjl")
    dragons, honors = book.by_id["dragons"], book.by_id["all_honors"]
    hand = Example("222B 345B 55B 222D GGG; last=5B; won_by=discard")
    assert has(book, dragons, hand)
    assert not has(book, honors, hand)
    assert has(book, dragons, Example("222B 345B 5B 222D GGG"))
    assert not has(book, dragons, Example("222B 345B 56B 222D GGG; last=5B; won_by=discard"))


# Of books with a library: tests/variants/test_scorers.py.
@pytest.mark.parametrize("slug", [slug for slug in shipped() if not load(slug).engine])
def test_the_examples_of_a_shipped_book_show_what_they_should(slug: str) -> None:
    book = load(slug)
    assert [(pattern.id, example.hand) for pattern, example in wrong_examples(book)] == []
