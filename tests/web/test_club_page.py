"""The club's own settings: who changes them, and where they are followed."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.utils import timezone

from scoring.models import AuditEntry, Club, club, club_day, day_begins
from scoring.services.club import ClubSettings, change_club
from scoring.web.club.forms import ClubForm
from tests.factories import make_organiser, make_owner
from tests.support.forms import sent_as_shown

pytestmark = pytest.mark.django_db

URL = "/club/"


@pytest.fixture
def owner(client):
    user = make_owner("olga")
    client.force_login(user)
    return user


def sent(**changes):
    return {"name": "", "language": "", "time_zone": "", "colour": "jade", **changes}


def set_to(**settings):
    """The club as its page left it, for every page of this test."""
    return club.remember(Club(pk=1, **settings), seconds=3600)


class TestThePage:
    def test_the_club_page_has_every_setting_of_the_club(self):
        columns = {field.name for field in Club._meta.concrete_fields} - {"id"}
        assert set(ClubForm.Meta.fields) == set(ClubSettings.__annotations__) == columns

    def test_the_club_page_demands_no_second_step_of_owners_by_one_without(self, client, owner):
        answer = client.post(URL, sent(name="Four Winds", owners_need_second_factor="on"))
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "Set up a second step of your own first" in page
        assert 'href="/account/mfa/"' in page
        assert not Club.objects.exists()

    def test_what_another_owner_changed_of_the_club_meanwhile_stays(self, client, owner):
        client.post(URL, sent(name="Four Winds"))
        shown = sent_as_shown(client.get(URL))
        theirs = {"time_zone": "Asia/Taipei", "hides_names": "on"}
        assert client.post(URL, {**shown, **theirs}).status_code == 302
        assert client.post(URL, {**shown, "name": "Five Winds"}).status_code == 302
        saved = Club.objects.get()
        assert (saved.name, saved.time_zone) == ("Five Winds", "Asia/Taipei")
        assert saved.hides_names

    def test_the_club_page_changes_what_is_sent_and_tells_the_audit(self, client, owner):
        TOTP.activate(owner, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
        asked = sent(
            name="The  Four Winds",
            time_zone="Asia/Taipei",
            hides_names="on",
            owners_need_second_factor="on",
        )
        assert client.post(URL, asked).status_code == 302
        saved = Club.objects.get()
        assert (saved.name, saved.time_zone) == ("The Four Winds", "Asia/Taipei")
        assert (saved.hides_names, saved.owners_need_second_factor) == (True, True)
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.by) == ("change_club", owner)
        assert entry.details["before"] == {
            "name": "",
            "time_zone": "",
            "hides_names": False,
            "owners_need_second_factor": False,
        }

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"time_zone": "Narnia"}, "Name a time zone such as Europe/Amsterdam."),
            ({"time_zone": "../../etc/passwd"}, "Name a time zone such as Europe/Amsterdam."),
            ({"language": "tlh"}, "Select a valid choice."),
            ({"colour": "pink"}, "Select a valid choice."),
            ({"name": "x" * 61}, "at most 60 characters"),
        ],
    )
    def test_the_club_page_refuses_in_words_and_keeps_what_was_typed(
        self, client, owner, changes, words
    ):
        response = client.post(URL, sent(**changes))
        assert response.status_code == 422
        assert words in response.content.decode()
        assert not Club.objects.exists()

    def test_the_club_page_takes_a_name_back_to_what_the_server_says(self, client, owner):
        change_club(name="The Four Winds", by=owner)
        client.post(URL, sent())
        assert Club.objects.get().name == ""

    def test_the_club_page_is_not_an_organiser_s(self, client):
        client.force_login(make_organiser())
        assert client.post(URL, sent(name="Mine")).status_code == 403

    def test_a_change_of_the_club_is_followed_at_once(
        self, client, owner, django_capture_on_commit_callbacks
    ):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(URL, sent(name="The Four Winds"))
        assert "The Four Winds</title>" in client.get("/rules/").content.decode()


class TestTheNameAndTheColour:
    @pytest.mark.parametrize(
        "address", ["/", "/manifest.webmanifest", "/api/schema/?format=json", "/api/docs/"]
    )
    def test_the_name_and_the_colour_of_pages_are_those_of_the_club(self, client, address):
        set_to(name="The Four Winds", colour="plum")
        page = client.get(address).content.decode()
        assert "The Four Winds" in page
        assert ('data-colour="plum"' in page) == (address == "/")

    def test_the_name_and_the_colour_of_the_club_head_the_administration(
        self, client, admin_client
    ):
        set_to(name="The Four Winds")
        assert "The Four Winds" in admin_client.get("/admin/").content.decode()


class TestTheLanguage:
    @pytest.mark.parametrize(
        ("accept", "language"),
        [("", "nl"), ("fr", "nl"), ("*", "nl"), ("en", "en"), ("fr, zh-TW;q=0.5", "zh-hant")],
    )
    def test_the_language_of_the_site_is_the_club_s_where_the_browser_asks_for_none_of_ours(
        self, client, accept, language
    ):
        set_to(language="nl")
        page = client.get("/rules/", headers={"accept-language": accept}).content.decode()
        assert f'<html lang="{language}"' in page

    def test_the_language_that_was_chosen_goes_first(self, client):
        set_to(language="nl")
        client.cookies["django_language"] = "en"
        assert '<html lang="en"' in client.get("/rules/").content.decode()


class TestTheClock:
    NIGHT = datetime(2026, 3, 4, 20, 30, tzinfo=UTC)

    def test_the_clock_of_the_club_goes_before_that_of_the_server(self, settings):
        settings.DAY_TURNS_AT = time(6)
        assert club_day(self.NIGHT) == date(2026, 3, 4)
        set_to(time_zone="Asia/Tokyo")  # half past five: still the evening before
        assert club_day(self.NIGHT) == date(2026, 3, 4)
        assert day_begins(date(2026, 3, 4)) == datetime(2026, 3, 3, 21, tzinfo=UTC)
        set_to(time_zone="Pacific/Auckland")
        assert club_day(self.NIGHT) == date(2026, 3, 5)

    def test_the_clock_of_the_club_does_not_depend_on_what_is_active(self):
        set_to(time_zone="Asia/Tokyo")
        with timezone.override(ZoneInfo("America/New_York")):
            assert day_begins(date(2026, 3, 4)) == datetime(2026, 3, 3, 15, tzinfo=UTC)

    def test_the_clock_stands_at_the_foot_of_pages_and_is_put_back_after_them(self, client):
        set_to(time_zone="America/New_York")
        assert "New York" in client.get("/rules/").content.decode()
        assert timezone.get_current_timezone_name() == "UTC"


def test_what_is_printed_after_midnight_names_the_day_of_the_club(client, monkeypatch, settings):
    settings.DAY_TURNS_AT = time(6)
    night = datetime(2026, 3, 5, 1, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: night)
    page = client.get("/rules/").content.decode()
    assert " · 4 March 2026</p>" in page
