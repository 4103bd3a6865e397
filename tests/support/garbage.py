"""The garbage collector does not look through all tests and modules again and again: a tenth of the time."""

import gc

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
