"""Error pages depend on nothing: not on static files, templates, the session or the catalogues."""

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest
from django.contrib.staticfiles import storage
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.utils import translation
from whitenoise.middleware import WhiteNoiseMiddleware

from mahjong_site import static_files
from mahjong_site.last_resort import Outermost
from mahjong_site.plain_pages import SENTENCES, plain_page
from mahjong_site.static_files import HashedFiles
from scoring.web.dashboard import views as home

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

ODD = ("idna", "punycode", "hex", "base64", "zip", "undefined", "utf-7", "utf-16", '"rot13"', "\0")


@pytest.fixture
def broken(monkeypatch):
    def fail(_user):
        raise ValueError

    monkeypatch.setattr(home, "dashboard", fail)
    return Client(raise_request_exception=False)


@pytest.fixture
def nothing_collected(tmp_path, monkeypatch):
    """The files of production, none of which was collected."""
    with override_settings(STATIC_ROOT=tmp_path):
        monkeypatch.setattr(storage, "staticfiles_storage", HashedFiles(location=tmp_path))
        static_files._tell_missing.cache_clear()
        yield tmp_path


class TestAStaticFileThatIsMissing:
    def test_a_missing_static_file_is_missing_from_the_page_and_nothing_else_is(
        self, client, nothing_collected, caplog
    ):
        response = client.get("/")
        assert response.status_code == 200
        assert "/static/scoring/shared/base.css" in response.content.decode()
        assert "scoring/shared/base.css is missing: run manage.py collectstatic" in caplog.text

    def test_a_static_file_that_is_missing_takes_no_error_page_along(
        self, broken, nothing_collected
    ):
        assert broken.get("/").status_code == 500
        assert broken.get("/nowhere/").status_code == 404
        assert broken.get("/", headers={"host": "elsewhere.example"}).status_code == 400

    def test_a_static_file_of_an_earlier_release_is_not_reported_as_missing(
        self, nothing_collected, caplog
    ):
        """Collecting leaves it there, and pages stored on phones still ask for it."""
        for name in ("old.0123456789ab.css", "bootstrap.css.map"):
            (nothing_collected / name).write_text("")
        files = WhiteNoiseMiddleware(lambda _request: HttpResponse(status=404))
        old = files(RequestFactory().get("/static/old.0123456789ab.css"))
        assert "immutable" in old["Cache-Control"]
        plain = files(RequestFactory().get("/static/bootstrap.css.map"))
        assert "immutable" not in plain["Cache-Control"]
        assert "is missing" not in caplog.text

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"version": "9"}', "\udc80"])
    def test_a_static_file_in_an_unreadable_list_keeps_its_plain_name(self, tmp_path, content):
        (tmp_path / "staticfiles.json").write_text(content, errors="surrogateescape")
        files = HashedFiles(location=tmp_path, base_url="/static/")
        assert files.url("scoring/favicon.svg") == "/static/scoring/favicon.svg"


class TestAPage:
    def test_an_error_page_is_shown_in_english_when_the_catalogues_are_broken(
        self, broken, monkeypatch
    ):
        def fail(_message):
            raise OSError

        monkeypatch.setattr(translation._trans, "gettext", fail)
        page = broken.get("/")
        assert page.status_code == 500
        assert "It is not your fault" in page.content.decode()
        problem = broken.get("/api/v1/games/", headers={"host": "elsewhere.example"})
        assert problem.json()["detail"] == "This request cannot be read."

    def test_an_error_page_is_in_the_readers_language(self, broken):
        page = broken.get("/", headers={"accept-language": "nl"}).content.decode()
        assert '<html lang="nl">' in page
        assert "Naar de startpagina" in page

    @pytest.mark.parametrize("status", SENTENCES)
    def test_an_error_page_asks_for_nothing_and_its_style_is_allowed(self, status):
        page = plain_page(status, request_id="<b>", again="/?a=\"'<")
        body = page.content.decode()
        assert not re.search(r"src=|<link|<script|url\(", body)
        assert "<b>" not in body
        style = re.search("<style>(.*)</style>", body, re.DOTALL)[1]
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert f"style-src 'sha256-{digest}'" in page["Content-Security-Policy"]


class TestTheLanguageOfAThread:
    """It stays what the last reader of the thread asked for, until somebody says otherwise."""

    @pytest.fixture(autouse=True)
    def _somebody_read_chinese(self):
        with translation.override("zh-hant"):
            yield

    @pytest.fixture
    def dutch(self):
        return Client(raise_request_exception=False, headers={"accept-language": "nl"})

    @pytest.fixture
    def full(self, settings):
        settings.REQUESTS_AT_ONCE = 0

    def test_who_finds_no_place_leaves_no_language_in_the_thread(self, dutch, full):
        page = dutch.get("/")
        assert page.status_code == 503
        assert '<html lang="nl">' in page.content.decode()
        problem = dutch.get("/api/v1/games/").json()
        assert problem["detail"].startswith("De site kan nu even niet antwoorden")

    @override_settings(SECURE_SSL_REDIRECT=True)
    def test_who_calls_the_site_by_a_wrong_name_leaves_no_language_in_the_thread(self, dutch):
        page = dutch.get("/", headers={"host": "elsewhere.example"})
        assert page.status_code == 400
        assert '<html lang="nl">' in page.content.decode()

    def test_what_no_middleware_sees_leaves_no_language_in_the_thread(self):
        started = []

        def fails(_environ, _start_response):
            raise RuntimeError

        environ = RequestFactory().get("/").environ
        [body] = Outermost(fails)(environ, lambda *response: started.append(response))
        assert '<html lang="en">' in body.decode()


class TestWhatFailsBeforeAnyMiddleware:
    def answer(self, application, path, **environ):
        """Status, headers and body, as a server gets them."""
        started = []
        asked = RequestFactory().get(path).environ | environ
        body = b"".join(
            application(asked, lambda status, headers: started.extend([status, dict(headers)]))
        )
        return started[0], started[1], body.decode()

    @pytest.fixture
    def site(self):
        from django.core.handlers.wsgi import WSGIHandler

        return Outermost(WSGIHandler())

    @pytest.mark.parametrize("charset", ODD)
    @pytest.mark.parametrize("path", ["/?x=%C3%BC", "/api/v1/games/?x=1", "/healthz?x=1"])
    def test_an_encoding_that_is_none_of_text_is_refused(self, site, charset, path, caplog):
        given = f"text/plain; charset={charset}"
        status, headers, body = self.answer(site, path, CONTENT_TYPE=given)
        assert status == "400 Bad Request"
        number = headers["X-Request-ID"]
        assert number in body
        if path.startswith("/api/"):
            assert headers["Content-Type"] == "application/problem+json"
            assert json.loads(body)["request_id"] == number
        assert [record.fields["status"] for record in caplog.records] == [400]

    def test_thousands_of_fields_in_a_query_are_refused(self, site):
        given = "text/plain; charset=utf-8"
        status, _headers, _body = self.answer(site, f"/?{'a=1&' * 5001}", CONTENT_TYPE=given)
        assert status == "400 Bad Request"

    @pytest.mark.parametrize("charset", ["utf-8", "UTF8", "iso-8859-1", "windows-1252", "nonsense"])
    def test_any_other_is_read(self, site, charset):
        given = f"text/plain; charset={charset}"
        assert self.answer(site, "/sign-in/?x=1", CONTENT_TYPE=given)[0] == "200 OK"

    def test_a_bug_is_a_page_with_a_number_and_a_line_in_the_log(self, caplog):
        def fails(_environ, _start_response):
            raise RuntimeError

        status, headers, body = self.answer(Outermost(fails), "/")
        assert status == "500 Internal Server Error"
        assert headers["X-Request-ID"] in body
        assert [record.exc_info[0] for record in caplog.records] == [RuntimeError]

    def test_what_goes_well_passes(self):
        def goes_well(_environ, start_response):
            start_response("200 OK", [])
            return HttpResponse("fine")

        assert self.answer(Outermost(goes_well), "/")[::2] == ("200 OK", "fine")
