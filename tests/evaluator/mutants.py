"""How many small mistakes in the evaluator the tests would notice: ``make mutants``, an hour or two.

mutmut breaks the code in one place at a time and runs the tests. It does so in a process that has
imported the evaluator already; what runs while it is imported, the registry and the tables of sets,
would be broken too late. So whatever survives is tried once more in a process of its own.
"""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

from rich.progress import track

BROKEN = Path("mutants")
# Without Django and its plugins, which the evaluator does not know: a second each is saved.
ALONE = "--noconftest -p no:cacheprovider -p _hypothesis_pytestplugin -o DJANGO_SETTINGS_MODULE="
PLAIN = ["-o", "addopts=--import-mode=importlib", "-o", "filterwarnings="]
TESTS = [sys.executable, "-m", "pytest", "-x", "-q", *ALONE.split(), *PLAIN, "tests/evaluator"]
LONGEST = 300  # seconds


def main() -> int:
    mutmut = str(Path(sys.executable).with_name("mutmut"))
    subprocess.run([mutmut, "run", "--max-children", str(os.cpu_count())], check=True)
    listed = subprocess.run(
        [mutmut, "results", "--all", "true"], check=True, capture_output=True, text=True
    )
    fates = dict(line.strip().split(": ") for line in listed.stdout.splitlines() if ": " in line)
    survivors = [name for name, fate in fates.items() if fate == "survived"]
    for name in track(survivors, "Once more, from the start"):
        if _notices(name):
            fates[name] = "killed"
    counted = Counter(fates.values())
    noticed = counted["killed"] + counted["timeout"]
    left = [name for name, fate in fates.items() if fate == "survived"]
    says = f"{noticed} of {len(fates)} noticed: {noticed / len(fates):.1%}. {dict(counted)}"
    sys.stdout.write("\n".join([*left, says, ""]))
    return 0


def _notices(mutant: str) -> bool:
    """Whether a test fails, or never ends, with this mutant in place from the start."""
    environment = {**os.environ, "MUTANT_UNDER_TEST": mutant, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    try:
        run = subprocess.run(
            TESTS, cwd=BROKEN, env=environment, capture_output=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
