"""``manage.py score "222B 345B 55B 222D GGG" --seat South --prevailing East``."""

import json
import sys
import zlib
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, NoReturn, TextIO

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError
from django.utils.translation import gettext as _
from rich.console import Console
from rich.progress import track

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.cards import BookCard
from scoring.evaluator.books.circumstances import known_to_rules
from scoring.evaluator.books.loader import load, shipped
from scoring.evaluator.books.vocabulary import WON_BY
from scoring.evaluator.hand import Hand
from scoring.evaluator.notation import format_tiles, parse_tiles, parse_wind
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard, score
from scoring.evaluator.trace import TraceStep, fold, found_by_the_book, trace
from scoring.models.problems import as_validation_error
from scoring.operations.csv import SheetRefused
from scoring.services.book_scores import card_by_book, rules_or_book
from scoring.services.rulesets import built_in_rules
from scoring.translation import card_in_words

from .. import hand_files, printed, printed_book
from ..book_rows import LOSER
from ..files import STREAM, as_text, reading
from ..hand_files import BOOK_FIGURES, FIGURES, NumberedRow, ScoredRow

DOES_NOT_WIN = 1
CANNOT_BE = 2
LONG_FILE = 1000  # lines
EXAMPLE = '"222B 345B 55B 222D GGG" --seat South --prevailing East'

# The arguments whose name a sentence does not tell by itself.
OPTIONS = {
    *("seat", "prevailing", "concealed", "ruleset", "bonus", "flags", "value", "dora_indicators")
}
BUILT_IN = ("club", "book")


class Command(BaseCommand):
    help = (
        "Scores a hand and prints its scorecard. Exit code: 0 for a winning hand, 1 for one that "
        "does not win, 2 for one that cannot be."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        hands = parser.add_mutually_exclusive_group()
        hands.add_argument(
            "tiles", nargs="?", help="such as '222B* 345B 55B 222D GGG'; * marks an open set"
        )
        hands.add_argument(
            "--file",
            metavar="FILE",
            help="a hand a line, or CSV with a column tiles, such as export hands.csv writes; packed if "
            "it ends in .gz; - is standard input",
        )
        parser.add_argument("--seat", metavar="WIND", help="the winner's wind")
        parser.add_argument("--prevailing", metavar="WIND")
        parser.add_argument(
            "--ruleset",
            default="club",
            metavar="NAME",
            help="such as club, or club:1 (default: club)",
        )
        parser.add_argument(
            "--concealed",
            action=BooleanOptionalAction,
            help="whether the hand was concealed (default: unless a set is marked as open)",
        )
        parser.add_argument("--self-drawn", action="store_true")
        _add_circumstances(parser)
        parser.add_argument("--json", action="store_true", help="the scorecard as the API gives it")
        parser.add_argument(
            "--trace",
            action="store_true",
            help="how the book's procedure reads it, step by step; of many the first and the last",
        )
        parser.add_argument("--whole-trace", action="store_true", help="the same with every step")

    def handle(self, *args: object, **options: Any) -> None:
        if not options["file"]:
            if options["tiles"] is None:
                sentence = _("Give a hand, such as %(hand)s, or a file of hands with --file.")
                raise CommandError(sentence % {"hand": EXAMPLE}, returncode=CANNOT_BE)
            lacking = [f"--{name}" for name in ("seat", "prevailing") if options[name] is None]
            if lacking:
                asked = ", ".join(lacking)
                raise CommandError(
                    _("The winds of the hand are required: %(asked)s.") % {"asked": asked},
                    returncode=2,
                )
        try:
            rules = _rules(options["ruleset"])
            if options["file"]:
                sys.exit(self._score_file(options, rules))
            _refuse_contradiction(options)
            card = _card(options, rules)
        except HandError as error:
            self._refuse(as_validation_error(error))
        except ValidationError as error:
            self._refuse(error)
        if options["json"]:
            text = json.dumps(card_in_words(card.as_dict()), ensure_ascii=False, indent=2)
        elif isinstance(card, BookCard):
            text = printed_book.card(card)
        else:
            assert isinstance(rules, RuleSet)
            text = _in_words(card, options, rules)
        if options["trace"] or options["whole_trace"]:
            self._write_trace(options)
        self.stdout.write(text)
        if not card.winning:
            sys.exit(DOES_NOT_WIN)

    def _score_file(self, options: dict[str, Any], rules: RuleSet | Book) -> int:
        """Score every line of a file: CSV, or JSON lines. The worst line says the exit code."""
        codes = {0}
        write = hand_files.write_json if options["json"] else hand_files.write_csv
        results = (
            hand_files.scored(number, row, rules) for number, row in _shown(_read(options, rules))
        )
        figures = BOOK_FIGURES if isinstance(rules, Book) else FIGURES
        write(_noting(results, codes), self.stdout, figures)
        return max(codes)

    def _write_trace(self, options: dict[str, Any]) -> None:
        """The steps, numbered; those that the book would not have taken are marked."""
        hand = Hand.from_notation(options["tiles"], options["seat"], options["prevailing"])
        first, folded, last = fold(list(enumerate(trace(hand), 1)))
        self._write_steps(first)
        if options["whole_trace"]:
            self._write_steps(folded)
        elif folded:
            asked = {"number": f"{len(folded):,}", "option": "--whole-trace"}
            self.stdout.write(_("… %(number)s steps are not shown: %(option)s shows them.") % asked)
        self._write_steps(last)
        if hand.mahjongg() and not found_by_the_book(hand):
            self.stdout.write(
                _("The book’s own procedure would miss this hand: see the marks (!).")
            )
        self.stdout.write("")

    def _write_steps(self, steps: Iterable[tuple[int, TraceStep]]) -> None:
        for number, step in steps:
            mark = "!" if step.beyond_the_book else " "
            self.stdout.write(f"{number:>4}{mark} {step.sentence}")
            self.stdout.write(f"      {' | '.join(step.sets)}  ·  {step.stack}".rstrip(" ·"))

    def _refuse(self, error: ValidationError) -> NoReturn:
        for name, sentences in error.message_dict.items():
            for sentence in sentences:
                self.stderr.write(f"--{name}: {sentence}" if name in OPTIONS else sentence)
        sys.exit(CANNOT_BE)


def _add_circumstances(parser: ArgumentParser) -> None:
    """What rule books know besides, such as ``--ruleset dmjl``."""
    parser.add_argument(
        "--bonus", default="", metavar="TILES", help="flowers and seasons, such as F1,Y2"
    )
    parser.add_argument("--last", default="", metavar="TILE", help="the winning tile, such as 5B")
    won = parser.add_mutually_exclusive_group()
    won.add_argument(
        "--won",
        metavar="WAY",
        type=_name,
        choices=list(WON_BY),
        help=f"one of {', '.join(WON_BY).replace('_', '-')} (default: discard)",
    )
    won.add_argument(
        "--loser", action="store_const", const="", dest="won", help="a hand that did not win"
    )
    parser.add_argument(
        "--flags", default="", metavar="NAMES", help="what else is known, such as original-call"
    )
    parser.add_argument(
        "--dora-indicators", default="", metavar="TILES", help="of the dead wall, such as 4C,9B"
    )
    parser.add_argument("--value", type=int, default=0, help="of the line of a card")


def _refuse_contradiction(options: dict[str, Any]) -> None:
    """:raises ValidationError: if one option says that the winner drew the winning tile, and another does not."""
    won = options["won"]
    if options["self_drawn"] and won not in (None, "self_drawn"):
        named = {"one": "--self-drawn", "other": "--won" if won else "--loser"}
        sentence = _("%(one)s contradicts %(other)s: leave one out.") % named
        raise ValidationError({"self_drawn": sentence})


def _name(typed: str) -> str:
    """``robbing-kong`` as books write it.

    >>> _name("robbing-kong")
    'robbing_kong'
    """
    return typed.replace("-", "_")


def _circumstances(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "concealed": options["concealed"],
        "self_drawn": options["self_drawn"] or None,
        "bonus": _split(options["bonus"]),
        "winning_tile": options["last"],
        "won_by": options["won"],
        "flags": [_name(flag) for flag in _split(options["flags"])],
        "value": options["value"],
        "dora_indicators": _split(options["dora_indicators"]),
    }


def _split(typed: str) -> list[str]:
    return [part.strip() for part in typed.split(",") if part.strip()]


def _rules(name: str) -> RuleSet | Book:
    """The rule set or rule book of that name; also before there is a database.

    :raises ValidationError: if there is none.
    """
    try:
        return rules_or_book(name)
    except DatabaseError:
        return load(name) if name in shipped() and name not in BUILT_IN else built_in_rules(name)


@contextmanager
def _opened(name: str) -> Iterator[TextIO]:
    """:raises OSError: if it cannot be read."""
    if name == STREAM and not hasattr(sys.stdin, "buffer"):
        yield sys.stdin
        return
    with reading(name) as file, as_text(file) as text:
        yield text


def _whole_file(options: dict[str, Any]) -> dict[str, str]:
    """What holds for each line that does not say otherwise."""
    concealed = {None: "", True: "yes", False: "no"}[options["concealed"]]
    return {
        "tiles": "",
        "seat": options["seat"] or "",
        "prevailing": options["prevailing"] or "",
        "concealed": concealed,
        "self_drawn": "yes" if options["self_drawn"] else "",
        "won_by": LOSER if options["won"] == "" else options["won"] or "",
        "winning_tile": options["last"],
        "bonus": options["bonus"],
        "flags": _name(options["flags"]),
        "value": str(options["value"] or ""),
    }


def _filled(row: dict[str, str]) -> dict[str, str]:
    return {column: cell for column, cell in row.items() if cell}


def _read(options: dict[str, Any], rules: RuleSet | Book) -> Iterator[NumberedRow]:
    """The hands of the file, one at a time, and none of them kept.

    :raises CommandError: as soon as the file cannot be read, or has too many rows.
    """
    whole = _whole_file(options)
    try:
        with _opened(options["file"]) as file:
            for number, row in hand_files.read(file, rules):
                yield number, whole | _filled(row)
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise CommandError(f"{options['file']} cannot be read: {error}", returncode=2) from error
    except SheetRefused as refusal:
        raise CommandError(str(refusal), returncode=CANNOT_BE) from refusal


def _shown(rows: Iterator[NumberedRow]) -> Iterator[NumberedRow]:
    """``rows``, with a bar on a terminal for long files. The first is read before anything is written."""
    begin = list(islice(rows, 1))
    return chain(begin, islice(rows, LONG_FILE), _with_bar(rows))


def _with_bar(rows: Iterator[NumberedRow]) -> Iterator[NumberedRow]:
    """Nobody knows how many there are until the last is read."""
    if not sys.stderr.isatty():
        yield from rows
        return
    for row in rows:
        yield from track(chain([row], rows), "Hands", total=None, console=Console(stderr=True))


def _noting(rows: Iterable[ScoredRow], codes: set[int]) -> Iterator[ScoredRow]:
    for row in rows:
        wins = row.card is not None and (row.lost or row.card.winning)
        codes.add(CANNOT_BE if row.card is None else 0 if wins else DOES_NOT_WIN)
        yield row


def _card(options: dict[str, Any], rules: RuleSet | Book) -> Scorecard | BookCard:
    """:raises HandError: if there can be no such hand."""
    hand = options["tiles"], options["seat"], options["prevailing"]
    how = _circumstances(options)
    if isinstance(rules, Book):
        return card_by_book(rules, *hand, **how)
    return score(*hand, rules=rules, **known_to_rules(rules, how))


def _in_words(card: Scorecard, options: dict[str, Any], rules: RuleSet) -> str:
    if not card.winning:
        return str(card.why)
    shown = card.as_dict()
    winds = {name: parse_wind(options[name], name) for name in ("seat", "prevailing")}
    tiles = printed.sets(shown) or format_tiles(parse_tiles(options["tiles"]))
    parts = [
        f"{tiles}\n{printed.heading(rules, **winds, self_drawn=options['self_drawn'])}",
        printed.scorecard(shown, rules),
        printed.readings(shown, rules),
    ]
    return "\n\n".join(filter(None, parts))
