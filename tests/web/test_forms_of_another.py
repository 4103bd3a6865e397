"""A form that stayed open while somebody else signed in stores nothing in their name until they send it themselves."""

import re
from html.parser import HTMLParser

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.models import RuleSetVersion, StandingRules
from scoring.services.rulesets import shipped_version
from tests.factories import make_league, make_organiser, make_owner, make_player
from tests.web.every_page import by_route, every_address, some_pages
from tests.web.test_standing_rules import filled

pytestmark = pytest.mark.django_db

SENTENCE = "Somebody else was signed in when this was entered. Nothing is stored yet: send it again"
TEXT = 'base = "dmjl"\nslug = "ours"\nname = "Ours"\n[counting]\nlimit = 800\n'


def options():
    """A version of options."""
    return "/rules/club/new/", RuleSetVersion.objects.get(ruleset__slug="club").options | {
        "limit": 700
    }


def workshop():
    return "/rules/dmjl/new/", {"name": "Ours", "counting-limit": "800"}


def text():
    return "/rules/import/", {"text": TEXT}


def standing():
    address = f"{make_league().get_absolute_url()}standing-rules/change/"
    return address, filled(minimum_count="3", minimum_of="games")


def stored():
    return RuleSetVersion.objects.count() + StandingRules.objects.count()


def carried(page, *names):
    """The fields of ``page`` that nobody sees and that are sent along."""
    html = page.content.decode()
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', html) for name in names}
    return {name: field[1] for name, field in found.items() if field}


@pytest.mark.parametrize(
    ("form", "button", "typed"),
    [
        (options, "save", '"700"'),
        (workshop, "publish", '"800"'),
        (text, "publish", "limit = 800"),
        (standing, "take", '"3"'),
    ],
    ids=["options", "workshop", "text", "standing rules"],
)
class TestFormOfAnother:
    @pytest.fixture
    def opened(self, client, form):
        """An open form, filled in by one organiser when another one signs in: where it is sent, and what of it."""
        shipped_version("dmjl", by=make_organiser())
        address, fields = form()
        client.force_login(make_organiser())
        page = client.post(address, {**fields, "try": "1"})
        fields |= carried(page, "user", "seen", "etag")
        assert fields["user"] == client.session["_auth_user_id"]
        client.force_login(make_organiser())
        return address, fields

    def test_nothing_is_stored_and_all_that_was_typed_is_shown_again(
        self, client, opened, button, typed
    ):
        address, fields = opened
        before = stored()
        page = client.post(address, {**fields, button: "1"})
        assert page.status_code == 422
        assert SENTENCE in page.content.decode()
        assert typed in page.content.decode()
        assert stored() == before

    def test_sent_again_it_is_stored_in_the_name_of_who_sends_it(
        self, client, opened, button, typed
    ):
        address, fields = opened
        page = client.post(address, {**fields, button: "1"})
        before = stored()
        again = {**fields, **carried(page, "user", "seen", "etag"), button: "1"}
        assert client.post(address, again).status_code == 302
        assert stored() == before + 1

    def test_a_page_that_stores_nothing_says_whose_it_becomes(self, client, opened, button, typed):
        address, fields = opened
        page = client.post(address, {**fields, "try": "1"})
        assert page.status_code == 200
        assert SENTENCE in page.content.decode()

    def test_a_preview_is_shown_as_ever(self, client, opened, button, typed):
        address, fields = opened
        page = client.post(address, fields, headers={"HX-Request": "true"})
        assert page.status_code == 200
        assert "Somebody else" not in page.content.decode()


def test_what_a_text_becomes_stays_chosen(client):
    organiser = make_organiser()
    client.force_login(organiser)
    client.post("/rules/import/", {"text": TEXT, "publish": "1"})
    changed = {"text": TEXT.replace("800", "900"), "become": "new", "user": organiser.pk + 1}
    page = client.post("/rules/import/", {**changed, "publish": "1"})
    assert page.status_code == 422
    assert page.context["become"].value == "new"


class Forms(HTMLParser):
    """Every form of a page that is posted: its address, what it sends if words are typed, and its buttons."""

    def __init__(self, html):
        super().__init__()
        self.found, self.open = [], None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.open = (given.get("action", ""), {}, [{}])
            if given.get("method") == "post":
                self.found.append(self.open)
        name = given.get("name")
        if self.open is None or not name:
            return
        _action, fields, buttons = self.open
        value = given.get("value") or ""
        if tag == "button":
            buttons.append({name: value})
        elif given.get("type") == "hidden":
            fields[name] = value
        elif given.get("type") == "radio":
            fields.setdefault(name, value)
        elif tag in ("input", "textarea") and given.get("type") != "checkbox":
            fields[name] = value or "Because"

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None


WRITES = re.compile(r'(INSERT|UPDATE|DELETE)(?!.*"django_session")')


@pytest.mark.slow
@pytest.mark.sqlite
def test_no_form_of_any_page_is_carried_out_in_the_name_of_another():
    """Scripts give each form that names its user the CSRF token of now: the view has to look who it is."""
    shown = make_owner(player=make_player())
    reader, other = Client(), Client()
    reader.force_login(shown)
    forms = {}
    for path, page in some_pages(reader, by_route(every_address(shown))):
        for action, fields, buttons in Forms(page.content.decode()).found:
            if fields.get("user") == str(shown.pk):
                forms[action or path, *sorted(fields)] = (action or path, fields, buttons)
    assert len(forms) > 15
    other.force_login(make_owner())
    carried_out = []
    for address, fields, buttons in forms.values():
        for button in buttons:
            with CaptureQueriesContext(connection) as asked:
                other.post(address, {**fields, **button})
            if any(WRITES.match(one["sql"]) for one in asked):
                carried_out.append((address, button))
    assert carried_out == []
