"""The examples in the evaluator's docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

import scoring.evaluator

MODULES = [each.name for each in pkgutil.iter_modules(scoring.evaluator.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(name):
    module = importlib.import_module(f"scoring.evaluator.{name}")
    assert doctest.testmod(module).failed == 0
