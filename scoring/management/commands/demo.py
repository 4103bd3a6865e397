"""``manage.py demo``: a club to look at, full of games that were really played."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scoring.demo.accounts import DemoAccount, sign_ins
from scoring.demo.fill import fill
from scoring.demo.size import Size, holdings
from scoring.management.club_command import ClubCommand
from scoring.management.migrated import require_applied
from scoring.models.permissions import PermissionDenied

# Without a terminal, so many lines tell how far it is.
LINES = 5


class Command(ClubCommand):
    help = (
        "Fills the club with people, leagues and games that follow the rules, played by simple "
        "players. A club that holds anything is left alone unless --add is given; nothing is ever "
        "changed or deleted. Ctrl-C leaves the club as it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        size = Size()
        for name, what in (
            ("hands", "hands to play in all"),
            ("players", "players to add"),
            ("leagues", "leagues to add"),
            ("seed", "another number, other hands"),
        ):
            parser.add_argument(
                f"--{name}",
                type=int,
                default=getattr(size, name),
                metavar="N",
                help=f"{what} (default: %(default)s)",
            )
        parser.add_argument(
            "--ruleset",
            metavar="NAME",
            help="every league of the demo plays by this rule set, or book that ships, such as bmja",
        )
        parser.add_argument(
            "--add",
            action="store_true",
            help="beside what the club holds: more people, more leagues",
        )
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing at a club that holds anything"
        )
        parser.add_argument(
            "--sign-ins", action="store_true", help="only tell the accounts of the demo again"
        )

    def require_database(self, options: dict[str, Any]) -> None:
        if options["if_empty"]:
            require_applied()  # a site starts after a step back, too
        else:
            super().require_database(options)

    def handle(self, *args: object, **options: Any) -> None:
        if not options["sign_ins"] and not (options["if_empty"] and holdings()):
            self.fill(options)
        accounts = sign_ins()
        if accounts:
            self.stdout.write(_in_words(accounts))
        elif options["sign_ins"]:
            raise CommandError(_("This club has no demo accounts."))

    def fill(self, options: dict[str, Any]) -> None:
        """:raises CommandError: if the club is not empty, or no club has that size."""
        size = Size(*(options[name] for name in ("hands", "players", "leagues", "seed")))
        try:
            size.clean()
            self.require_empty(options)
            with self.progress(size.hands, options["verbosity"]) as on_hand:
                filled = fill(size, ruleset=options["ruleset"] or "", on_hand=on_hand)
        except ValidationError as error:
            sentences = [
                f"--{name}: {' '.join(messages)}" for name, messages in error.message_dict.items()
            ]
            raise CommandError("\n".join(sentences), returncode=2) from error
        except PermissionDenied as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError(_("Stopped. The club is as it was."), returncode=130) from None
        message = _(
            "The club is open. Players: %(players)s. Leagues: %(leagues)s. Games: %(games)s, still "
            "in play %(open)s. Hands: %(hands)s, drawn %(drawn)s."
        )
        self.stdout.write(message % asdict(filled))

    def require_empty(self, options: dict[str, Any]) -> None:
        """:raises CommandError: if the club holds anything, unless the demo may stand beside it."""
        there = holdings()
        if there and not options["add"]:
            message = _(
                "This club is not empty and was left as it is (players: %(players)s, leagues: "
                "%(leagues)s, hands: %(hands)s). With --add a demo is put beside them."
            )
            raise CommandError(message % there)

    @contextmanager
    def progress(self, hands: int, verbosity: int) -> Iterator[Callable[[], None]]:
        """What to call after each hand: moves a bar on a terminal, else tells a line now and then."""
        if verbosity == 0:
            yield lambda: None
        elif self.stdout.isatty():
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
            with Progress(*columns, TimeRemainingColumn()) as bar:
                task = bar.add_task(_("Playing"), total=hands)
                yield lambda: bar.advance(task)
        else:
            yield self.lines(hands)

    def lines(self, hands: int) -> Callable[[], None]:
        numbers = count(1)
        every = max(1, hands // LINES)

        def on_hand() -> None:
            number = next(numbers)
            if number % every == 0:
                message = _("Played %(number)s of %(hands)s hands.")
                self.stdout.write(message % {"number": number, "hands": hands})
                self.stdout.flush()

        return on_hand


def _in_words(accounts: list[DemoAccount]) -> str:
    """A line an account: who it is, user name, password."""
    changed = _("(has been changed)")
    lines = [(account.who, account.username, account.password or changed) for account in accounts]
    who, username, _password = (max(map(len, column)) for column in zip(*lines, strict=True))
    rows = [f"  {line[0]:{who}}  {line[1]:{username}}  {line[2]}" for line in lines]
    return "\n".join([_("Demo accounts, for looking around (name, sign-in, password):"), *rows])
