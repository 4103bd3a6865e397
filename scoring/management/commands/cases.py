"""``manage.py cases FILE…``: worked cases against what the rule books make of them."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scoring.evaluator.problems import HandError
from scoring.operations.cases import CaseReport, run
from scoring.translation import translate
from scoring.variants import MissingLibrary


class Command(BaseCommand):
    help = (
        "Compares the worked cases of files, hands or settlements, with what the rule books make of them, "
        "and prints each difference. Exit code: 1 if any differs that no published rule excuses, 2 for "
        "a file that holds no cases."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", type=Path, metavar="FILE", help="a file of cases (JSON)"
        )

    def handle(self, *args: object, files: list[Path], **options: Any) -> None:
        reports = [self._report(path) for path in files]
        if any(report.unexcused for report in reports):
            sys.exit(1)

    def _report(self, path: Path) -> CaseReport:
        try:
            report = run(path)
        except HandError as error:
            messages = " ".join(translate(problem.message) for problem in error.problems)
            raise CommandError(messages, returncode=2) from None
        except MissingLibrary as missing:
            raise CommandError(translate(missing.message), returncode=2) from None
        for difference in report.differ:
            self.stdout.write(f"{path.name}: {difference}")
        self.stdout.write(
            _(
                "%(file)s: %(agree)s agree, %(differ)s differ, %(excused)s of these by a published rule."
            )
            % {
                "file": path.name,
                "agree": report.agree,
                "differ": len(report.differ),
                "excused": len(report.differ) - len(report.unexcused),
            }
        )
        return report
