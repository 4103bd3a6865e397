"""The second step of signing in: codes of an app, recovery codes, and who has to have one."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core import mail
from django.test import Client

from scoring.models import AuditEntry, Club, Notice, Player, club
from scoring.models.club import forget, remember
from scoring.models.permissions import Scope
from tests.factories import make_member, make_organiser, make_owner, make_token

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

PASSWORD, SECRET = "tiles on the table", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
TOKEN = "/api/v1/token/"


@pytest.fixture
def ann():
    return make_member("ann", password=PASSWORD)


@pytest.fixture
def app(ann):
    """Ann has an authenticator app, and recovery codes."""
    return TOTP.activate(ann, SECRET), RecoveryCodes.activate(ann)


def code(secret=SECRET, later=0):
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def password(client=None, **more):
    client = client or Client()
    return client, client.post("/sign-in/", {"username": "ann", "password": PASSWORD, **more})


def second(client, typed):
    return client.post("/account/mfa/code/", {"code": typed})


def signed_in(client):
    return client.get("/account/").status_code == 200


def shown_again(client):
    """``client`` has just proved once more who it is."""
    client.post("/account/again/", {"password": PASSWORD})
    return client


class TestSigningIn:
    def test_signing_in_says_what_to_do_when_the_phone_is_lost(self, app):
        client, _answer = password()
        page = " ".join(client.get("/account/mfa/code/").content.decode().split())
        assert "Is your phone lost?" in page
        assert "One of your recovery codes works once in its place" in page
        assert "an organiser can remove the second step" in page

    def test_signing_in_offers_a_passkey_only_to_whoever_has_one(self, app, ann, monkeypatch):
        monkeypatch.setattr("allauth.mfa.webauthn.internal.auth.get_credentials", lambda user: [])
        client, _answer = password()
        assert b"use-passkey" not in client.get("/account/mfa/code/").content
        Authenticator.objects.create(user=ann, type=Authenticator.Type.WEBAUTHN, data={})
        assert b"use-passkey" in client.get("/account/mfa/code/").content

    def test_signing_in_asks_for_no_app_that_somebody_has_not(self, app, ann, monkeypatch):
        monkeypatch.setattr("allauth.mfa.webauthn.internal.auth.get_credentials", lambda user: [])
        client, _answer = password()
        assert "that your app shows" in client.get("/account/mfa/code/").content.decode()
        Authenticator.objects.update(type=Authenticator.Type.WEBAUTHN, data={})
        page = client.get("/account/mfa/code/").content.decode()
        assert "Use your passkey, or type one of your recovery codes." in page

    def test_signing_in_says_that_the_second_step_is_gone_meanwhile(self, app):
        client, _answer = password()
        Authenticator.objects.all().delete()
        page = client.post("/account/mfa/code/", {"code": "1"}, follow=True).content.decode()
        assert "Your second step was removed." in page

    def test_signing_in_begins_anew_once_the_password_has_changed(self, app, ann):
        client, _answer = password()
        ann.set_password("another of the tiles")
        ann.save()
        answer = second(client, code())
        assert answer.url == "/account/sign-in/"
        assert not signed_in(client)
        assert "The password was changed meanwhile" in client.get(answer.url).content.decode()

    def test_signing_in_asks_for_the_code_and_goes_on_to_where_one_wanted(self, app):
        client, answer = password(next="/players/")
        assert answer.url == "/account/mfa/code/"
        assert not signed_in(client)
        assert second(client, code()).url == "/players/"
        assert signed_in(client)

    def test_signing_in_takes_a_code_once(self, app):
        typed = code()
        assert second(password()[0], typed).status_code == 302
        assert second(password()[0], typed).status_code == 422
        assert second(password()[0], code(later=1)).status_code == 302

    def test_signing_in_takes_a_recovery_code_once(self, app):
        typed = app[1].get_unused_codes()[0]
        client, _answer = password()
        assert second(client, typed).status_code == 302
        assert "That was a recovery code; 9 are left." in client.get("/").content.decode()
        assert second(password()[0], typed).status_code == 422

    def test_signing_in_does_not_let_codes_be_guessed(self, app, settings):
        settings.SIGN_IN_FAILURES = 2
        answers = [second(password()[0], "000000").status_code for _time in range(3)]
        assert answers == [422, 422, 429]
        assert second(password()[0], code()).status_code == 429

    def test_signing_in_makes_no_device_known_by_the_password_alone(self, app):
        client, _answer = password()
        assert "device" not in client.cookies
        second(client, code())
        assert "device" in client.cookies

    def test_signing_in_keeps_the_own_form_of_a_refused_code(self, app):
        answer = second(password()[0], "12")
        assert "This code is wrong, or was used before." in answer.content.decode()


class TestASignInByProgram:
    def send(self, **more):
        body = {"username": "ann", "password": PASSWORD, **more}
        return Client().post(TOKEN, body, content_type="application/json")

    def test_a_sign_in_by_program_sends_the_code(self, app):
        refused = self.send()
        assert refused.status_code == 400
        assert [error["field"] for error in refused.json()["errors"]] == ["code"]
        assert self.send(code="000000").status_code == 400
        assert self.send(code=code()).status_code == 200

    def test_a_sign_in_by_program_with_a_wrong_password_learns_nothing_of_the_code(self, app):
        (error,) = self.send(password="guess").json()["errors"]
        assert error["field"] is None

    def test_a_sign_in_by_program_needs_no_code_where_there_is_none(self, ann):
        assert self.send().status_code == 200


class TestSettingItUp:
    @pytest.fixture
    def own(self, ann):
        return password()[0]

    def test_setting_up_a_second_factor_asks_for_the_password_first(self, own):
        assert own.get("/account/mfa/app/").url.startswith("/account/again/")

    def test_setting_up_a_second_factor_takes_the_code_that_the_app_shows(
        self, own, ann, settings, django_capture_on_commit_callbacks
    ):
        settings.SENDS_MAIL = True
        ann.email = "ann@club.example"
        ann.save()
        page = shown_again(own).get("/account/mfa/app/").content.decode()
        assert "<svg" in page
        assert " style=" not in page
        secret = re.search(r'class="secret">(\w+)<', page)[1]
        assert own.post("/account/mfa/app/", {"code": "000000"}).status_code == 422
        with django_capture_on_commit_callbacks(execute=True):
            assert own.post("/account/mfa/app/", {"code": code(secret)}).status_code == 302
        assert set(Notice.objects.values_list("params__about", flat=True)) == {"second_step"}
        assert AuditEntry.objects.get().action == "add_second_factor"
        codes = own.get("/account/mfa/recovery-codes/").content.decode()
        assert len(re.findall(r"<code>\d{8}</code>", codes)) == 10

    def test_setting_up_a_second_factor_uses_up_the_first_code(self, own):
        page = shown_again(own).get("/account/mfa/app/").content.decode()
        typed = code(re.search(r'class="secret">(\w+)<', page)[1])
        assert own.post("/account/mfa/app/", {"code": typed}).status_code == 302
        assert second(password()[0], typed).status_code == 422

    def test_setting_up_a_second_factor_is_taken_back(self, own, app):
        shown_again(own)
        own = Client()
        password(own)
        second(own, code())
        shown_again(own)
        own.post("/account/mfa/app/remove/")
        assert not Authenticator.objects.exists()
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.by.username) == ("turn_off_second_factor", "ann")
        assert entry.details == {"factor": "totp"}


class TestAnOwnerWhoOwesOne:
    @pytest.fixture(autouse=True)
    def _demanded(self, monkeypatch):
        def demanded(user):
            return user.is_authenticated and user.username == "ann"

        for where in ("scoring.services.accounts", "scoring.api.token.views"):
            monkeypatch.setattr(f"{where}.demands_second_factor", demanded)

    def test_an_owner_who_owes_a_second_factor_is_led_to_it_before_anything_else(self, ann):
        client, _answer = password()
        for path in ("/", "/players/", "/account/", "/admin/"):
            assert client.get(path).url == "/account/mfa/", path
        assert "asks its owners for a second step" in client.get("/account/mfa/").content.decode()
        assert client.get("/api/v1/games/").status_code == 403
        assert client.get("/account/again/").status_code == 200
        assert client.post("/sign-out/").status_code == 302

    def test_an_owner_who_owes_a_second_factor_gets_no_token(self, ann):
        body = {"username": "ann", "password": PASSWORD}
        assert Client().post(TOKEN, body, content_type="application/json").status_code == 400

    def test_an_owner_goes_on_with_the_second_factor_that_was_owed(self, app):
        client, _answer = password()
        second(client, code())
        assert client.get("/players/").status_code == 200

    def test_only_an_owner_is_asked_for_a_second_factor(self, ann, client):
        client.force_login(make_organiser())
        assert client.get("/players/").status_code == 200


def test_no_mail_goes_out_where_none_is_sent(app):
    second(password()[0], code())
    assert mail.outbox == []


BROKEN = {
    "a number": '{"id": 1}',
    "a list": "[1]",
    "a text": '"x"',
    "no response": '{"id": "eA", "rawId": "eA", "type": "public-key", "response": 7}',
    "no bytes": '{"id": "eA", "rawId": "eA", "type": "public-key", "response": {"clientDataJSON":'
    ' "e30", "authenticatorData": "eA", "signature": "eA", "attestationObject": "eA"}}',
    "digits": "1" * 5000,
    "brackets": "[" * 50_000,
    "objects": '{"id":' * 20_000,
    "deep": "[" * 300 + "]" * 300,
    "nothing": "",
}


@pytest.mark.parametrize("credential", BROKEN.values(), ids=BROKEN.keys())
class TestABrokenPasskey:
    def test_a_broken_passkey_signs_nobody_in(self, credential):
        browser = Client()
        answer = browser.post("/account/mfa/keys/sign-in/", {"credential": credential})
        assert (answer.status_code, answer.url) == (302, "/account/sign-in/")
        assert "message--error" in browser.get("/sign-in/").content.decode()

    def test_a_broken_passkey_is_no_second_step(self, ann, app, credential):
        client, _answer = password()
        answer = client.post("/account/mfa/code/", {"credential": credential})
        assert answer.status_code in {200, 422}
        assert "_auth_user_id" not in client.session

    def test_a_broken_passkey_is_not_added_nor_asked_for_again(self, ann, credential):
        client = shown_again(password()[0])
        client.get("/account/mfa/keys/add/")
        sent = {"name": "key", "credential": credential}
        assert client.post("/account/mfa/keys/add/", sent).status_code == 422
        answer = client.post("/account/again/key/", {"credential": credential})
        assert answer.status_code in {302, 422}
        assert not Authenticator.objects.exists()


class TestAMailAddressThatIsNotConfirmed:
    @pytest.fixture(autouse=True)
    def _address(self, ann):
        EmailAddress.objects.create(user=ann, email="ann@club.example", primary=True)

    @pytest.mark.parametrize("path", ["/account/mfa/app/", "/account/mfa/keys/add/"])
    def test_an_unconfirmed_mail_address_keeps_nobody_from_a_second_step(self, ann, path):
        client, _answer = password()
        assert shown_again(client).get(path).status_code == 200

    def test_an_unconfirmed_mail_address_does_not_lock_an_owner_out_who_owes_a_second_factor(self):
        make_owner("olga", password=PASSWORD)
        club.remember(Club(pk=1, owners_need_second_factor=True), seconds=3600)
        client = Client()
        client.post("/sign-in/", {"username": "olga", "password": PASSWORD})
        assert client.get("/").url == "/account/mfa/"
        shown_again(client)
        assert client.get("/account/mail/").status_code == 200
        page = client.get("/account/mfa/app/").content.decode()
        secret = re.search(r'class="secret">(\w+)<', page)[1]
        assert client.post("/account/mfa/app/", {"code": code(secret)}).status_code == 302
        assert client.get("/club/").status_code == 200


class TestAClubThatDemandsIt:
    @pytest.fixture
    def owner(self):
        return make_owner("otto", password=PASSWORD)

    @pytest.fixture(autouse=True)
    def demanded(self, owner):
        self.texts = [make_token(owner, scope) for scope in Scope]
        remember(Club(owners_need_second_factor=True))
        yield
        forget()

    def test_a_club_that_demands_a_second_factor_stops_tokens_made_before(self, owner):
        for text in self.texts:
            header = {"HTTP_AUTHORIZATION": f"Token {text}"}
            for path in ("/api/v1/me/", "/api/v1/players/"):
                answer = Client().get(path, **header)
                assert answer.status_code == 403
                assert "second step" in answer.json()["detail"]
            assert Client().post("/api/v1/players/", {"name": "Ann"}, **header).status_code == 403
        assert not Player.objects.exists()

    def test_a_club_that_demands_a_second_factor_lets_tokens_work_once_there_is_one(self, owner):
        TOTP.activate(owner, SECRET)
        answer = Client().get("/api/v1/me/", HTTP_AUTHORIZATION=f"Token {self.texts[0]}")
        assert answer.json()["account"] == "otto"
