"""The examples in the evaluator's docstrings are true."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import scoring.evaluator

MODULES = [each.name for each in pkgutil.iter_modules(scoring.evaluator.__path__)]


@pytest.fixture(params=MODULES)
def module(request):
    return importlib.import_module(f"scoring.evaluator.{request.param}")


def test_examples_are_true(module):
    assert doctest.testmod(module).failed == 0


def test_every_function_has_a_doctest(module):
    functions = {
        name: found
        for name, found in vars(module).items()
        if inspect.isroutine(inspect.unwrap(found)) and found.__module__ == module.__name__
    }
    without = [
        name
        for name, found in functions.items()
        if not name.startswith("_") and ">>>" not in (found.__doc__ or "")
    ]
    assert without == []


def test_examples_of_the_page_are_true():
    page = str(Path(__file__).parents[2] / "docs" / "evaluator-by-example.md")
    assert doctest.testfile(page, module_relative=False, encoding="utf-8").failed == 0
