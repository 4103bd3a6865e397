"""The site's scripts that need no page, run by Node: the queue of a phone in thousands of orders of events.

``SEQUENCES=2000`` tries that many.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.skips import cannot_run

ROOT = Path(__file__).parent.parent
SCRIPTS = ROOT / "scoring" / "static" / "scoring"
SECONDS = 500


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """The scripts and their tests side by side, as modules to any release of Node."""
    folder = tmp_path_factory.mktemp("modules")
    shutil.copytree(SCRIPTS, folder / "static" / "scoring")
    shutil.copytree(ROOT / "tests" / "scripts", folder / "tests")
    (folder / "package.json").write_text(json.dumps({"type": "module"}))
    return folder


@pytest.mark.parametrize("name", ["cached_tables", "confirmed_state", "notation", "queue"])
def test_scripts_pass_their_own_tests(modules, name):
    node = shutil.which("node")
    if node is None:
        cannot_run("Node runs the tests of the scripts. On Debian: apt install nodejs")
    done = subprocess.run(
        [node, "--test", modules / "tests" / f"{name}.test.mjs"],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
