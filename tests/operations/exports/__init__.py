"""A file of each format that an export ever had: ``format-<number>.jsonl.gz``.

Each was written by the site of its time, from a club with rows of every model. A new format gets its
file by::

    .venv/bin/python -m tests.operations.exports
"""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent


def kept_file(version: int) -> Path:
    return FOLDER / f"format-{version}.jsonl.gz"


def kept_versions() -> list[int]:
    """The formats of which a file is kept, in their order."""
    return sorted(int(path.name.split("-")[1].split(".")[0]) for path in FOLDER.glob("*.gz"))


def rows_of_kept(version: int) -> list[dict]:
    """The rows of the file of ``version``, without its header."""
    with gzip.open(kept_file(version)) as file:
        return [json.loads(line) for line in file][1:]


def fields_of(rows: list[dict]) -> dict[str, set[str]]:
    """The fields of each model that has a row, by its label."""
    return {row["model"]: set(row["fields"]) for row in rows}


def what_to_write(
    version: int, kept: Mapping[str, set[str]], now: Mapping[str, set[str]]
) -> list[str]:
    """What a developer writes who has changed the models since ``version``; nothing if nobody has.

    ``kept`` are the fields by model in the file of ``version``, ``now`` those of the models.
    """
    changes = []
    for model in sorted({*kept, *now}):
        if model not in now:
            changes.append(f"{model} is gone")
        elif model not in kept:
            changes.append(f"{model} is new: UpgradeStep(models=({model!r},))")
        else:
            changes += [
                f"{model} has gained {name}: UpgradeStep(fields={{{model!r}: {{{name!r}: <as older rows are>}}}})"
                for name in sorted(now[model] - kept[model])
            ]
            changes += [
                f"{model} has lost {name}: UpgradeStep(change=<a function that drops it>)"
                for name in sorted(kept[model] - now[model])
            ]
    if not changes:
        return []
    return [
        f"An export is no longer of format {version}:",
        *changes,
        f"1. In scoring/operations/dump/content.py: VERSION = {version + 1}",
        f"2. In STEPS of scoring/operations/dump/upgrade.py: {version + 1}: UpgradeStep(…), as above",
        "3. Let tests/operations/storied.py make a row of every new model and value",
        f"4. .venv/bin/python -m tests.operations.exports  # writes {kept_file(version + 1).name}",
    ]
