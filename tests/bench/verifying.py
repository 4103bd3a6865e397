"""How long it takes to work out every figure of the club again, and how much memory.

``python -m tests.bench verifying --hands 1000000`` does so for a million hands.
"""

import resource
import sys
from time import perf_counter, process_time

from scoring.models import League
from scoring.operations.verify import repair_league, verify

from .report import Line, printed

A_MILLION = 1_000_000
# Bytes in what the system counts memory in.
UNIT = 1 if sys.platform == "darwin" else 1024


def run() -> str:
    # The games were copied with the ratings of the evening they come from.
    for slug in League.objects.values_list("slug", flat=True):
        repair_league(slug)
    checked: list[int] = []
    begin, worked = perf_counter(), process_time()
    differences = sum(1 for _difference in verify(checked.append))
    seconds, work = perf_counter() - begin, process_time() - worked
    hands = sum(checked)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT
    line = Line(
        "a million hands",
        seconds * A_MILLION / hands,
        "s",
        target=300,
        note=f"{hands} hands in {seconds:.1f} s, {work:.1f} s of work, "
        f"{differences} differences, at most {peak >> 20} MB",
    )
    return printed("Verifying every figure", [line])
