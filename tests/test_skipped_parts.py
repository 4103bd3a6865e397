"""A part that cannot run here is named as skipped; on CI a skip is a failure."""

import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.support import postgres
from tests.support.skips import cannot_run

# Each starts a run of pytest of its own.
pytestmark = pytest.mark.slow

SKIPPED = """
    from tests.support.skips import cannot_run

    def test_runs():
        pass

    def test_needs_a_telescope():
        cannot_run("No telescope was found. On Debian: apt install telescope")
"""


@pytest.fixture
def run(pytester, pytestconfig, monkeypatch):
    """``run(source)``: a run of pytest of its own, not on CI, which skips as this suite does."""
    for name in ("CI", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(pytestconfig.rootpath))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest('pytest_plugins = ["tests.support.skips", "tests.support.browser"]')
    plugins = ("-p", "xdist.plugin", "-p", "pytest_playwright.pytest_playwright")

    def run(source, *arguments):
        pytester.makepyfile(source)
        return pytester.runpytest_subprocess("-ra", *plugins, *arguments)

    return run


class TestTests:
    def test_tests_are_skipped_by_name_with_the_way_out(self, run):
        result = run(SKIPPED)
        result.assert_outcomes(passed=1, skipped=1)
        result.stdout.fnmatch_lines(
            ["SKIPPED*No telescope was found. On Debian: apt install telescope"]
        )
        assert result.ret == pytest.ExitCode.OK

    @pytest.mark.parametrize("processes", [[], ["-n1"]], ids=["one process", "a worker"])
    def test_tests_that_are_skipped_on_ci_fail_the_run(self, run, monkeypatch, processes):
        monkeypatch.setenv("CI", "true")
        result = run(SKIPPED, *processes)
        result.stdout.fnmatch_lines(["Skipped on CI, so failed: 1"])
        assert result.ret == pytest.ExitCode.TESTS_FAILED

    def test_tests_that_all_run_on_ci_pass(self, run, monkeypatch):
        monkeypatch.setenv("CI", "true")
        assert run("def test_runs(): pass").ret == pytest.ExitCode.OK

    def test_tests_in_a_browser_are_skipped_by_name_where_there_is_none(self, run, monkeypatch):
        monkeypatch.setenv("PATH", "/nowhere")
        monkeypatch.delenv("CHROMIUM", raising=False)
        result = run("def test_page(browser): pass")
        result.assert_outcomes(skipped=1)
        result.stdout.fnmatch_lines(
            ["SKIPPED*No Chromium was found. On Debian: apt install chromium"]
        )


class TestPostgres:
    @pytest.fixture
    def nowhere(self, monkeypatch):
        monkeypatch.setattr(postgres, "folders_with_binaries", lambda: iter(()))

    COMMAND = (sys.executable, "-c", "raise SystemExit('not to be run')")

    @pytest.mark.parametrize(("on_ci", "code"), [(False, 0), (True, 1)])
    def test_postgresql_that_cannot_be_had_is_named(
        self, nowhere, monkeypatch, capsys, on_ci, code
    ):
        monkeypatch.setattr(postgres, "ON_CI", on_ci)
        assert postgres.main(list(self.COMMAND)) == code
        output = capsys.readouterr().err
        assert output.startswith("SKIPPED on PostgreSQL: ")
        assert "On Debian: apt install postgresql" in output

    @pytest.fixture
    def somewhere(self):
        try:
            postgres.usable_binaries(postgres.server_user())
        except postgres.NoPostgres as missing:
            cannot_run(str(missing))

    def test_postgresql_is_there_for_the_command_and_gone_after_it(self, somewhere, capfd):
        asked = (
            "import os, psycopg; url = os.environ['DATABASE_URL'];"
            "print(psycopg.connect(url).execute('SELECT 42').fetchone()[0], url);"
            "raise SystemExit(7)"
        )
        assert postgres.main([sys.executable, "-c", asked]) == 7
        answer, url = capfd.readouterr().out.split()
        assert answer == "42"
        assert not Path(unquote(urlsplit(url).hostname)).exists()
