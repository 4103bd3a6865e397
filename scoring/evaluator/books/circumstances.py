"""Read how a hand was won, from any interface, for a rule book or for the club's own rules.

What the rules do not know is refused by its name, never passed over.
"""

from typing import Any

from scoring.evaluator.problems import HandError, Problem, refuse
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.text import Text
from scoring.evaluator.win import Win

from .book import Book
from .entry import USUAL
from .hands import not_in_book

# How a hand of the club's own rules may be won, and whether the winner drew the winning tile.
KNOWN_TO_RULES = {"discard": False, "self_drawn": True}
ALWAYS_TAKEN = ("melds", "concealed", "self_drawn")


def how_won(won_by: str | None, self_drawn: bool | None) -> str:
    """How it was won, of what was said in either way; as usual where nothing was.

    :raises HandError: if the two contradict each other.

    >>> how_won(None, True), how_won("robbing_kong", None), how_won("", None)
    ('self_drawn', 'robbing_kong', '')
    """
    if won_by is None:
        return "self_drawn" if self_drawn else USUAL
    if self_drawn is not None and self_drawn is not (won_by == "self_drawn"):
        raise _contradiction()
    return won_by


def check_asked(book: Book, *, concealed: bool | None, value: int, won_by: str | None) -> None:
    """:raises HandError: for what ``book`` is never told, each by its field."""
    problems = []
    if concealed is not None:
        message = Text("By this book each set is open or concealed: mark open sets with a star.")
        problems.append(Problem("concealed", "not_in_book", message))
    if value and book.counting.kind != "card":
        problems.append(not_asked(book.name, "value", str(value)))
    if won_by == "" and not book.losers_score:
        problems.append(only_the_winner(book.name))
    if problems:
        raise HandError(problems)


def known_to_rules(rules: RuleSet, how: dict[str, Any]) -> dict[str, Any]:
    """What the club's own rules take of ``how``: declared sets, whether concealed, whether self-drawn.

    :raises HandError: naming whatever else is said.
    """
    known = {name: how[name] for name in ALWAYS_TAKEN if name in how}
    if known.get("self_drawn", False) is None:  # not said: as usual
        del known["self_drawn"]
    others = {name: value for name, value in how.items() if name not in (*ALWAYS_TAKEN, "won_by")}
    unknown = [
        not_asked(rules.name, name, _listed(value)) for name, value in others.items() if value
    ]
    won_by = how.get("won_by")
    if won_by == "":
        unknown.append(only_the_winner(rules.name))
    elif won_by is not None and won_by not in KNOWN_TO_RULES:
        unknown.append(not_in_book(rules.name, "won_by", won_by))
    if unknown:
        raise HandError(unknown)
    if won_by is not None:
        known["self_drawn"] = KNOWN_TO_RULES[how_won(won_by, known.get("self_drawn"))]
    return known


def only_the_winner(rules: str, field: str = "won_by") -> Problem:
    """That the rules called ``rules`` score no hand that did not win: a problem of ``field``."""
    message = Text.of("By {book} only the winner’s hand scores.", book=rules)
    return Problem(field, "not_in_book", message)


def not_asked(rules: str, field: str, value: str) -> Problem:
    """That the rules called ``rules`` are never told of ``value``. Tiles and figures, which they do know, are not named."""
    if field == "winning_tile":
        message = Text.of("{book} does not ask for the winning tile: leave it out.", book=rules)
    elif field == "value":
        message = Text.of("{book} does not ask for the value of a line: leave it out.", book=rules)
    else:
        return not_in_book(rules, field, value)
    return Problem(field, "not_in_book", message)


def refuse_circumstances(name: str, win: Win) -> None:
    """:raises HandError: for all that the rules called ``name`` are never told of a win, by its field."""
    columns = {field: getattr(win, field) for field in Win._fields[2:]}
    problems = [
        not_asked(name, field, ", ".join(str(value).split()))
        for field, value in columns.items()
        if value
    ]
    if problems:
        raise HandError(problems)


def refuse_contradiction(win: Win) -> None:
    """:raises HandError: if ``won_by`` and ``self_drawn`` cannot both be."""
    if win.contradicts:
        raise _contradiction()


def _contradiction() -> HandError:
    return refuse("self_drawn", "contradiction", "This contradicts “won_by”: leave it out.")


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
