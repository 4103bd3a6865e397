"""Show the calculator's result: a scorecard and who would pay, or what is still missing or wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.evaluator.books.book import Book
from scoring.evaluator.hand import Hand
from scoring.evaluator.option_rules import OptionTableRules
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.tiles import Wind
from scoring.variants.book_rules import BookTableRules

from ..shared.preview import Preview, missing, sentences, unfinished
from ..shared.score_steps import ScoreStep, faan_by, notes_by, steps, steps_by, why_chosen
from ..shared.settlements import PaymentCase, settlements
from .advice import (
    NearMiss,
    ShownMissed,
    Waiting,
    missed_double,
    near_miss,
    near_miss_by_book,
    waiting,
    waiting_by_book,
)
from .forms import DEFAULTS, CalculatorForm, address


@dataclass(frozen=True, slots=True)
class ExampleHand:
    """A hand to try: its sets as words, and the address that scores it."""

    title: str
    words: str
    sets: list[str]

    @property
    def url(self) -> str:
        return address({"tiles": " ".join(self.sets), **DEFAULTS})


@dataclass(frozen=True, slots=True)
class Otherwise:
    """The same score, had the dealer won it, or another than the dealer."""

    words: str
    settlements: list[PaymentCase]


@dataclass(frozen=True, slots=True)
class Result:
    """What is said about a hand that was entered: one of five things.

    - a winning hand: ``card`` in the shape of the API, ``steps`` from points to score, ``others``
      that the tiles can be read as, ``settlements`` and ``otherwise``, the double that it ``missed``
    - a hand that does not win: ``near``, what fits and what is lacking
    - a hand by a rule ``book``: its ``card``, with figures also where it did not win, or ``near``
    - 13 tiles: ``waiting``, what they wait for
    - no hand: ``problems``, a sentence each, or what is still to come in ``preview.todo``
    """

    preview: Preview
    card: Mapping[str, Any] | None = None
    rules: RuleSet | None = None
    book: Book | None = None
    tiles: str = ""
    steps: list[ScoreStep] = field(default_factory=list)
    settlements: list[PaymentCase] = field(default_factory=list)
    otherwise: Otherwise | None = None
    near: NearMiss | None = None
    missed: ShownMissed | None = None
    waiting: Waiting | None = None
    think_url: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def rules_url(self) -> str:
        """The rules that scored it, in their very version."""
        if self.book:
            return reverse("rules", args=[self.book.slug])
        assert self.rules is not None
        return f"{reverse('rules', args=[self.rules.slug])}?version={self.rules.version}"

    @property
    def others(self) -> list[Mapping[str, Any]]:
        assert self.card is not None
        return [
            interpretation
            for interpretation in self.card["interpretations"]
            if not interpretation.get("chosen")
        ]

    @property
    def why_chosen(self) -> str:
        assert self.rules is not None
        return why_chosen(self.rules)


def result_of(form: CalculatorForm) -> Result:
    """What to say about the hand of a bound ``form``, whether it is one or not."""
    if form.book:
        return _by_book(form, form.book)
    if not form.is_valid():
        return _refused(form)
    hand, rules = form.hand, form.rules
    assert hand is not None
    card: dict[str, Any] = hand.score_card(rules).as_dict()
    think_url = address(form.entered, to="calculator_think")
    if not card["winning"]:
        preview = Preview(problems=[_("This hand does not win.")])
        near = near_miss(form)
        return Result(preview, card=card, rules=rules, near=near, think_url=think_url)
    paid = {"self_drawn": hand.self_drawn}
    return Result(
        preview=Preview(
            ready=True,
            final=card["final"],
            card=card,
            notes=notes_by(OptionTableRules(rules), card),
        ),
        card=card,
        rules=rules,
        tiles=form.cleaned_data["tiles"],
        steps=steps(card, rules),
        settlements=settlements(card["final"], rules, winner=hand.seat_wind, **paid),
        otherwise=_otherwise(card["final"], rules, hand),
        missed=missed_double(form),
        think_url=think_url,
    )


def examples() -> list[ExampleHand]:
    """The two hands that the book works out, and one that scores the limit."""
    return [
        ExampleHand(
            _("36 points, one double"),
            _("A lucky pung of dragons. The bamboos could also be read as two chows and a pung."),
            ["222B", "345B", "55B", "222D", "GGG"],
        ),
        ExampleHand(
            _("28 points, all simples"),
            _("Nothing but ranks from 2 to 8: one double."),
            ["222B", "345B", "55B", "222D", "234D"],
        ),
        ExampleHand(
            _("A limit hand"),
            _("Three pungs of dragons, whatever the rest."),
            ["RRR", "GGG", "WhWhWh", "789C", "EE"],
        ),
    ]


def _by_book(form: CalculatorForm, book: Book) -> Result:
    """The card of a rule book, what would make the hand win, or what is wrong or still missing."""
    if form.is_valid():
        assert form.card is not None
        card, near = form.card.as_dict(), None
        problems = []
        if card["final"] is None:
            problems, near = [_("This hand does not win.")], near_miss_by_book(form, form.card)
        rules, scored = BookTableRules(book), card["final"] is not None
        notes = notes_by(rules, card) if scored else []
        preview = Preview(
            ready=scored,
            final=card["final"],
            card=card,
            notes=notes,
            faan=faan_by(rules, card),
            problems=problems,
        )
        tiles = form.cleaned_data["tiles"]
        lines = steps_by(rules, card) if scored else []
        return Result(preview, card=card, book=book, tiles=tiles, near=near, steps=lines)
    if form.asks_value and not form["value"].value():
        return Result(Preview(todo=str(form.errors["value"][0])), book=book)
    lacking = missing(form["tiles"].value() or "")
    codes = {error.code for errors in form.errors.as_data().values() for error in errors}
    if lacking and codes == {"wrong_number"}:
        preview = Preview(todo=_("Still needed: %(missing)s.") % {"missing": lacking})
        return Result(preview, book=book, waiting=waiting_by_book(form, book))
    problems = sentences(form)
    return Result(Preview(problems=problems), problems=problems)


def _refused(form: CalculatorForm) -> Result:
    elsewhere = [
        str(error) for name, errors in form.errors.items() if name != "tiles" for error in errors
    ]
    if form.refusal is None:
        problems = [*map(str, form.errors.get("tiles", [])), *elsewhere]
        return Result(Preview(problems=problems), problems=problems)
    preview = unfinished(form.refusal, form["tiles"].value())
    preview = replace(preview, problems=[*preview.problems, *elsewhere])
    waits = None if elsewhere else waiting(form)
    return Result(preview, problems=preview.problems, waiting=waits, rules=form.rules)


def _otherwise(final: int, rules: RuleSet, hand: Hand) -> Otherwise:
    if hand.seat_wind is Wind.EAST:
        winner, words = Wind.SOUTH, _("If another player than the dealer had won with this score")
    else:
        winner, words = Wind.EAST, _("If the dealer had won with this score")
    return Otherwise(words, settlements(final, rules, winner=winner, self_drawn=hand.self_drawn))
