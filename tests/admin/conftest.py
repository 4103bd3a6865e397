"""Who sits at the organisers' desk."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tests.factories import make_organiser


@pytest.fixture
def organiser(db):
    """Somebody of the club's staff in the group of organisers."""
    # As after migrating, also in a database that was flushed.
    roles = import_module("scoring.migrations.0003_roles")
    roles.install(apps, SimpleNamespace(connection=connection))
    user = make_organiser()
    user.is_staff = True
    user.save()
    return user


@pytest.fixture
def superuser(db):
    return User.objects.create_superuser("root")


@pytest.fixture
def desk(organiser):
    """The admin as an organiser sees it."""
    return signed_in(organiser)


@pytest.fixture
def root(superuser):
    """The admin as a superuser sees it."""
    return signed_in(superuser)


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client
