"""Explain why a hand that somebody calls a win is none, in the words of its book."""

from collections.abc import Iterator
from dataclasses import replace

from scoring.evaluator.text import Text

from .book import Book, Form
from .compiled import Compiled
from .counting import BookVerdict
from .expressions import ALWAYS, Expression
from .hands import PlayerHand
from .libraries import faan_of


def why_not(book: Book, hand: PlayerHand, best: BookVerdict | None) -> Text:
    """What ``hand`` lacks; ``best`` is what its tiles are worth if they are a whole hand."""
    if best is not None:
        return _too_little(book, best)
    for form in book.forms:
        if asked := list(_not_met(book, form, hand)):
            return Text.of(
                "These tiles are “{name}”, but {book} asks more of them: {why}",
                name=form.name,
                book=book.name,
                why=Text.joined(asked),
            )
    return Text.of(
        "This is no hand that wins in {book}. What wins there: {forms}.",
        book=book.name,
        forms=", ".join(form.name for form in book.forms),
    )


def _not_met(book: Book, form: Form, hand: PlayerHand) -> Iterator[str]:
    """What the form asks of tiles that are laid out as it says; nothing if they are not."""
    anyhow = replace(form, when=ALWAYS, concealed=False)
    if not _wins(book, anyhow, hand):
        return
    if form.concealed and not _wins(book, replace(anyhow, concealed=True), hand):
        yield Text("Nothing of it may lie open.")
    if _wins(book, replace(form, concealed=False), hand):
        return
    parts = form.when.parts()
    failed = [part for part in parts if not _wins(book, _on(anyhow, part), hand)]
    yield form.explanation or "; ".join(part.text for part in failed or parts)


def _on(form: Form, condition: Expression) -> Form:
    return replace(form, when=condition)


def _wins(book: Book, form: Form, hand: PlayerHand) -> bool:
    """Whether ``hand`` wins in this form alone."""
    return bool(Compiled(replace(book, forms=(form,), patterns=())).judged(hand))


def _too_little(book: Book, best: BookVerdict) -> Text:
    """That a whole hand may not be declared: what it has of what it needs."""
    counting = book.counting
    kind, has = "Points", best.total
    if counting.kind == "points":
        kind, has = "Doubles", best.doubles
    elif counting.kind == "faan":
        kind = faan_of(book.engine).capitalize()
        has = sum(line.value for line in best.lines if line.pattern.for_minimum)
    sentence = Text.of(
        "The tiles are a whole hand, but worth too little by {book}. {kind}: {has}, and it takes {least}.",
        book=book.name,
        kind=kind,
        has=has,
        least=counting.minimum,
    )
    beside = [line.pattern.name for line in best.lines if not line.pattern.for_minimum]
    if not beside:
        return sentence
    more = Text.of("This does not help to reach it: {forms}.", forms=", ".join(beside))
    return Text.joined([sentence, more])
