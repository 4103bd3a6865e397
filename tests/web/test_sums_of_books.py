"""What is written of a score is its sum: each line, each step, and what stands on the pad."""

import re
from dataclasses import replace
from math import prod
from random import Random

import pytest
from django.template.loader import render_to_string

from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.compiled import compiled
from scoring.evaluator.books.examples import parse_player_hand
from scoring.evaluator.books.loader import from_data, frozen, load, shipped, whole
from scoring.evaluator.hand import Hand
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import CLUB
from scoring.variants import scorer_for
from scoring.variants.book_rules import BookTableRules
from scoring.web.shared.preview import Preview
from scoring.web.shared.score_steps import notes_by, steps_by
from tests.support.effort import tries
from tests.variants.random_wins import player_hand, random_win

PURITY = "111B* 333B 666B 222B 88B; last=8B; won_by=self_drawn; seat=S; prevailing=W; bonus=F1"
WAYS = frozenset(("self_drawn", "discard", "last_tile", "last_discard"))
DEAR = {
    "base": "dmjl",
    "slug": "dear",
    "name": "Dear",
    "pattern": [{"id": "dear", "name": "Dear", "points": 499}],
}


def card_of(book, hand):
    scorer = scorer_for(book) if book.engine else compiled(book)
    ranked = scorer.judged(hand) if hand.won else [compiled(book).loser(hand)]
    return BookCard(book, hand, ranked).as_dict()


def worked_out(words):
    """The product that ``words`` write, such as “36 × 2”; None for a sentence."""
    written = re.search(r"\d[\d,]*( × 2)*", words)
    return written and prod(int(part.replace(",", "")) for part in written[0].split(" × "))


def check_steps(card, rules):
    """Each step leads from the one before it to its figure, the last one to the score."""
    before = card["points"]
    for step in steps_by(rules, card):
        number = worked_out(step.words)
        if step.words.startswith("Bonus tiles"):
            assert step.figure == before + number, step
        elif step.words.startswith("No hand scores more"):
            assert step.figure == number < before, step
        elif re.fullmatch(r"\d[\d,]*( × 2)+", step.words):
            assert step.figure == number, step
        elif step.words.startswith("Rounded"):
            assert abs(step.figure - before) * 2 <= number, step
        elif step.words in ("No double", "The points are added up"):
            assert step.figure == before, step
        before = step.figure
    assert before == card["final"]


def check_lines(card, kind="points"):
    """The lines add up to the figures, and these to the total, as the API says."""
    for report, unit in (("point", "points"), ("double", "doubles"), ("faan", "faan")):
        lines = card[f"{report}_report"]
        assert not lines or card[unit] == sum(line[unit] for line in lines)
    if kind == "points" and not card["limit_report"]:
        apart = card.get("beside", {"points": 0, "doubles": 0})
        points, doubles = (card[unit] - apart[unit] for unit in ("points", "doubles"))
        assert card["total"] == (points << doubles) + (apart["points"] << apart["doubles"])


@pytest.mark.parametrize("slug", shipped())
def test_the_lines_and_steps_of_a_score_are_its_sum(slug):
    book, rng = load(slug), Random(slug)
    for _try in range(tries(30, 2000)):
        hand = player_hand(random_win(rng, WAYS, bonus=book.bonus, knitted=False))
        if hand.won_by not in book.circumstances:
            hand = replace(hand, won_by="discard")
        card = card_of(book, hand)
        if card["final"] is not None:
            check_lines(card, book.counting.kind)
            check_steps(card, BookTableRules(book))


def on_the_pad(card, rules):
    preview = Preview(ready=True, final=card["final"], card=card, notes=notes_by(rules, card))
    words = render_to_string("components/preview.html", {"preview": preview})
    return " ".join(re.sub("<[^>]+>", " ", words).split())


def test_purity_is_written_as_it_is_counted():
    book = load("bmja")
    card = card_of(book, parse_player_hand(PURITY))
    assert [line["label"] for line in card["double_report"]] == ["Purity"]
    assert card["beside"] == {"points": 4, "doubles": 0}
    check_lines(card)
    steps = [(step.words, step.figure) for step in steps_by(BookTableRules(book), card)]
    assert steps == [
        ("38 × 2 × 2 × 2", 304),
        ("Bonus tiles, with their own doubles: 4 more", 308),
    ]
    shown = on_the_pad(card, BookTableRules(book))
    assert "42" not in shown
    assert "38 × 2 × 2 × 2: 304" in shown


def test_a_stored_book_of_before_says_what_it_said():
    """Its card is stored with it: only what is written beside it is put right."""
    data = whole({"base": "bmja", "slug": "old", "name": "Old"})
    for pattern in data["pattern"]:
        pattern.pop("only_doubles", None)
    card = card_of(frozen(data), parse_player_hand(PURITY))
    assert {line["label"] for line in card["double_report"]} == {"Purity", "No chow"}
    assert (card["doubles"], card["final"], "beside" in card) == (4, 308, False)
    check_steps(card, BookTableRules(frozen(data)))


def test_what_the_limit_cuts_is_said_on_the_pad():
    book = from_data(DEAR)
    card = card_of(book, parse_player_hand("222B 345B 55B 222D GGG; last=5B; won_by=discard"))
    shown = on_the_pad(card, BookTableRules(book))
    assert "No hand scores more than 500: 500" in shown


def test_what_the_limit_cuts_is_said_by_the_clubs_own_rules():
    card = Hand.from_notation("2222B 4444B 66B GGGG RRR", "S", "E").score_card().as_dict()
    assert card["total"] > card["final"] == 500
    assert "No hand scores more than 500: 500" in on_the_pad(card, OptionTableRules(CLUB))


def test_a_limit_hand_with_bonus_tiles_is_written_out():
    book = load("bmja")
    text = "RRR* GGG WhWhWh 222D 55C; last=5C; won_by=discard; seat=S; bonus=F2,Y1"
    card = card_of(book, parse_player_hand(text))
    steps = [(step.words, step.figure) for step in steps_by(BookTableRules(book), card)]
    assert steps == [
        ("The limit", 1000),
        ("Bonus tiles, with their own doubles: 8 × 2 more", 1016),
        ("No hand scores more than 1,000", 1000),
    ]
    assert "8 × 2 more" in on_the_pad(card, BookTableRules(book))
