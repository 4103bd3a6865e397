"""``manage.py verify``: every figure again from nothing; ``--repair`` rebuilds what is derived."""

import sys
from argparse import ArgumentParser
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.management.another_club import ask_whether_meant
from scoring.management.club_command import ClubCommand
from scoring.management.progress import progress
from scoring.models import Hand
from scoring.operations.backup import known_elsewhere
from scoring.operations.verify import (
    Difference,
    repair_club_ratings,
    repair_game,
    repair_league,
    suspects,
    unchecked_in_words,
    verify,
)

SHOWN = 20


@dataclass(slots=True)
class Report:
    """How many differences there are, the first of them, and what is to be rebuilt.

    ``unchecked``: for each hand that could not be checked, the reason.
    """

    differences: int = 0
    hands: int = 0
    first: list[Difference] = field(default_factory=list)
    games: set[int] = field(default_factory=set)
    leagues: set[str] = field(default_factory=set)
    unchecked: list[str] = field(default_factory=list)

    def add(self, difference: Difference, *, most: int) -> None:
        self.differences += 1
        if difference.league:
            self.leagues.add(difference.league)
        if difference.game is not None and difference.league:
            self.games.add(difference.game)
        if len(self.first) < most:
            self.first.append(difference)


class Command(ClubCommand):
    help = (
        "Scores every hand again from its tiles, adds up every payment, game, tally and rating again "
        "from nothing, and prints what is stored differently. Exit code: 1 if anything is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--tiles",
            action="store_true",
            help="look only for hands whose declared sets may have been counted twice when they were "
            "typed, and list them all; exit code 1 if there is one",
        )
        what.add_argument(
            "--repair",
            action="store_true",
            help="rebuild what is derived (figures and payments of hands, game states, tallies, "
            "ratings) from what was entered, and verify again",
        )
        parser.add_argument(
            "--yes",
            action="store_true",
            help="do not ask, also if this database holds no hand and another one in var/ does",
        )
        parser.add_argument(
            "--show",
            type=int,
            default=SHOWN,
            metavar="N",
            help=f"print the first N differences (default: {SHOWN})",
        )

    def handle(self, *args: object, **options: Any) -> None:
        if not options["yes"]:
            ask_whether_meant(known_elsewhere(), self.stderr)
        if options["tiles"]:
            sys.exit(self._look_at_tiles())
        report = self._verify(options["show"])
        if report.differences and options["repair"]:
            self._repair(report)
            report = self._verify(options["show"])
            if report.differences:
                self.stdout.write(
                    _("What is left cannot be rebuilt: only a person can say what was played.")
                )
        if report.differences:
            sys.exit(1)

    def _look_at_tiles(self) -> int:
        """List the hands that may have more tiles than were typed; the exit code."""
        suspected = 0
        with progress(_("Checking hands"), Hand.objects.count()) as advance:
            for suspect in suspects(advance):
                suspected += 1
                self.stdout.write(str(suspect))
        message = ngettext(
            "%(n)s hand may have more tiles than were typed: ask the players, and correct it.",
            "%(n)s hands may have more tiles than were typed: ask the players, and correct them.",
            suspected,
        )
        none = _("No hand has more tiles than were typed.")
        self.stdout.write(message % {"n": suspected} if suspected else none)
        return 1 if suspected else 0

    def _verify(self, most: int) -> Report:
        report = Report()
        with progress(_("Checking hands"), Hand.objects.count()) as advance:

            def checked(hands: int) -> None:
                report.hands += hands
                advance(hands)

            for difference in verify(checked, report.unchecked.append):
                report.add(difference, most=most)
        for difference in report.first:
            self.stdout.write(str(difference))
        if more := report.differences - len(report.first):
            self.stdout.write(_("… and %(more)s more") % {"more": more})
        differences = ngettext("%(n)s difference", "%(n)s differences", report.differences)
        checked_hands = report.hands - len(report.unchecked)
        hands = ngettext("%(n)s hand checked", "%(n)s hands checked", checked_hands)
        self.stdout.write(
            f"{differences % {'n': report.differences}}, {hands % {'n': checked_hands}}."
        )
        for sentence in unchecked_in_words(report.unchecked):
            self.stdout.write(sentence)
        return report

    def _repair(self, report: Report) -> None:
        rewritten: list[Difference] = []
        with progress(_("Rebuilding"), len(report.games) + len(report.leagues)) as advance:
            for game in sorted(report.games):
                rewritten += repair_game(game)
                advance(1)
            for league in sorted(report.leagues):
                repair_league(league)
                advance(1)
            repair_club_ratings()
        self.stdout.write(
            _(
                "Rebuilt %(games)s of the games and %(leagues)s of the leagues. A hand with tiles is "
                "scored and paid by its tiles, one without by the score that was entered. Scores "
                "that changed:"
            )
            % {"games": len(report.games), "leagues": len(report.leagues)}
        )
        for difference in rewritten:
            self.stdout.write(f"  {difference}")
        if not rewritten:
            self.stdout.write(_("  none"))
