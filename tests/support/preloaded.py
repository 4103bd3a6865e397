"""The packages that a command of the site imports, loaded once for :mod:`tests.support.processes`.

Nothing of the project is among them, nor what asks for settings: each command reads those itself.
"""

from contextlib import suppress
from importlib import import_module

from django.core.exceptions import AppRegistryNotReady, ImproperlyConfigured

PACKAGES = (
    "confusable_homoglyphs.confusables",
    "cryptography.hazmat.primitives.asymmetric.ec",
    "django.contrib.admin",
    "django.contrib.staticfiles",
    "django.core.management",
    "django.core.serializers.json",
    "django.db.backends.postgresql.psycopg_any",
    "django.db.backends.sqlite3.base",
    "django.db.models",
    "django.forms",
    "django.http",
    "django.template",
    "django.utils.translation.trans_real",
    "django.views.generic",
    "environs",
    "dj_database_url",
    "dj_email_url",
    "django_cache_url",
    "marshmallow",
    "numpy",
    "openpyxl",
    "openskill.models",
    "psycopg",
    "requests",
    "rich.progress",
    "segno",
    "tomllib",
    "whitenoise.middleware",
    "yaml",
)

for package in PACKAGES:
    with suppress(ImportError, ImproperlyConfigured, AppRegistryNotReady):
        import_module(package)
