"""Organisers add rule sets and rename them, without the desk."""

import pytest

from scoring.models import AuditEntry, RuleSet, RuleSetVersion
from scoring.services.rulesets import shipped_version
from tests.factories import make_organiser, ruleset_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _organiser(client):
    client.force_login(make_organiser())


def test_rules_begin_as_a_copy_and_are_then_changed(client):
    book = ruleset_version("book")
    sent = {"name": "New", "description": "As in Leiden", "like": book.ruleset_id}
    response = client.post("/rules/new/", sent)
    added = RuleSet.objects.get(name="New")
    # The address of this page is none of theirs.
    assert added.slug == "new-2"
    assert added.latest.rules.options() == book.rules.options()
    assert response.url == "/rules/new-2/new/"
    assert client.get(response.url).status_code == 200
    assert "As in Leiden" in client.get("/rules/").content.decode()


def test_rules_that_begin_as_a_book_go_on_in_the_workshop(client):
    version = shipped_version("dmjl", by=make_organiser())
    response = client.post("/rules/new/", {"name": "Ours", "like": version.ruleset_id})
    assert response.url == "/rules/dmjl/new/?name=Ours"
    assert client.get(response.url).context["form"].name.value == "Ours"
    assert not RuleSet.objects.filter(name="Ours").exists()


def test_a_name_is_refused_that_another_has(client):
    club = ruleset_version("club").ruleset
    for name in (club.name, "bmja"):
        response = client.post("/rules/new/", {"name": name, "like": club.pk})
        assert response.status_code == 422
        assert "There are rules called" in response.content.decode()
    same = client.post("/rules/club/change/", {"name": club.name, "description": "x"})
    assert same.status_code == 302
    assert client.post("/rules/new/", {"name": "", "like": club.pk}).status_code == 422
    assert client.post("/rules/new/", {"name": "Ours", "like": "999"}).status_code == 422


def test_a_rule_set_gets_another_name_and_keeps_its_address(client):
    club = ruleset_version("club").ruleset
    response = client.post("/rules/club/change/", {"name": "Our rules", "description": "Ours"})
    assert response.url == "/rules/club/"
    club.refresh_from_db()
    assert (club.name, club.slug, club.versions.count()) == ("Our rules", "club", 1)
    assert AuditEntry.objects.get(action="change_ruleset").details["after"]["name"] == "Our rules"


def test_a_name_that_is_refused_does_not_stand_above_the_form(client):
    name = ruleset_version("club").ruleset.name
    response = client.post("/rules/club/change/", {"name": "", "description": "x"})
    assert response.status_code == 422
    assert f"Change {name}" in response.content.decode()


def test_a_version_of_options_that_came_in_between_is_not_passed_over(client):
    options = {**RuleSetVersion.objects.get(ruleset__slug="club").options, "save": "1"}
    began = client.get("/rules/club/new/").context["seen"]
    client.post("/rules/club/new/", {**options, "limit": 700, "seen": began})
    page = client.post("/rules/club/new/", {**options, "limit": 800, "seen": began})
    assert page.status_code == 409
    assert "Version 2 of Club came in between" in page.content.decode()
    assert RuleSetVersion.objects.filter(ruleset__slug="club").count() == 2
    again = {**options, "limit": 800, "seen": page.context["seen"]}
    assert client.post("/rules/club/new/", again).status_code == 302


def test_the_pages_of_the_rules_lead_to_rules_of_ones_own(client):
    assert 'href="/rules/new/"' in client.get("/rules/").content.decode()
    assert 'href="/rules/club/change/"' in client.get("/rules/club/").content.decode()
    client.logout()
    assert "/rules/new/" not in client.get("/rules/").content.decode()
    assert "/change/" not in client.get("/rules/club/").content.decode()
