"""Settings by environment: what each variable does, and what holds when none is set."""

import os
import runpy
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import time
from pathlib import Path
from threading import Barrier

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from environs import EnvError

from mahjong_site.secret import kept_secret_key

ROOT = Path(__file__).parent.parent
VARIABLES = (
    "ALLOWED_HOSTS",
    "CACHE_URL",
    "CONN_MAX_AGE",
    "CSRF_TRUSTED_ORIGINS",
    "DATABASE_URL",
    "DAY_TURNS_AT",
    "DEBUG",
    "EMAIL_URL",
    "ENV_FILE",
    "HSTS_PRELOAD",
    "HSTS_SECONDS",
    "HSTS_SUBDOMAINS",
    "LANGUAGE_CODE",
    "LOG_REQUESTS",
    "NUM_PROXIES",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_NAME",
    "OIDC_SERVER_URL",
    "SECRET_KEY",
    "SITE_NAME",
    "SITE_URL",
    "THREADS",
    "TIME_ZONE",
    "TRIED_ON",
    "VAR_DIR",
)
HTTPS_ORIGIN = "https://club.example"
OTHER_SERVER = {
    "OIDC_NAME": "The Cloud",
    "OIDC_SERVER_URL": "https://cloud.example/realms/club/",
    "OIDC_CLIENT_ID": "club",
    "OIDC_CLIENT_SECRET": "of the club",
}


@pytest.fixture
def club(tmp_path):
    """The folder of a club of its own, so that its ``var/`` is not this checkout's."""
    shutil.copytree(ROOT / "mahjong_site", tmp_path / "mahjong_site")
    return tmp_path


@pytest.fixture
def settings_with(club, monkeypatch):
    """``settings_with(DEBUG="1")``: the settings of a club that sets nothing else."""

    def settings_with(**environment):
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        try:
            return runpy.run_path(str(club / "mahjong_site" / "settings.py"))
        finally:
            # The env file was taken over into the environment of this process.
            os.environ.clear()
            os.environ.update(before)

    before = dict(os.environ)
    return settings_with


class TestWhereTheSiteKeepsItsFiles:
    """Whoever runs a command, a timer for one, may do so in any folder."""

    @pytest.fixture(autouse=True)
    def elsewhere(self, tmp_path_factory, monkeypatch):
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))

    def test_a_relative_path_of_a_database_counts_from_the_checkout(self, settings_with, club):
        configured = settings_with(DATABASE_URL="sqlite:///club.db")
        assert configured["DATABASES"]["default"]["NAME"] == str(club / "club.db")

    def test_a_relative_folder_counts_from_the_checkout(self, settings_with, club):
        assert settings_with(VAR_DIR="files")["VAR_DIR"] == club / "files"

    def test_a_database_that_is_in_the_current_folder_alone_is_asked_about(
        self, settings_with, club
    ):
        """It was the one that was meant once: a club must not begin anew."""
        there = Path("club.db").absolute()
        there.touch()
        with pytest.raises(ImproperlyConfigured, match=rf"DATABASE_URL .*Write {there}"):
            settings_with(DATABASE_URL="sqlite:///club.db")
        assert settings_with(DATABASE_URL=f"sqlite:///{there}")["DATABASES"]
        (club / "club.db").touch()
        assert settings_with(DATABASE_URL="sqlite:///club.db")["DATABASES"]

    def test_a_database_in_memory_is_no_file(self, settings_with):
        configured = settings_with(DATABASE_URL="sqlite://")
        assert configured["DATABASES"]["default"]["NAME"] == ":memory:"

    def test_a_folder_may_be_below_that_of_whoever_runs_the_site(self, settings_with):
        home = Path(os.environ["HOME"])
        assert settings_with(VAR_DIR="~/club")["VAR_DIR"] == home / "club"


class TestEnvFile:
    """One file, read by every command, by ``make`` and by the server."""

    def test_the_env_file_sets_what_the_environment_does_not(self, settings_with, club):
        (club / ".env").write_text("SITE_NAME='The Four Winds'\nDATABASE_URL=sqlite:////srv/a.db\n")
        configured = settings_with(DATABASE_URL="sqlite:////srv/b.db")
        assert configured["SITE_NAME"] == "The Four Winds"
        assert configured["DATABASES"]["default"]["NAME"] == "/srv/b.db"

    @pytest.mark.parametrize("named", ["club.env", "/dev/null", ""])
    def test_another_env_file_may_be_named(self, settings_with, club, named):
        (club / ".env").write_text("SITE_NAME=Not this one\n")
        (club / "club.env").write_bytes(b"\xef\xbb\xbfexport SITE_NAME=Pa$$word ${HOME}\r\n")
        path = str(club / named) if named == "club.env" else named
        name = "Pa$$word ${HOME}" if named == "club.env" else "Mah Jongg Club"
        assert settings_with(ENV_FILE=path)["SITE_NAME"] == name

    def test_an_env_file_that_is_named_and_not_there_is_refused_by_name(self, settings_with, club):
        with pytest.raises(ImproperlyConfigured, match=r"lost\.env cannot be read"):
            settings_with(ENV_FILE=str(club / "lost.env"))

    def test_the_env_file_names_every_line_that_sets_nothing(self, settings_with, club, capsys):
        (club / ".env").write_text(
            "# The club\n\nSITE_NAME\nexport PORT\n\n  a secret\nSECRET_KEY=\nSITE_NAME = 'Four\nWinds'\n= 3\n"
        )
        assert settings_with()["SITE_NAME"] == "Four\nWinds"
        output = capsys.readouterr().err.splitlines()
        assert [line.split()[1] for line in output] == ["3", "4", "6", "10"]
        assert "NAME=value" in output[0]
        assert "secret" not in output[2]

    @pytest.mark.parametrize(
        "line",
        [
            'DATABASE_URL="sqlite:////srv/b.db',
            "DATABASE_URL: sqlite:////srv/b.db",
            "DATABASE_URl=sqlite:////srv/b.db",
            " export database_url=sqlite:////srv/b.db",
            "DATABASE_URL",
            "DATABASE-URL=sqlite:////srv/b.db",
            "DATABASE URL=sqlite:////srv/b.db",
            "DATABASEURL=sqlite:////srv/b.db",
            "postgres://club:secret@localhost/club",
            "set DATABASE_URL=sqlite:////srv/b.db",
            "Environment=DATABASE_URL=sqlite:////srv/b.db",
            'OIDC_NAME="Our club\nDATABASE_URL=sqlite:////srv/b.db\nSITE_URL="https://club.example"',
            "OIDC_NAME='t Draakje\nDATABASE_URL=sqlite:////srv/b.db\nEMAIL_URL='s mail",
        ],
    )
    def test_a_line_that_loses_the_database_is_refused(self, settings_with, club, line):
        (club / ".env").write_text(f"SITE_NAME=Club\n{line}\nDATABASE_URL_OF_BEFORE=x\n")
        with pytest.raises(
            ImproperlyConfigured, match=r"^Line 2 of .* names a database"
        ) as refused:
            settings_with()
        assert "/srv" not in str(refused.value)
        named = settings_with(DATABASE_URL="sqlite:////srv/a.db")["DATABASES"]["default"]["NAME"]
        assert named == "/srv/a.db"

    def test_an_env_file_with_a_null_character_is_refused_with_its_line(self, settings_with, club):
        (club / ".env").write_bytes(b"SITE_NAME=Club\n\nSECRET_KEY=a\0secret\n")
        with pytest.raises(ImproperlyConfigured, match=r"^Line 3 of .*null character") as refused:
            settings_with()
        assert "secret" not in str(refused.value).replace(str(club), "")

    def test_a_wrong_env_file_is_refused_without_a_traceback(self, club):
        (club / "empty.env").write_text("DATABASE_URL=\n")
        (club / "null.env").write_bytes(b"SITE_NAME=a\0b\n")
        for name in ("empty.env", "null.env", "lost.env"):
            done = subprocess.run(
                [sys.executable, "manage.py", "verify"],
                env={"PATH": os.environ["PATH"], "ENV_FILE": str(club / name)},
                cwd=ROOT, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 1
            assert done.stderr.startswith("A setting is wrong. ")
            assert len(done.stderr.splitlines()) == 1

    def test_the_env_file_tells_make_where_to_serve(self, settings_with, club):
        """As Django reads it: with blanks before and after a name, quotes and remarks."""
        path = club / "the club.env"
        path.write_text(
            "export  PORT=\"8765\" # the port\nWORKERS = 3\n THREADS='20'\nHOST=::1\nSECRET=$(x)\n"
        )
        output = subprocess.run(
            ["make", "--dry-run", "serve", f"ENV_FILE={path}", f"VENV={sys.prefix}", "HOST=0.0.0.0"],
            cwd=ROOT, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=True,
        ).stdout.splitlines()[-1]  # fmt: skip
        assert "--host 0.0.0.0 --port 8765" in output
        assert "--workers 3" in output
        threads = settings_with(ENV_FILE=str(path))["THREADS"]
        assert f"--blocking-threads {threads} " in output
        assert threads == 20


class TestVarDir:
    def test_the_var_dir_is_elsewhere_where_the_checkout_cannot_be_written(
        self, settings_with, club
    ):
        configured = settings_with(VAR_DIR=str(club / "of the club" / "var"))
        assert (club / "of the club" / "var" / "secret_key").exists()
        assert Path(configured["DATABASES"]["default"]["NAME"]).parent == configured["VAR_DIR"]
        assert configured["STATIC_ROOT"] == configured["VAR_DIR"] / "static"

    def test_a_var_dir_that_cannot_be_written_is_named(self, settings_with, club):
        (club / "var").write_text("A file, where a folder is needed")
        with pytest.raises(ImproperlyConfigured, match="name a folder of your own in VAR_DIR"):
            settings_with()

    def test_the_var_dir_is_not_needed_by_a_site_that_keeps_nothing_there(self, settings_with):
        settings_with(VAR_DIR="/dev/null/var", SECRET_KEY="x", DATABASE_URL="sqlite:////srv/a.db")


class TestClock:
    def test_the_clock_is_utc_and_an_evening_ends_at_six(self, settings_with):
        configured = settings_with()
        assert (configured["TIME_ZONE"], configured["DAY_TURNS_AT"]) == ("UTC", time(6))

    def test_the_clock_is_the_one_that_the_club_names(self, settings_with):
        configured = settings_with(TIME_ZONE="America/New_York", DAY_TURNS_AT="5")
        assert (configured["TIME_ZONE"], configured["DAY_TURNS_AT"]) == (
            "America/New_York",
            time(5),
        )

    def test_a_clock_that_nobody_knows_is_refused_by_name(self, settings_with):
        with pytest.raises(EnvError, match=r'"TIME_ZONE" invalid.*Europe/Amsterdam'):
            settings_with(TIME_ZONE="Narnia")


@pytest.mark.parametrize(
    "name", ["VISITOR_RATE", "SCORE_RATE", "SIGN_IN_RATE", "TOKEN_RATE", "SEATS_RATE"]
)
def test_a_rate_that_is_none_is_refused_by_name(settings_with, name):
    with pytest.raises(EnvError, match=f'"{name}" invalid.*600/min'):
        settings_with(**{name: "many"})


@pytest.mark.parametrize(
    ("name", "number", "least"), [("NUM_PROXIES", "-1", 0), ("THREADS", "2", 4)]
)
def test_a_number_that_is_too_small_is_refused_by_name(settings_with, name, number, least):
    """With proxies fewer than none, visitors' requests through one were errors of the site."""
    with pytest.raises(EnvError, match=f'"{name}" invalid.*greater than or equal to {least}'):
        settings_with(**{name: number})


class TestSecretKey:
    def test_the_secret_key_is_made_and_kept(self, settings_with, club):
        key = settings_with()["SECRET_KEY"]
        assert len(key) >= 50
        assert settings_with()["SECRET_KEY"] == key
        assert (club / "var" / "secret_key").read_text() == key

    def test_the_secret_key_is_for_the_eyes_of_its_owner(self, settings_with, club):
        settings_with()
        assert (club / "var" / "secret_key").stat().st_mode & 0o777 == 0o600

    def test_the_secret_key_is_different_for_every_club(self, tmp_path):
        assert kept_secret_key(tmp_path / "one") != kept_secret_key(tmp_path / "two")

    def test_a_secret_key_that_is_given_is_taken_and_none_is_made(self, settings_with, club):
        assert settings_with(SECRET_KEY="their own")["SECRET_KEY"] == "their own"
        assert not (club / "var" / "secret_key").exists()

    def test_the_secret_key_is_the_same_for_workers_that_start_together(self, tmp_path):
        barrier = Barrier(8)

        def start(_worker):
            barrier.wait(timeout=10)
            return kept_secret_key(tmp_path / "secret_key")

        with ThreadPoolExecutor(8) as workers:
            keys = set(workers.map(start, range(8)))
        assert keys == {(tmp_path / "secret_key").read_text()}
        assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


class TestDebug:
    def test_debug_is_off(self, settings_with):
        assert settings_with()["DEBUG"] is False

    @pytest.mark.parametrize(("value", "debug"), [("1", True), ("true", True), ("0", False)])
    def test_debug_is_what_the_environment_says(self, settings_with, value, debug):
        assert settings_with(DEBUG=value)["DEBUG"] is debug

    def test_a_debug_that_is_no_yes_or_no_is_refused_by_name(self, settings_with):
        with pytest.raises(ValueError, match="DEBUG"):
            settings_with(DEBUG="perhaps")


class TestHosts:
    def test_the_hosts_are_those_of_this_machine(self, settings_with):
        assert settings_with()["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]

    def test_the_hosts_are_those_named(self, settings_with):
        hosts = settings_with(ALLOWED_HOSTS="club.example, www.club.example")["ALLOWED_HOSTS"]
        assert hosts == ["club.example", "www.club.example"]


class TestOrigins:
    HTTPS_ONLY = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT")

    def test_a_site_without_origins_stays_on_plain_http(self, settings_with):
        configured = settings_with()
        assert configured["CSRF_TRUSTED_ORIGINS"] == []
        assert [configured[name] for name in self.HTTPS_ONLY] == [False] * 3
        assert configured["SECURE_HSTS_SECONDS"] == 0
        assert configured["SECURE_PROXY_SSL_HEADER"] is None

    def test_https_is_insisted_on_once_an_https_origin_is_named(self, settings_with):
        configured = settings_with(CSRF_TRUSTED_ORIGINS=f"{HTTPS_ORIGIN}, https://www.club.example")
        assert configured["CSRF_TRUSTED_ORIGINS"] == [HTTPS_ORIGIN, "https://www.club.example"]
        assert [configured[name] for name in self.HTTPS_ONLY] == [True] * 3
        assert configured["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")

    def test_a_promise_of_https_is_asked_for_by_name(self, settings_with):
        """Nobody can take it back: a club tries five minutes first."""
        names = [f"SECURE_HSTS_{name}" for name in ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")]
        https = {"CSRF_TRUSTED_ORIGINS": HTTPS_ORIGIN}
        for environment, expected in (
            ({}, [0, False, False]),
            ({"HSTS_SECONDS": "300"}, [300, False, False]),
            ({"HSTS_SECONDS": "31536000", "HSTS_SUBDOMAINS": "1"}, [31536000, True, False]),
        ):
            configured = settings_with(**https, **environment)
            assert [configured[name] for name in names] == expected

    def test_an_origin_of_plain_http_stays_plain(self, settings_with):
        assert not settings_with(CSRF_TRUSTED_ORIGINS="http://pi.local")["SECURE_SSL_REDIRECT"]


class TestDatabase:
    def test_the_database_is_a_file_in_var(self, settings_with, club):
        database = settings_with()["DATABASES"]["default"]
        assert database["ENGINE"] == "django.db.backends.sqlite3"
        assert Path(database["NAME"]) == club / "var" / "club.sqlite3"

    def test_sqlite_keeps_an_acknowledged_hand_through_a_power_cut(self, settings_with):
        options = settings_with()["DATABASES"]["default"]["OPTIONS"]
        assert options["transaction_mode"] == "IMMEDIATE"
        assert "journal_mode=WAL" in options["init_command"]
        assert "synchronous=FULL" in options["init_command"]

    def test_the_database_is_the_one_named(self, settings_with):
        url = "postgres://club:secret@db.example:5433/mahjong"
        database = settings_with(DATABASE_URL=url)["DATABASES"]["default"]
        assert database["ENGINE"] == "django.db.backends.postgresql"
        assert [database[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == [
            "mahjong", "club", "secret", "db.example", 5433,
        ]  # fmt: skip
        assert database["CONN_MAX_AGE"] == 60

    def test_a_database_that_is_named_by_nothing_is_refused(self, settings_with):
        with pytest.raises(ImproperlyConfigured, match="DATABASE_URL is empty"):
            settings_with(DATABASE_URL="")

    @pytest.mark.parametrize("kind", ["mysql", "oracle", "spatialite", "postgis"])
    def test_a_database_of_another_kind_is_refused(self, settings_with, kind):
        with pytest.raises(ImproperlyConfigured, match="runs on SQLite and PostgreSQL") as refused:
            settings_with(DATABASE_URL=f"{kind}://club:secret@db.example/mahjong")
        assert "secret" not in str(refused.value)

    def test_the_database_may_be_another_sqlite_file(self, settings_with):
        database = settings_with(DATABASE_URL="sqlite:////srv/club.db")["DATABASES"]["default"]
        assert database["NAME"] == "/srv/club.db"
        assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


class TestMail:
    def test_mail_is_written_to_the_console(self, settings_with):
        assert settings_with()["EMAIL_BACKEND"].endswith("console.EmailBackend")

    def test_mail_goes_by_the_server_named(self, settings_with):
        url = "submission://club:secret@mail.example?_default_from_email=club@example.org"
        configured = settings_with(EMAIL_URL=url)
        assert configured["EMAIL_BACKEND"].endswith("smtp.EmailBackend")
        assert (configured["EMAIL_HOST"], configured["EMAIL_PORT"]) == ("mail.example", 587)
        assert (configured["EMAIL_HOST_USER"], configured["EMAIL_HOST_PASSWORD"]) == (
            "club",
            "secret",
        )
        assert configured["EMAIL_USE_TLS"] is True
        assert configured["DEFAULT_FROM_EMAIL"] == "club@example.org"

    @pytest.mark.parametrize(
        ("url", "folder"),
        [
            ("file:///srv/club/mail", "/srv/club/mail"),
            ("file:///a%20b", "/a b"),
        ],
    )
    def test_mail_is_written_into_the_folder_named(self, settings_with, url, folder):
        configured = settings_with(EMAIL_URL=url)
        assert configured["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
        assert str(configured["EMAIL_FILE_PATH"]) == folder

    def test_mail_of_an_unknown_kind_is_refused_by_name(self, settings_with):
        with pytest.raises(ImproperlyConfigured, match="EMAIL_URL begins with"):
            settings_with(EMAIL_URL="pigeon://mail.example")

    def test_mails_are_written_to_the_folder_named(self, settings_with, tmp_path):
        configured = settings_with(EMAIL_URL="file:///srv/club%20mails")
        assert configured["EMAIL_BACKEND"].endswith("filebased.EmailBackend")
        assert str(configured["EMAIL_FILE_PATH"]) == "/srv/club mails"

    @pytest.mark.parametrize("url", ["file:mails/out", "file://mails/out"])
    def test_a_relative_folder_for_mails_is_in_var_dir(self, settings_with, url):
        configured = settings_with(EMAIL_URL=url)
        assert configured["EMAIL_FILE_PATH"] == configured["VAR_DIR"] / "mails/out"

    def test_mails_without_a_folder_are_refused(self, settings_with):
        with pytest.raises(ImproperlyConfigured, match="EMAIL_URL names no folder"):
            settings_with(EMAIL_URL="file:")


class TestCache:
    def test_the_cache_is_each_worker_s_own(self, settings_with):
        assert settings_with()["CACHES"]["default"]["BACKEND"].endswith("LocMemCache")

    def test_the_cache_is_shared_where_one_is_named(self, settings_with):
        cache = settings_with(CACHE_URL="file:///srv/club-cache")["CACHES"]["default"]
        assert cache["BACKEND"].endswith("FileBasedCache")
        assert cache["LOCATION"] == "/srv/club-cache"


class TestLanguage:
    def test_the_language_is_english(self, settings_with):
        assert settings_with()["LANGUAGE_CODE"] == "en"

    def test_the_language_is_one_of_those_there_are(self, settings_with):
        assert settings_with(LANGUAGE_CODE="zh-hant")["LANGUAGE_CODE"] == "zh-hant"
        with pytest.raises(EnvError, match=r'"LANGUAGE_CODE" invalid.*en, nl, zh-hant'):
            settings_with(LANGUAGE_CODE="tlh")


class TestSiteName:
    def test_the_site_name_is_a_name_for_any_club(self, settings_with):
        assert settings_with()["SITE_NAME"] == "Mah Jongg Club"

    def test_the_site_name_is_the_one_given(self, settings_with):
        assert settings_with(SITE_NAME="The Four Winds")["SITE_NAME"] == "The Four Winds"

    @pytest.mark.django_db
    def test_the_site_name_stands_on_every_page(self, client):
        with override_settings(SITE_NAME="The Four Winds"):
            assert "The Four Winds" in client.get("/sign-in/").content.decode()


class TestSigningInByAnotherServer:
    PROVIDER = "allauth.socialaccount.providers.openid_connect"

    def test_signing_in_by_another_server_is_off_unless_all_is_said(self, settings_with):
        for without in OTHER_SERVER:
            configured = settings_with(**{k: v for k, v in OTHER_SERVER.items() if k != without})
            assert self.PROVIDER not in configured["INSTALLED_APPS"]
            assert "SOCIALACCOUNT_PROVIDERS" not in configured

    def test_signing_in_by_another_server_goes_to_the_server_that_is_named(self, settings_with):
        configured = settings_with(**OTHER_SERVER)
        assert self.PROVIDER in configured["INSTALLED_APPS"]
        (app,) = configured["SOCIALACCOUNT_PROVIDERS"]["openid_connect"]["APPS"]
        assert app["provider_id"] == "https://cloud.example/realms/club"


@pytest.mark.slow
class TestDeployment:
    PRODUCTION = {
        "ALLOWED_HOSTS": "club.example",
        "CSRF_TRUSTED_ORIGINS": HTTPS_ORIGIN,
        "NUM_PROXIES": "1",
    }

    def check(self, **environment):
        """``manage.py check --deploy`` in a process that knows nothing of this test run."""
        return subprocess.run(
            [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
            env={"PATH": os.environ["PATH"], "ENV_FILE": ""} | environment,
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def test_the_check_for_deployment_is_clean_in_production(self):
        checked = self.check(**self.PRODUCTION)
        assert checked.stderr == ""
        assert "no issues" in checked.stdout
        assert checked.returncode == 0

    def test_the_check_for_deployment_names_a_proxy_that_is_not_counted(self):
        checked = self.check(**self.PRODUCTION | {"NUM_PROXIES": "0"})
        assert checked.returncode == 1
        assert "the whole club shares one rate limit" in checked.stderr

    @pytest.mark.thorough
    def test_the_check_for_deployment_names_what_is_missing_of_another_server(self):
        checked = self.check(**self.PRODUCTION, OIDC_NAME="The Cloud", OIDC_CLIENT_ID="club")
        assert checked.returncode == 1
        assert "OIDC_SERVER_URL, OIDC_CLIENT_SECRET is not set" in checked.stderr

    @pytest.mark.thorough
    def test_the_check_for_deployment_is_clean_with_another_server(self):
        checked = self.check(**self.PRODUCTION, **OTHER_SERVER)
        assert checked.returncode == 0, checked.stderr

    @pytest.mark.thorough
    def test_the_check_for_deployment_is_not_clean_while_debugging(self):
        checked = self.check(**self.PRODUCTION, DEBUG="1")
        assert checked.returncode == 1
        assert "security.W018" in checked.stderr
