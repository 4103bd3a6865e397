"""``manage.py score "222B 345B 55B 222D GGG" --seat South --prevailing East``."""

import json
import sys
from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any, NoReturn

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand
from django.db import Error as DatabaseError

from scoring.club.rulesets import built_in_rules, named_rules
from scoring.evaluator.notation import format_tiles, parse_tiles, parse_wind
from scoring.evaluator.problems import HandError
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.scorecard import Scorecard, score
from scoring.models.problems import as_validation_error

from .. import printed

DOES_NOT_WIN = 1
CANNOT_BE = 2

# The arguments whose name a sentence does not tell by itself.
OPTIONS = {"seat", "prevailing", "concealed", "ruleset"}


class Command(BaseCommand):
    help = (
        "Scores a hand and prints its scorecard. Exit code: 0 for a winning hand, 1 for one that "
        "does not win, 2 for one that cannot be."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("tiles", help="such as '222B* 345B 55B 222D GGG'; * marks an open set")
        parser.add_argument("--seat", required=True, metavar="WIND", help="the winner's wind")
        parser.add_argument("--prevailing", required=True, metavar="WIND")
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
        parser.add_argument("--json", action="store_true", help="the scorecard as the API gives it")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            rules = _rules(options["ruleset"])
            card = _card(options, rules)
        except HandError as error:
            self._refuse(as_validation_error(error))
        except ValidationError as error:
            self._refuse(error)
        if options["json"]:
            said = json.dumps(card.as_dict(), ensure_ascii=False, indent=2)
        else:
            said = _in_words(card, options, rules)
        self.stdout.write(said)
        if not card.winning:
            sys.exit(DOES_NOT_WIN)

    def _refuse(self, error: ValidationError) -> NoReturn:
        for name, sentences in error.message_dict.items():
            for sentence in sentences:
                self.stderr.write(f"--{name}: {sentence}" if name in OPTIONS else sentence)
        sys.exit(CANNOT_BE)


def _rules(name: str) -> RuleSet:
    """The rule set of that name; Club and Book also before there is a database.

    :raises ValidationError: if there is none.
    """
    try:
        return named_rules(name)
    except DatabaseError:
        return built_in_rules(name)


def _card(options: dict[str, Any], rules: RuleSet) -> Scorecard:
    """:raises HandError: if there can be no such hand."""
    return score(
        options["tiles"],
        options["seat"],
        options["prevailing"],
        concealed=options["concealed"],
        self_drawn=options["self_drawn"],
        rules=rules,
    )


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
