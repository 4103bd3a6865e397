"""The report of comparing a file of cases."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

EXCUSED = Path(__file__).with_name("excused.toml")


@dataclass(frozen=True, slots=True)
class CaseDifference:
    """A case of which a figure is another one here.

    ``excused``: the published rule that the file's own figure breaks, with its source; empty if there
    is none.
    """

    id: str
    what: str
    expected: str
    got: str
    excused: str = ""

    def __str__(self) -> str:
        sentence = f"{self.id}: {self.what}: expected {self.expected}, got {self.got}"
        return f"{sentence} (excused: {self.excused})" if self.excused else sentence


@dataclass(slots=True)
class CaseReport:
    """How many cases agree, and those that do not."""

    agree: int = 0
    differ: list[CaseDifference] = field(default_factory=list)

    @property
    def unexcused(self) -> list[CaseDifference]:
        """The differences that nothing excuses."""
        return [difference for difference in self.differ if not difference.excused]

    def compare(
        self, path: Path, case: str, expected: Mapping[str, Any], got: Mapping[str, Any]
    ) -> None:
        """Add a case: it agrees if ``got`` has every figure of ``expected``."""
        wrong = [name for name, value in expected.items() if got.get(name) != value]
        if not wrong:
            self.agree += 1
            return
        values = (_listed(wrong, expected), _listed(wrong, got))
        difference = CaseDifference(case, ", ".join(wrong), *values)
        self.differ.append(excuse(path, difference))


def excuse(path: Path, difference: CaseDifference) -> CaseDifference:
    """The same difference with the published rule that excuses it, if one does."""
    reason = excuses().get((path.name, difference.id, difference.got), "")
    return CaseDifference(
        difference.id, difference.what, difference.expected, difference.got, reason
    )


@lru_cache(maxsize=1)
def excuses() -> dict[tuple[str, str, str], str]:
    """What excuses a difference, by the file's name, the case, and what is made of it here.

    The figures belong to it, so that a case which comes out as neither says is no longer excused.
    """
    table = tomllib.loads(EXCUSED.read_text(encoding="utf-8"))
    return {
        (entry["file"], case, got): f"{entry['reason']} ({entry['source']})"
        for entry in table["excuse"]
        for case, got in entry["cases"].items()
    }


def _listed(names: Iterable[str], figures: Mapping[str, Any]) -> str:
    return ", ".join(str(figures.get(name)) for name in names)
