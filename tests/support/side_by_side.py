"""Run two commands at once, so that each uses the cores while the other waits; tell them apart.

    python -m tests.support.side_by_side FIRST ... --- SECOND ...

What the first says is shown as it comes, what the second says after that, whole. Exit code: 0 where
both ended with 0, else that of the first that did not.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BETWEEN = "---"


def main(arguments: list[str]) -> int:
    at = arguments.index(BETWEEN)
    first, second = arguments[:at], arguments[at + 1 :]
    with tempfile.TemporaryDirectory(prefix="output-") as folder:
        output = Path(folder, "output")
        with output.open("wb") as out:
            beside = subprocess.Popen(second, stdout=out, stderr=subprocess.STDOUT)
        try:
            code = subprocess.run(first, check=False).returncode
            sys.stdout.write(f"\nAt the same time ran: {' '.join(second)}\n\n")
            sys.stdout.flush()
        except BaseException:
            beside.terminate()
            raise
        finally:
            beside.wait()
            with output.open("rb") as text:
                shutil.copyfileobj(text, sys.stdout.buffer)
            sys.stdout.flush()
    return code or beside.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
