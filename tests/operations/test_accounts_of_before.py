"""A site of before: its accounts keep roles and passwords, and their mails become addresses."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from scoring.models import is_organiser
from tests.factories import make_member, make_organiser

pytestmark = [
    *(pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.thorough),
    pytest.mark.django_db(transaction=True),
]

PASSWORD = "tiles on the table"


def migrate(name):
    executor = MigrationExecutor(connection)
    latest = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "scoring"]
    executor.migrate([("scoring", name)] if name else latest)


@pytest.fixture(autouse=True)
def _ends_as_it_began():
    yield
    migrate(None)


def test_accounts_keep_roles_and_passwords_and_sign_in_by_mail():
    migrate("0016_api_tokens")
    organiser = make_organiser("ann", password=PASSWORD)
    User.objects.filter(pk=organiser.pk).update(email="Ann@Club.example")
    make_member("ben")
    migrate(None)
    [address] = EmailAddress.objects.all()
    assert (address.user, address.email) == (organiser, "ann@club.example")
    assert (address.verified, address.primary) == (False, True)
    assert is_organiser(User.objects.get(username="ann"))
    for typed in ("ann", "ann@club.example"):
        sent = {"username": typed, "password": PASSWORD}
        assert Client().post("/sign-in/", sent).status_code == 302


def test_what_django_axes_noted_is_forgotten():
    migrate("0016_api_tokens")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE axes_accesslog (username varchar(255))")
        cursor.execute("INSERT INTO axes_accesslog VALUES ('ann')")
    kind = ContentType.objects.create(app_label="axes", model="accesslog")
    LogEntry.objects.create(
        user=make_member(), content_type=kind, object_repr="-", action_flag=CHANGE
    )
    try:
        migrate(None)
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM axes_accesslog")
            assert cursor.fetchone() == (0,)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE axes_accesslog")
    assert LogEntry.objects.get().content_type is None
    assert not ContentType.objects.filter(app_label="axes").exists()
