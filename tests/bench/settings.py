"""The site's settings as a club runs them, but for what a benchmark would leave lying about."""

import os

os.environ.setdefault("SECRET_KEY", "of a club that nobody keeps")

from mahjong_site.settings import *  # noqa: F403
from mahjong_site.settings import LOGGING, STORAGES

# Nothing is collected: pages name static files as they lie in the source.
STATIC_ROOT = None
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"

# Every request is logged as ever, but nobody wants to read it.
LOGGING["handlers"]["console"] |= {"class": "logging.FileHandler", "filename": os.devnull}
