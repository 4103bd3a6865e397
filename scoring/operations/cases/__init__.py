"""Worked cases from files: what the rule books make of them, beside what each file expects.

A module for each kind of file says whether it ``reads`` a file's data, and gives a ``CaseReport``.
"""

from pathlib import Path
from typing import Any, Protocol

from django.utils.translation import gettext_noop

from scoring.evaluator.problems import refuse

from . import classical, club, settlements, shaped, shaped_settlements
from .reading import read_data
from .report import CaseDifference, CaseReport


class CaseReader(Protocol):
    """A module that compares one kind of file."""

    def reads(self, data: Any) -> bool:
        """Whether ``data`` is of its kind."""

    def run(self, path: Path) -> CaseReport:
        """What comparing the file at ``path`` finds."""


READERS: tuple[CaseReader, ...] = (classical, settlements, club, shaped, shaped_settlements)


def run(path: Path) -> CaseReport:
    """Compare every case of the file at ``path``.

    :raises HandError: if it is no file of cases.
    """
    data = read_data(path)
    for reader in READERS:
        if reader.reads(data):
            return reader.run(path)
    template = gettext_noop("“{file}” is no file of cases.")
    raise refuse("file", "no_cases", template, file=path.name)


__all__ = ["CaseDifference", "CaseReport", "run"]
