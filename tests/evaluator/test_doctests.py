"""The examples in the evaluator's docstrings are true."""

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import scoring.evaluator.books

MODULES = [module.name for module in pkgutil.iter_modules(scoring.evaluator.__path__)]
BOOKS = [
    f"books.{module.name}" for module in pkgutil.iter_modules(scoring.evaluator.books.__path__)
]


@pytest.fixture(params=MODULES)
def module(request):
    return importlib.import_module(f"scoring.evaluator.{request.param}")


def test_examples_of_the_evaluator_are_true(module):
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name", BOOKS)
def test_examples_of_the_rule_books_are_true(name):
    module = importlib.import_module(f"scoring.evaluator.{name}")
    assert doctest.testmod(module).failed == 0


def test_every_function_has_a_doctest(module):
    functions = {
        name: function
        for name, function in vars(module).items()
        if inspect.isroutine(inspect.unwrap(function)) and function.__module__ == module.__name__
    }
    without = [
        name
        for name, function in functions.items()
        if not name.startswith("_") and ">>>" not in (function.__doc__ or "")
    ]
    assert without == []


def test_examples_of_the_page_about_the_evaluator_are_true():
    page = str(Path(__file__).parents[2] / "docs" / "evaluator-by-example.md")
    assert doctest.testfile(page, module_relative=False, encoding="utf-8").failed == 0
