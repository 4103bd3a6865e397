"""Organisers add rule sets, rename and delete them, without the desk."""

import pytest
from django.core.exceptions import ValidationError

from scoring.evaluator.books.loader import as_data
from scoring.models import AuditEntry, League, RuleSet, RuleSetVersion
from scoring.services.leagues import add_league
from scoring.services.rulesets import (
    add_book,
    add_ruleset,
    add_version,
    delete_ruleset,
    shipped_version,
)
from tests.factories import make_game, make_league, make_organiser, ruleset_version
from tests.support.forms import sent_as_shown

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
    sent = {"name": "Ours", "description": "As in Leiden", "like": version.ruleset_id}
    response = client.post("/rules/new/", sent)
    assert response.url == "/rules/dmjl/new/?name=Ours&about=As+in+Leiden"
    form = client.get(response.url).context["form"]
    assert (form.name.value, form.about.value) == ("Ours", "As in Leiden")
    assert not RuleSet.objects.filter(name="Ours").exists()


def test_new_rules_without_a_description_say_what_they_are_changes_of(client):
    version = shipped_version("dmjl", by=make_organiser())
    response = client.post("/rules/new/", {"name": "Ours", "like": version.ruleset_id})
    about = client.get(response.url).context["form"].about.value
    assert about.endswith(", with changes of our own.")


def test_new_rules_like_a_book_of_the_clubs_own_become_no_next_version_of_it(client):
    ours = add_book({**as_data("dmjl"), "slug": "ours", "name": "Ours"}, by=make_organiser())
    response = client.post("/rules/new/", {"name": "Others", "like": ours.ruleset_id})
    form = client.get(response.url).context["form"]
    assert (form.name.value, form.becomes_next) == ("Others", False)
    opened = client.get("/rules/ours/new/").context["form"]
    assert (opened.name.value, opened.becomes_next) == ("Ours", True)


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


def test_what_somebody_else_changed_meanwhile_stays(client):
    page = client.get("/rules/club/change/")
    shown = sent_as_shown(page)
    client.post("/rules/club/change/", {**shown, "description": "As in Leiden"})
    refused = client.post("/rules/club/change/", {**shown, "name": ""})
    again = {**sent_as_shown(refused), "name": "Thursdays"}
    assert client.post("/rules/club/change/", again).status_code == 302
    club = RuleSet.objects.get(slug="club")
    assert (club.name, club.description) == ("Thursdays", "As in Leiden")


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


class TestAnotherName:
    """A book that the club calls otherwise since it was published."""

    @pytest.fixture(autouse=True)
    def book(self, client):
        version = add_book({"base": "dmjl", "slug": "ours", "name": "Ours"}, by=make_organiser())
        client.post("/rules/ours/change/", {"name": "Thursdays", "description": ""})
        return version

    def test_a_book_has_its_new_name_wherever_it_is_shown(self, client):
        assert "<h1>Rules: Thursdays</h1>" in client.get("/rules/ours/").content.decode()
        assert 'name = "Thursdays"' in client.get("/rules/ours/1.toml").content.decode()
        assert client.get("/rules/ours/new/").context["book"].name == "Thursdays"
        assert client.get("/api/v1/rulesets/ours/").json()["book"]["name"] == "Thursdays"

    def test_the_file_of_a_book_sent_again_makes_no_other_version(self, client, book):
        text = client.get("/rules/ours/1.toml").content.decode()
        answer = client.post("/rules/import/", {"text": text, "publish": "1"})
        assert "the club has exactly this book already" in answer.content.decode()
        assert book.ruleset.versions.count() == 1


class TestDeleting:
    @pytest.fixture
    def ours(self):
        options = ruleset_version("club").rules.options()
        return add_ruleset("ours", name="Ours", options=options, by=make_organiser())

    def test_rules_that_nobody_plays_by_can_be_deleted(self, client, ours):
        assert "/rules/ours/delete/" in client.get("/rules/ours/change/").content.decode()
        assert "cannot be taken back" in client.get("/rules/ours/delete/").content.decode()
        assert client.post("/rules/ours/delete/").url == "/rules/"
        assert "The rules Ours are deleted." in client.get("/rules/").content.decode()
        assert not RuleSet.objects.filter(slug="ours").exists()
        assert AuditEntry.objects.get(action="delete_ruleset").details["name"] == "Ours"
        assert client.post("/rules/ours/delete/").status_code == 404

    def test_no_version_is_deleted_that_came_in_between(self, client, ours):
        began = client.get("/rules/ours/delete/").context["seen"]
        options = {**ours.latest.options, "limit": 700}
        add_version(RuleSetVersion(ruleset=ours, options=options, created_by=make_organiser()))
        page = client.post("/rules/ours/delete/", {"seen": began})
        assert page.status_code == 409
        assert "Version 2 of Ours came in between" in page.content.decode()
        assert "Nothing is deleted yet" in page.content.decode()
        assert ours.versions.count() == 2
        now = page.context["seen"]
        assert f'name="seen" value="{now}"' in page.content.decode()
        assert client.post("/rules/ours/delete/", {"seen": now}).url == "/rules/"
        assert not RuleSet.objects.filter(slug="ours").exists()

    def test_no_rules_are_deleted_that_were_made_anew_in_between(self, client, ours):
        began = client.get("/rules/ours/delete/").context["seen"]
        delete_ruleset(ours, by=make_organiser())
        options = ruleset_version("club").rules.options()
        add_ruleset("ours", name="Others", options=options, by=make_organiser())
        page = client.post("/rules/ours/delete/", {"seen": began})
        assert page.status_code == 409
        assert "Version 1 of Others came in between" in page.content.decode()
        assert RuleSet.objects.filter(slug="ours").exists()

    def test_a_book_that_was_taken_in_can_be_taken_in_again(self, client):
        client.post("/rules/dmjl/take/")
        assert "can be taken in again" in client.get("/rules/dmjl/delete/").content.decode()
        client.post("/rules/dmjl/delete/")
        assert not RuleSet.objects.filter(slug="dmjl").exists()
        client.post("/rules/dmjl/take/")
        assert RuleSet.objects.get(slug="dmjl").latest.number == 1

    def test_rules_of_a_league_stay(self, client, ours):
        make_league(name="Spring", ruleset_version=ours.latest)
        self.stay(client, "ours", "leagues play by them: Spring")

    def test_rules_of_a_game_stay_when_its_league_has_others(self, client, ours):
        league = make_game(league=make_league(ruleset_version=ours.latest)).league
        League.objects.filter(pk=league.pk).update(ruleset_version=ruleset_version("club"))
        self.stay(client, "ours", "games were played by them")

    def test_club_and_book_stay(self, client):
        self.stay(client, "club", "come with every site")

    def stay(self, client, slug, reason):
        assert "/delete/" not in client.get(f"/rules/{slug}/change/").content.decode()
        assert reason in client.get(f"/rules/{slug}/delete/").content.decode()
        page = client.post(f"/rules/{slug}/delete/")
        assert page.status_code == 422
        assert reason in page.content.decode()
        assert RuleSet.objects.filter(slug=slug).exists()

    def test_a_league_does_not_take_rules_that_were_deleted(self, ours):
        version = ours.latest
        delete_ruleset(ours, by=make_organiser())
        with pytest.raises(ValidationError, match="deleted meanwhile"):
            add_league("ours", name="Ours", ruleset_version=version, by=make_organiser())

    def test_rules_are_deleted_once(self, ours):
        for _time in range(2):
            delete_ruleset(RuleSet(pk=ours.pk, slug="ours"), by=make_organiser())
        assert AuditEntry.objects.filter(action="delete_ruleset").count() == 1
