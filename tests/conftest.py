"""What every test stands on; each part says what it gives."""

pytest_plugins = [
    "tests.support.browser",
    "tests.support.databases",
    "tests.support.skips",
]
