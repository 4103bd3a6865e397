"""Who sits at the organisers' desk."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from scoring.models import Adjustment, EveningClosure, HandEvent, Transfer
from tests.factories import make_organiser


@pytest.fixture
def organiser(db, monkeypatch):
    """Somebody of the club's staff in the group of organisers."""
    # As after migrating, also in a database that was flushed.
    roles = import_module("scoring.migrations.0005_roles")
    monkeypatch.setitem(roles.MAY, "eveningclosure", roles.MAY["closing"])
    monkeypatch.delitem(roles.MAY, "closing")
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


def say_something(game, by):
    """A hand of ``game`` is confirmed by its second player, who pays a fine; the evening is closed."""
    player, other = game.players[1:3]
    HandEvent.objects.create(hand=game.hands.first(), kind="confirmed", player=player, by=by)
    fine = Adjustment.objects.create(league=game.league, game=game, reason="Late", made_by=by)
    Transfer.objects.create(adjustment=fine, payer=player, payee=other, amount=50)
    EveningClosure.objects.create(league=game.league, day=game.evening, closed_by=by)
