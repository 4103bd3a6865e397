"""The examples in docstrings are true. Those of the evaluator: ``tests/evaluator/test_doctests.py``."""

import doctest
import importlib
from pathlib import Path

import pytest
from django.utils.translation import override

ROOT = Path(__file__).parent.parent
APART = (ROOT / "scoring/migrations", ROOT / "scoring/evaluator")
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for app in ("scoring", "mahjong_site")
    for path in (ROOT / app).rglob("*.py")
    if not any(path.is_relative_to(folder) for folder in APART)
    if any(line.startswith(">>> ") for line in map(str.strip, path.read_text().splitlines()))
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_of_the_code_are_true(name):
    with override("en"):
        tried = doctest.testmod(importlib.import_module(name))
    assert tried.attempted
    assert not tried.failed
