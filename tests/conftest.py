"""What every test stands on; each part says what it gives."""

pytest_plugins = [
    "tests.support.skips",
    "tests.support.databases",
    "tests.support.browser",
]
