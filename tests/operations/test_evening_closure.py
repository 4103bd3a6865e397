"""A closing of before is an EveningClosure: the rows, who may read them, and their history stay."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from scoring.models import EveningClosure
from tests.factories import make_game, make_organiser

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql]

BEFORE = "0014_plain_words"


def migrate(*name):
    call_command("migrate", "scoring", *name, verbosity=0)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_rows_permissions_and_content_types_follow_there_and_back():
    game, by = make_game(), make_organiser()
    closure = EveningClosure.objects.create(league=game.league, day=game.evening, closed_by=by)
    group = Group.objects.create(name="Readers")
    group.permissions.add(Permission.objects.get(codename="view_eveningclosure"))
    kind = ContentType.objects.get_for_model(EveningClosure).pk
    try:
        migrate(BEFORE)
        loader = MigrationExecutor(connection).loader
        old = loader.project_state([("scoring", BEFORE)]).apps.get_model("scoring", "Closing")
        assert old.objects.get().pk == closure.pk
        assert [one.codename for one in group.permissions.all()] == ["view_closing"]
        assert ContentType.objects.get(pk=kind).model == "closing"
    finally:
        migrate()
    ContentType.objects.clear_cache()
    assert EveningClosure.objects.get() == closure
    assert [one.codename for one in group.permissions.all()] == ["view_eveningclosure"]
    assert ContentType.objects.get(pk=kind).model == "eveningclosure"
    assert Permission.objects.filter(content_type=kind).count() == 4


def test_a_link_of_before_leads_to_the_same_page_of_the_desk(client):
    response = client.get("/admin/scoring/closing/7/change/?a=b")
    assert response.status_code == 302
    assert response["Location"] == "/admin/scoring/eveningclosure/7/change/?a=b"
