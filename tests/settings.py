"""The site's settings as the tests use them: the same site, whatever the developer's environment."""

import os
from datetime import time

# What somebody has set for their own club is none of the tests' business.
for _name in (
    "ALLOWED_HOSTS",
    "CACHE_URL",
    "CALCULATOR_RATE",
    "CSRF_TRUSTED_ORIGINS",
    "DAY_TURNS_AT",
    "DEBUG",
    "EMAIL_URL",
    "HSTS_PRELOAD",
    "HSTS_SECONDS",
    "HSTS_SUBDOMAINS",
    "LANGUAGE_CODE",
    "LOG_REQUESTS",
    "NUM_PROXIES",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_NAME",
    "OIDC_SERVER_URL",
    "SCORE_RATE",
    "SEATS_RATE",
    "SIGN_IN_FAILURES",
    "SIGN_IN_RATE",
    "SITE_NAME",
    "SITE_URL",
    "THREADS",
    "TIME_ZONE",
    "TOKEN_RATE",
    "TRIED_ON",
    "VAR_DIR",
    "VISITOR_RATE",
):
    os.environ.pop(_name, None)
# The tests make their own database; only a throw-away server is named from outside.
os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL", "sqlite://")
os.environ["CONN_MAX_AGE"] = "0"
os.environ["ENV_FILE"] = ""
# Playwright keeps an event loop running in the thread of the test, which Django would refuse.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

from mahjong_site.settings import *  # noqa: E402, F403
from mahjong_site.settings import DATABASES, STORAGES  # noqa: E402

# Nothing is collected: pages name static files as they lie in the source.
STATIC_ROOT = None
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"

# Today is today at whatever hour the tests run; those of the club's day set an hour of their own.
DAY_TURNS_AT = time(0)

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # No test cuts the power; all else is as on a club's machine.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
