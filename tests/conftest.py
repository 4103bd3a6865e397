"""What every test stands on."""

import pytest


@pytest.fixture(autouse=True)
def plain_static_files(settings):
    """Static files by their own names: the manifest is made by collectstatic, which tests skip."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
