"""House rules as ``docs/house-rules.md`` writes them: each is a rule book, and scores as it says."""

import re
import tomllib
from pathlib import Path

import pytest

from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import load, read
from scoring.evaluator.books.settlement import HandResult, settle
from tests.support.wrong_examples import wrong_examples

PAGE = Path(__file__).parents[3] / "docs" / "house-rules.md"
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
BOOKS = {tomllib.loads(block)["slug"]: block for block in BLOCKS}


@pytest.fixture
def house():
    return lambda slug: read(BOOKS[slug])


def final(book, text):
    judged = compiled(book).judged(parse_player_hand(text))
    return judged[0].verdict.final if judged else None


def test_the_page_of_house_rules_has_twelve_books_at_least():
    assert len(BOOKS) == len(BLOCKS) >= 12


@pytest.mark.parametrize("slug", BOOKS)
def test_each_shows_its_hands(slug, house):
    book = house(slug)
    own = {pattern["id"] for pattern in tomllib.loads(BOOKS[slug]).get("pattern", ())}
    # What the base shows may well lose under the rules of a house.
    assert [example for pattern, example in wrong_examples(book) if pattern.id in own] == []
    assert book.slug == slug


def test_seven_pairs_of_two_suits_win_and_score_1000(house):
    hand = "1133557799B 2244D; last=4D; won_by=self_drawn"
    assert final(load("dmjl"), hand) is None
    assert final(house("seven_pairs"), hand) == 1000


def test_a_hand_without_a_double_may_not_be_declared(house):
    hand = parse_player_hand("222B* 345B 345D 55C 678D; last=6D; won_by=discard; seat=S")
    [judged, *_others] = compiled(house("one_double")).judged(hand)
    assert (judged.verdict.points, judged.verdict.doubles) == (22, 0)
    assert not judged.verdict.meets_minimum
    assert compiled(load("dmjl")).judged(hand)[0].verdict.meets_minimum


def test_an_ordinary_hand_passes_the_limit_without_a_roof(house):
    hand = "EEEE# 1111B* RRR 999B 22B; last=2B; won_by=discard; seat=E; prevailing=E"
    assert final(load("dmjl"), hand) == 500
    assert final(house("no_roof"), hand) > 500


def test_half_a_limit_is_250(house):
    hand = "222B 444B 777D EEE RR; last=E; won_by=self_drawn"
    assert (final(load("dmjl"), hand), final(house("drawn_pungs"), hand)) == (500, 250)


def test_the_discarder_pays_double_and_nobody_else_settles(house):
    scores = HandResult([10, 40, 100, 0], winner=1, dealer=0, discarder=3)
    assert settle(house("discarder_double").settlement, scores) == [-80, 200, -40, -80]
