"""A part that cannot run on this machine is named as skipped; on CI a skip is a failure."""

import os

import pytest

ON_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def cannot_run(reason):
    """Leave the current test out: ``reason`` says what is missing and how to get it."""
    pytest.skip(reason)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if ON_CI and reporter and reporter.stats.get("skipped") and not session.exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    skipped = len(terminalreporter.stats.get("skipped", []))
    if ON_CI and skipped:
        terminalreporter.write_line(f"Skipped on CI, so failed: {skipped}", red=True, bold=True)
