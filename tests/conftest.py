"""What every test stands on; each part says what it gives."""

pytest_plugins = [
    "pytester",
    "tests.support.skips",
    "tests.support.databases",
    "tests.support.browser",
]
