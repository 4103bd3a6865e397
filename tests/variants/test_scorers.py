"""Who judges by a book; what is refused, by name; and what a missing library says."""

import sys
from dataclasses import replace

import pytest

from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import from_data, load, shipped
from scoring.evaluator.books.vocabulary import Group
from scoring.evaluator.problems import HandError
from scoring.evaluator.tiles import BY_CODE
from scoring.variants import ENGINES, MissingLibrary, scorer_for
from scoring.variants.lines import pattern_of
from tests.support.wrong_examples import wrong_examples
from tests.variants.scorers import scorer

HAND = "123B 456B 789B 234D 55C; last=2D; "


@pytest.mark.parametrize("slug", [slug for slug in shipped() if not load(slug).engine])
def test_a_book_without_a_library_is_judged_by_its_own_expressions(slug: str) -> None:
    assert scorer_for(load(slug)).book is load(slug)  # type: ignore[attr-defined]


@pytest.mark.parametrize("slug", ["mcr", "riichi"])
def test_the_examples_of_each_pattern_show_what_they_should(slug: str) -> None:
    book, judge = load(slug), scorer(slug)
    wrong = wrong_examples(book, judge.judged)
    assert [(pattern.id, example.hand) for pattern, example in wrong] == []
    assert [pattern.id for pattern in book.patterns if not (pattern.has and pattern.nearly)] == []


@pytest.mark.parametrize("slug", ["mcr", "riichi"])
def test_scorers_without_their_library_say_how_to_get_it(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mahjong", "mahjong.hand_calculating.hand", "MahjongGB"):
        monkeypatch.setitem(sys.modules, name, None)
    for module in ENGINES.values():
        monkeypatch.delitem(sys.modules, f"scoring.variants.{module}", raising=False)
    book = from_data({"base": slug, "slug": "ours"})
    with pytest.raises(MissingLibrary) as missing:
        scorer_for(book)
    assert str(missing.value) == missing.value.message
    assert missing.value.message == (
        f"Hands of {book.name} are scored by {book.engine}, which is not installed here: "
        "pip install -r requirements-variants.txt."
    )


REFUSED = [
    ("mcr", "won_by=heaven", "won_by", "MCR does not know “heaven”."),
    ("mcr", "won_by=kong_on_kong", "won_by", "MCR does not know “kong_on_kong”."),
    ("mcr", "won_by=discard; flags=riichi", "flags", "MCR does not know “riichi”."),
    ("mcr", "won_by=replacement", "won_by", "Who wins on the replacement of a kong has"),
    ("riichi", "won_by=earth_discard", "won_by", "Riichi does not know “earth_discard”."),
    ("riichi", "won_by=discard; bonus=F1", "bonus", "Riichi does not know “F1”."),
    ("riichi", "won_by=discard; flags=last_of_kind", "flags", "Riichi does not know “last_of"),
    ("riichi", "won_by=discard; flags=riichi,double_riichi", "flags", "It is riichi or double"),
    ("riichi", "won_by=discard; flags=ippatsu", "flags", "Ippatsu needs riichi."),
    ("riichi", "won_by=heaven; seat=S", "won_by", "The dealer wins by heaven, everybody else"),
    ("riichi", "won_by=earth_draw", "won_by", "The dealer wins by heaven, everybody else"),
    ("riichi", "won_by=heaven; flags=riichi", "won_by", "Who wins by the first tiles has decl"),
    ("mcr", "seat=S", "won_by", "Say how the hand was won, and with which tile."),
]


def problems_of(slug: str, text: str) -> list[tuple[str, str]]:
    judge = scorer(slug)
    with pytest.raises(HandError) as error:
        judge.judged(parse_player_hand(text))
    return [(problem.field, str(problem.message)) for problem in error.value.problems]


@pytest.mark.parametrize(("slug", "words", "field", "message"), REFUSED)
def test_what_a_book_does_not_know_or_cannot_be_is_refused(
    slug: str, words: str, field: str, message: str
) -> None:
    [(its_field, its_message)] = problems_of(slug, HAND + words)
    assert its_field == field
    assert its_message.startswith(message)


@pytest.mark.parametrize(
    ("slug", "hand", "message"),
    [
        ("riichi", "123B* 456B 789B 234D 55C; last=2D; won_by=discard; flags=riichi", "Only who"),
        ("riichi", "2222B# 456B 789B 234D 55C; last=2D; won_by=heaven", "Who wins by the first"),
        (
            "riichi",
            "2222B# 456B 789B 234D 55C; last=2D; won_by=replacement; flags=riichi,ippatsu",
            "A kong ends ippatsu.",
        ),
        ("mcr", "123B 456B 789B 234D 55C; last=5C; won_by=robbing_kong", "The other three"),
        (
            "mcr",
            "123B 456B 789B 234D 55C; last=5C; won_by=discard; flags=last_of_kind",
            "The winning tile is not the last of its kind",
        ),
        ("mcr", "123B 456B 789B 234D 5C; last=5C; won_by=discard", "13 tiles: a winning hand"),
        ("mcr", "222B* 22B 456B 789B 23D; last=2D; won_by=discard", "Five 2 of Bamboo"),
        ("mcr", "11B* 456B 789B 234D 555C; last=2D; won_by=discard", "A declared set is a pung"),
        (
            "mcr",
            "11B 123D* 123D* 123D* 234C* 555C*; last=1B; won_by=discard",
            "17 tiles: a winning hand",
        ),
    ],
)
def test_tiles_that_cannot_be_are_refused(slug: str, hand: str, message: str) -> None:
    judge = scorer(slug)
    with pytest.raises(HandError, match=f"^{message}"):
        judge.judged(parse_player_hand(hand))


def test_indicators_are_tiles_that_a_wall_can_have() -> None:
    judge, hand = scorer("riichi"), parse_player_hand(HAND + "won_by=self_drawn")
    for indicators, message in (
        ((34,), "There is no such tile."),
        ((-1,), "There is no such tile."),
        ((13, 13, 13), "Five 5 of Characters: a wall has four."),
        (tuple(range(11)), "There are at most 10 indicators."),
    ):
        with pytest.raises(HandError, match=message):
            judge.judged(replace(hand, dora_indicators=indicators))
    with pytest.raises(HandError, match="MCR does not know “dora_indicators”"):
        scorer("mcr").judged(replace(hand, dora_indicators=(3,)))


def test_each_tile_after_an_indicator_counts() -> None:
    judge, hand = scorer("riichi"), parse_player_hand(HAND + "won_by=self_drawn; seat=S")
    plain = judge.judged(hand)[0].verdict
    indicators = tuple(BY_CODE[code].index for code in ("4C", "1B", "9D"))
    dora = judge.judged(replace(hand, dora_indicators=indicators))[0].verdict
    assert dora.faan - plain.faan == 3  # two 5 of characters, one 2 of bamboo, no 1 of dots
    assert [line.times for line in dora.lines if line.pattern.id == "dora"] == [3]


def test_the_set_of_the_winning_tile_and_concealed_sets_are_of_the_hand() -> None:
    hand = parse_player_hand("234D 55C 111C 456B 789B; last=2D; won_by=discard")
    down = replace(
        hand,
        counts=hand.counts - parse_player_hand("234D 111C").counts,
        melds=(
            Group("chow", (18 + 1, 18 + 2, 18 + 3), concealed=False, last=True),
            Group("pung", (9, 9, 9)),
        ),
    )
    for slug in ("mcr", "riichi"):
        judge = scorer(slug)
        assert judge.judged(down) == judge.judged(hand)


def test_the_options_of_riichi_reach_the_library() -> None:
    hand = parse_player_hand("234B* 456B 678B 234D 55C; last=2D; won_by=discard; seat=S")
    open_tanyao = scorer("riichi")
    without = scorer_for(
        from_data({"base": "riichi", "slug": "ours", "options": {"open_tanyao": False}})
    )
    assert [line.pattern.id for line in open_tanyao.judged(hand)[0].verdict.lines] == ["tanyao"]
    [judged] = without.judged(hand)
    assert not judged.verdict.meets_minimum
    assert judged.verdict.lines == ()


def test_what_a_library_finds_beside_the_book_keeps_its_name() -> None:
    assert pattern_of(load("riichi"), "new", "New yaku").name == "New yaku"
    assert pattern_of(load("riichi"), "pinfu", "Pinfu") is load("riichi").by_id["pinfu"]
