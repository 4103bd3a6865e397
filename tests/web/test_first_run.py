"""An empty site becomes a club on its own pages, for whoever has the code that the server printed."""

import re
from io import StringIO

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from scoring.models import AuditEntry, Club, FirstRun, League, Player
from scoring.models import first_run as memory
from scoring.models.permissions import Role, roles_of
from scoring.services.digests import digest_of
from scoring.services.first_run import StartRefused, new_code, start_club
from tests.factories import make_member, make_owner, ruleset_version

pytestmark = pytest.mark.django_db

PASSWORD = "three green dragons"
CLUB = {"step": "club", "name": "The Four Winds", "language": "nl", "time_zone": "Europe/Amsterdam"}
ACCOUNT = {"step": "account", "name": "Olga de Vries", "username": "olga", "password": PASSWORD}
NAMES = {"step": "names", "names": "Ann\n\n  Bob   Jansen \nCarla\nAnn"}


@pytest.fixture(autouse=True)
def _nobody_has_looked(monkeypatch):
    monkeypatch.setattr(memory, "_open", set())


def league():
    return {
        "step": "league",
        "ruleset_version": ruleset_version("book").pk,
        "name": "Tuesdays",
        "starts_on": "2026-01-06",
        "ends_on": "",
        "visibility": "members",
    }


def with_code():
    """A browser that has opened the address that was printed."""
    client = Client()
    assert client.get("/start/", {"code": new_code()}).url == "/start/"
    return client


def printed(*arguments):
    out = StringIO()
    call_command("start_code", *arguments, stdout=out)
    return out.getvalue()


class TestTheCode:
    def test_the_start_code_is_printed_with_the_address_until_there_is_an_account(self):
        text = printed("127.0.0.1", "8100")
        code = re.search(r"http://127\.0\.0\.1:8100/start/\?code=([\w-]{22,})\n", text)[1]
        assert FirstRun.objects.get().digest == digest_of(code)
        make_member()
        assert printed() == "This club is set up already: whoever has an account signs in.\n"

    def test_the_start_code_names_the_https_address_where_there_is_one(self, settings):
        settings.CSRF_TRUSTED_ORIGINS = ["https://club.example"]
        assert "  https://club.example/start/?code=" in printed()

    def test_the_start_code_is_for_the_port_of_the_environment_or_the_env_file(self, monkeypatch):
        monkeypatch.setenv("HOST", "0.0.0.0")
        monkeypatch.setenv("PORT", "8561")
        assert "  http://127.0.0.1:8561/start/?code=" in printed()

    def test_a_start_code_of_an_earlier_start_ends(self, client):
        earlier = new_code()
        new_code()
        assert client.get("/start/", {"code": earlier}).status_code == 422

    def test_the_start_code_can_be_typed(self, client):
        assert client.post("/start/", {"code": f" {new_code()} "}).url == "/start/"
        assert "The name" not in client.get("/start/").content.decode()
        assert 'name="time_zone"' in client.get("/start/").content.decode()

    def test_a_wrong_start_code_is_refused_and_throttled(self, client):
        new_code()
        answers = [client.post("/start/", {"code": "guess"}).status_code for _try in range(31)]
        assert (set(answers[:30]), answers[30]) == ({422}, 429)

    def test_the_start_code_is_nowhere_in_the_audit(self):
        code = new_code()
        kept = str(list(AuditEntry.objects.values_list("action", "details")))
        assert "new_code" in kept
        assert code not in kept
        assert digest_of(code) not in kept


class TestAnEmptySite:
    @pytest.mark.parametrize("page", ["/", "/leagues/", "/sign-in/", "/admin/", "/calculator/"])
    def test_an_empty_site_leads_every_page_to_the_start(self, client, page):
        assert client.get(page).url == "/start/"

    @pytest.mark.parametrize(
        "page", ["/healthz", "/manifest.webmanifest", "/worker.js", "/api/v1/leagues/"]
    )
    def test_an_empty_site_answers_what_is_no_page(self, client, page):
        assert client.get(page).status_code in (200, 503)

    def test_an_empty_site_asks_for_the_code(self, client):
        page = client.get("/start/").content.decode()
        assert 'name="code"' in page
        assert "manage.py start_code" in page


class TestTheSteps:
    def test_the_first_steps_make_a_club_that_can_play(self, client, django_assert_max_num_queries):
        client = with_code()
        for sent in (CLUB, ACCOUNT, league(), NAMES):
            response = client.post("/start/", sent)
            assert (response.status_code, response.url) == (302, "/start/"), sent
        page = client.get("/start/").content.decode()
        assert 'href="/games/new/"' in page
        club, owner = Club.objects.get(), User.objects.get()
        assert (club.name, club.language, club.time_zone) == (
            *("The Four Winds", "nl"),
            "Europe/Amsterdam",
        )
        assert set(roles_of(owner)) >= {Role.OWNER, Role.ORGANISER}
        assert (owner.is_superuser, owner.is_staff) == (False, False)
        assert owner.check_password(PASSWORD)
        assert owner.player.name == "Olga de Vries"
        assert League.objects.get().ruleset_version == ruleset_version("book")
        assert set(Player.objects.values_list("name", flat=True)) == {
            *("Olga de Vries", "Ann", "Bob Jansen", "Carla")
        }
        assert client.get("/games/new/").status_code == 200
        # Another device of the owner can end what this one is signed in with.
        assert UserSession.objects.get().session_key == client.session.session_key

    def test_the_first_steps_show_the_rules_with_a_hand(self):
        client = with_code()
        client.post("/start/", CLUB)
        client.post("/start/", ACCOUNT)
        client.cookies["django_language"] = "en"
        page = client.get("/start/").content.decode()
        assert page.count('<ul class="hand"') == 2
        assert "Winning · 20, Only pungs and kongs · 1 double, One suit only · 4 doubles" in page
        assert 'href="/rules/book/"' in page

    @pytest.mark.parametrize(
        ("before", "sent", "words", "kept"),
        [
            (
                [],
                {**CLUB, "time_zone": "Narnia"},
                "Noem een tijdzone|Name a time zone",
                "Four Winds",
            ),
            ([], {**CLUB, "name": ""}, "required", "Europe/Amsterdam"),
            ([CLUB], {**ACCOUNT, "password": "mahjong"}, "too short", "Olga de Vries"),
            ([CLUB], {**ACCOUNT, "username": "two words"}, "valid username", "Olga de Vries"),
            ([CLUB], {**ACCOUNT, "email": "olga"}, "valid email", "Olga de Vries"),
            ([CLUB, ACCOUNT], "no league", "required", "2026-01-06"),
            ([CLUB, ACCOUNT], "backwards", "lies before its first day", "Tuesdays"),
            (
                [CLUB, ACCOUNT, "league"],
                {"step": "names", "names": "Ann\nOlga de Vríes"},
                "There is already Olga de Vries: the same person",
                "Ann",
            ),
            (
                [CLUB, ACCOUNT, "league"],
                {"step": "names", "names": "Ann\nFlip\u202e"},
                r"Flip\ufffd: This name has a character that nobody can see \(U\+202E\)",
                "Ann",
            ),
        ],
    )
    def test_first_steps_that_are_refused_lose_nothing(self, before, sent, words, kept):
        client = with_code()
        client.cookies["django_language"] = "en"
        answers = {
            "league": league(),
            "no league": {**league(), "name": ""},
            "backwards": {**league(), "ends_on": "2025-01-01"},
        }
        for step in before:
            client.post("/start/", answers.get(step, step) if isinstance(step, str) else step)
        response = client.post("/start/", answers[sent] if isinstance(sent, str) else sent)
        page = response.content.decode()
        assert response.status_code == 422
        assert re.search(words, page)
        assert kept in page
        assert set(Player.objects.values_list("name", flat=True)) <= {"Olga de Vries"}

    def test_the_first_steps_go_on_with_another_code_where_they_were(self):
        with_code().post("/start/", CLUB)
        again = with_code()
        assert 'name="username"' in again.get("/start/").content.decode()
        assert Club.objects.get().name == "The Four Winds"

    def test_the_first_steps_go_on_for_who_signs_in_again(self, client):
        first = with_code()
        first.post("/start/", CLUB)
        first.post("/start/", ACCOUNT)
        assert client.get("/start/").status_code == 404
        client.force_login(User.objects.get())
        assert 'name="ruleset_version"' in client.get("/start/").content.decode()
        assert "/start/" in client.get("/").content.decode()

    def test_a_first_step_done_on_another_device_says_so(self):
        first, second = with_code(), Client()
        second.cookies = first.cookies.__class__(first.cookies)
        first.post("/start/", CLUB)
        page = second.post("/start/", {**CLUB, "name": "Another"}).content.decode()
        assert "what you sent just now is not kept" in page
        assert Club.objects.get().name == "The Four Winds"

    @pytest.mark.parametrize("typed", ["amsterdam", "europe/amsterdam", " Europe/Amsterdam "])
    def test_the_first_steps_take_the_city_for_its_clock(self, typed):
        with_code().post("/start/", {**CLUB, "time_zone": typed})
        assert Club.objects.get().time_zone == "Europe/Amsterdam"

    def test_the_first_steps_say_which_names_stood_there_twice(self):
        client = with_code()
        client.cookies["django_language"] = "en"
        for sent in (CLUB, ACCOUNT, league(), NAMES):
            client.post("/start/", sent)
        page = client.get("/start/").content.decode()
        assert "added once: Ann." in page

    def test_the_first_steps_take_a_name_once_however_it_is_written(self):
        client = with_code()
        client.cookies["django_language"] = "en"
        names = {"step": "names", "names": "Jan  Peters\nAnn\njan peters\nOLGA DE VRIES"}
        for sent in (CLUB, ACCOUNT, league(), names):
            client.post("/start/", sent)
        added = {"Jan Peters", "Ann", "Olga de Vries"}
        assert set(Player.objects.values_list("name", flat=True)) == added
        assert "added once: Jan Peters." in client.get("/start/").content.decode()

    def test_first_steps_sent_twice_are_done_once(self):
        client = with_code()
        for sent in (CLUB, CLUB, ACCOUNT, ACCOUNT, league(), league()):
            assert client.post("/start/", sent).status_code in (200, 302)
        assert (User.objects.count(), League.objects.count()) == (1, 1)

    def test_names_of_a_new_club_are_pasted_with_numbers_and_with_columns(self):
        client = with_code()
        client.cookies["django_language"] = "en"
        for sent in (CLUB, ACCOUNT, league()):
            client.post("/start/", sent)
        refused = client.post("/start/", {"step": "names", "names": "Naam;Telefoon\nAnn;12"})
        assert refused.status_code == 422
        assert "Not read: Telefoon." in refused.content.decode()
        client.post("/start/", {"step": "names", "names": "1. Ann Lee\n2. Bob Jansen"})
        assert Player.objects.filter(name__in=["Ann Lee", "Bob Jansen"]).count() == 2

    def test_names_of_a_new_club_that_look_alike_are_added_when_asked_for(self):
        client = with_code()
        names = {"step": "names", "names": "José García\nJose Garcia\nolga de vries"}
        for sent in (CLUB, ACCOUNT, league(), names):
            client.post("/start/", sent)
        assert Player.objects.count() == 1
        assert client.post("/start/", {**names, "anyway": "on"}).status_code == 302
        added = {"José García", "Jose Garcia", "Olga de Vries"}
        assert set(Player.objects.values_list("name", flat=True)) == added

    @pytest.mark.parametrize("number", [1, 40])
    def test_many_names_of_a_new_club_cost_the_queries_of_one(
        self, number, django_assert_max_num_queries
    ):
        client = with_code()
        for sent in (CLUB, ACCOUNT, league()):
            client.post("/start/", sent)
        names = "\n".join(f"Lid nr. {one}" for one in range(number))
        with django_assert_max_num_queries(45):
            client.post("/start/", {"step": "names", "names": names})
        assert Player.objects.count() == 1 + number

    def test_names_of_a_new_club_can_wait(self):
        client = with_code()
        for sent in (CLUB, ACCOUNT, league(), {"step": "names", "names": ""}):
            client.post("/start/", sent)
        assert FirstRun.objects.get().step == "done"


class TestAnOpenClub:
    def test_one_of_two_with_the_start_code_opens_the_club(self):
        client = with_code()
        client.post("/start/", CLUB)
        digest = client.session["first_run"]
        other = Client()
        other.cookies = client.cookies.__class__(client.cookies)
        start_club(digest, "olga", name="Olga", password=PASSWORD)
        with pytest.raises(StartRefused):
            start_club(digest, "eve", name="Eve", password=PASSWORD)
        late = other.post("/start/", {**ACCOUNT, "username": "eve"})
        assert late.status_code == 410
        assert "somebody was faster" in late.content.decode()
        assert list(User.objects.values_list("username", flat=True)) == ["olga"]

    def test_an_open_club_has_no_start(self, client):
        code = new_code()
        make_owner()
        for asked in ({}, {"code": code}):
            assert client.get("/start/", asked).status_code == 404
            assert client.post("/start/", asked).status_code == 404
        assert client.get("/").status_code == 200

    def test_a_club_is_opened_by_createsuperuser_as_well(self, client):
        half = with_code()
        half.post("/start/", CLUB)
        User.objects.create_superuser("root")
        assert half.get("/start/").status_code == 410
        assert half.post("/start/", ACCOUNT).status_code == 410
        assert client.get("/").status_code == 200
