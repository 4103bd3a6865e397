"""`make` lists what it can do, and says in one line what is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command, cwd=ROOT, **environment):
    """The exit code of ``command`` and everything that it says."""
    done = subprocess.run(
        command, cwd=cwd, env={"PATH": os.environ["PATH"]} | environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_make_alone_lists_every_target():
    targets = re.search(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()
    code, text = run("make")
    assert code == 0
    assert [line.split()[0] for line in text.splitlines()] == targets


class TestMake:
    @pytest.fixture
    def checkout(self, tmp_path):
        """Only what the first step of every target reads."""
        for name in ("Makefile", "requirements.txt"):
            shutil.copy(ROOT / name, tmp_path)
        return tmp_path

    @pytest.mark.parametrize(
        ("python", "way_out"),
        [
            ("exit 1", "Python 3.11 or newer is needed."),
            ('[ "$1" = -c ]', "On Debian: apt install python3-venv"),
        ],
        ids=["an old Python", "no venv"],
    )
    def test_make_says_what_python_lacks(self, checkout, python, way_out):
        stand_in = checkout / "python"
        stand_in.write_text(f"#!/bin/sh\n{python}\n")
        stand_in.chmod(0o755)
        code, text = run("make", ".venv/installed", f"PYTHON={stand_in}", cwd=checkout)
        assert code != 0
        assert way_out in text.splitlines()


class TestCi:
    @pytest.fixture
    def bare_machine(self, tmp_path):
        """A folder for PATH: a shell, and nothing to install anything with."""
        for name in ("bash", "dirname", "id"):
            (tmp_path / name).symlink_to(shutil.which(name))
        return str(tmp_path)

    def test_ci_says_what_to_install_where_it_cannot(self, bare_machine):
        code, text = run(f"{bare_machine}/bash", ".ci/run", PATH=bare_machine)
        assert code == 1
        assert text.splitlines() == [
            "Missing here: make python3-venv nodejs npm chromium-headless-shell. "
            "On Debian: apt install make python3-venv nodejs npm chromium-headless-shell"
        ]
