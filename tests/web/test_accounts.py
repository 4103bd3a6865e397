"""What people do with their own account: its name, mail, password, language, devices."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from scoring.models import AccountSettings, ApiToken, AuditEntry
from scoring.models.permissions import Account
from scoring.operations.outbox import send_due
from scoring.services.accounts import change_name, make_reset_link
from scoring.services.locks import lock_account
from scoring.services.roles import make_organiser as give_organiser
from scoring.services.roles import make_owner as give_owner
from scoring.services.sessions import end_sessions
from tests.factories import make_member, make_organiser, make_owner, make_token
from tests.support.pages import text

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

PASSWORD, OTHER = "tiles on the table", "wind from the east"
MAIL, OTHER_MAIL = "ann@club.example", "other@club.example"


@pytest.fixture
def ann():
    return make_member("ann", password=PASSWORD)


@pytest.fixture
def sends_mail(settings):
    settings.SENDS_MAIL = True


def signs_in(name="ann", password=PASSWORD, client=None):
    client = client or Client()
    answer = client.post("/sign-in/", {"username": name, "password": password})
    return answer.status_code == 302


@pytest.fixture
def own(ann):
    """A browser in which Ann has signed in, and shown once more that it is her."""
    client = Client()
    assert signs_in(client=client)
    assert client.post("/account/again/", {"password": PASSWORD}).status_code == 302
    return client


def noted(account):
    """What ``account`` itself has done to itself, as owners read it."""
    entries = AuditEntry.objects.filter(by=account, subject="user", subject_id=account.pk)
    return list(entries.order_by("pk").values_list("action", flat=True))


def mailed():
    """What the worker sends now."""
    send_due()
    return mail.outbox


def links(message):
    """The secret paths in ``message``."""
    return re.findall(
        r"https?://[^/]+(/account/(?:mail/confirm|password/reset/key)/\S+)", message.body
    )


class TestSigningIn:
    @pytest.mark.parametrize("typed", ["ann", "ANN", " ann ", MAIL, MAIL.upper()])
    def test_signing_in_takes_name_or_mail(self, ann, typed):
        EmailAddress.objects.create(user=ann, email=MAIL, primary=True)
        assert signs_in(typed)

    def test_signing_in_takes_a_name_that_differs_by_case_only_for_itself(self, ann):
        make_member("Ann", password=OTHER)
        assert signs_in("ann", PASSWORD)
        assert signs_in("Ann", OTHER)
        assert not signs_in("ANN", PASSWORD)

    def test_signing_in_takes_a_name_that_looks_like_a_mail(self):
        make_member(MAIL, password=PASSWORD)
        assert signs_in(MAIL)

    def test_signing_in_takes_the_mail_of_an_account_made_on_the_server(self):
        User.objects.create_superuser("root", email="root@club.example", password=PASSWORD)
        assert signs_in("root@club.example")

    def test_signing_in_takes_a_mail_that_two_have_for_whoever_confirmed_it(self, ann):
        eve = make_member("eve", password=OTHER)
        EmailAddress.objects.create(user=eve, email=MAIL)
        EmailAddress.objects.create(user=ann, email=MAIL, verified=True)
        assert signs_in(MAIL)
        assert not signs_in(MAIL, OTHER)

    def test_signing_in_says_the_same_of_a_name_that_nobody_has(self, ann):
        pages = []
        for name in ("ann", "nobody"):
            page = Client().post("/sign-in/", {"username": name, "password": "guess"})
            pages.append(re.sub(r'value="\w+"|"X-CSRFToken": "\w+"', "", text(page)))
        assert pages[0] == pages[1]

    def test_signing_in_under_account_leads_to_the_home_page(self, ann):
        answer = Client().post("/account/sign-in/", {"username": "ann", "password": PASSWORD})
        assert answer.url == "/"

    def test_signing_in_is_not_for_whoever_signs_up(self):
        page = Client().post("/account/sign-up/", {"username": "eve", "password1": PASSWORD})
        assert "by invitation" in text(page)
        assert not User.objects.exists()

    def test_signing_in_goes_on_in_sessions_of_before(self, ann, client):
        client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get("/account/").status_code == 200


def test_an_account_that_is_closed_is_signed_out(own, ann):
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert own.get("/account/").status_code == 302


class TestTheOverview:
    def test_the_overview_of_an_account_names_everything_and_leads_to_it(self, own):
        page = text(own.get("/account/"))
        for path in ("name/", "mail/", "password/change/", "mfa/", "sessions/", "tokens/"):
            assert f'href="/account/{path}"' in page


class TestTheName:
    def test_the_sign_in_name_is_changed_after_the_password(self, own, ann):
        entry = {"username": "annie", "password": PASSWORD}
        assert own.post("/account/name/", entry).url == "/account/"
        assert signs_in("annie")
        assert AuditEntry.objects.latest("pk").action == "change_name"

    @pytest.mark.parametrize(
        ("entry", "sentence"),
        [
            ({"username": "BEN"}, "Somebody signs in with this name already"),
            ({"username": "a b"}, "Enter a valid username"),
            ({"username": MAIL.upper()}, "can only be your own mail address"),
            ({"username": "nobody@club.example"}, "can only be your own mail address"),
            ({"username": ""}, "Type a name to sign in with"),
            ({"password": "guess"}, "This is not your password"),
        ],
    )
    def test_a_sign_in_name_that_cannot_be_is_refused_in_words(self, own, ann, entry, sentence):
        EmailAddress.objects.create(user=make_member("ben"), email=MAIL)
        answer = own.post("/account/name/", {"username": "annie", "password": PASSWORD, **entry})
        assert answer.status_code == 422
        assert sentence in text(answer)

    def test_the_sign_in_name_may_be_ones_own_mail(self, own, ann):
        EmailAddress.objects.create(user=ann, email=MAIL)
        own.post("/account/name/", {"username": MAIL, "password": PASSWORD})
        ann.refresh_from_db()
        assert ann.username == MAIL

    def test_a_sign_in_name_of_before_with_an_at_stays(self):
        old = make_member(MAIL)
        change_name(old, MAIL, by=old)


def test_every_page_leads_to_the_account_with_and_without_a_player(own, ann):
    for path in ("/", "/leagues/"):
        assert "My account" in text(own.get(path))
        assert "My account" not in text(Client().get(path))
    for path in ("/account/notices/", "/account/data/", "/account/leave/", "/account/tokens/"):
        assert f'href="{path}"' in text(own.get("/account/"))


class TestTheMail:
    @pytest.mark.usefixtures("sends_mail")
    def test_the_mail_address_is_confirmed_by_a_link(self, own, ann):
        own.post("/account/mail/", {"email": MAIL, "action_add": "yes"})
        assert not EmailAddress.objects.get(user=ann).verified
        [path] = links(mailed()[0])
        assert own.get(path).status_code == 200
        assert not EmailAddress.objects.get(user=ann).verified
        own.post(path)
        assert EmailAddress.objects.get(user=ann).verified
        ann.refresh_from_db()
        assert ann.email == MAIL
        own.post("/account/mail/", {"email": OTHER_MAIL, "action_add": "yes"})
        own.post("/account/mail/", {"email": OTHER_MAIL, "action_remove": "yes"})
        assert noted(ann) == ["add_mail", "confirm_mail", "add_mail", "remove_mail"]
        assert "club.example" not in str(list(AuditEntry.objects.values_list("details", flat=True)))

    def test_the_mail_address_is_noted_on_a_site_that_sends_none(self, own, ann):
        page = text(own.get("/account/mail/"))
        assert "This site sends no mail" in page
        own.post("/account/mail/", {"email": MAIL, "action_add": "yes"})
        assert signs_in(MAIL)
        assert mailed() == []

    def test_the_mail_address_is_not_what_somebody_else_is_called(self, own, ann):
        make_member(MAIL)
        answer = own.post("/account/mail/", {"email": MAIL.upper(), "action_add": "yes"})
        assert answer.status_code == 422
        assert "Another account has this mail address already" in text(answer)
        assert not EmailAddress.objects.exists()

    def test_the_mail_address_is_not_that_of_somebody_who_is_faster(self, own, ann, monkeypatch):
        def lock():
            EmailAddress.objects.create(user=make_member("ben"), email=MAIL)

        monkeypatch.setattr("scoring.web.account.views.lock_sign_in_names", lock)
        answer = own.post("/account/mail/", {"email": MAIL, "action_add": "yes"})
        assert answer.status_code == 422
        assert "Another account has this mail address already" in text(answer)
        assert not EmailAddress.objects.filter(user=ann).exists()

    def test_changing_the_mail_address_asks_for_the_password_first(self, ann, client):
        signs_in(client=client)
        answer = client.post("/account/mail/", {"email": MAIL, "action_add": "yes"})
        assert answer.url.startswith("/account/again/")
        assert not EmailAddress.objects.exists()


class TestThePassword:
    @pytest.fixture
    def elsewhere(self, ann):
        client = Client()
        assert signs_in(client=client)
        return client

    def change(self, client, old=PASSWORD, new=OTHER):
        entry = {"oldpassword": old, "password1": new, "password2": new}
        return client.post("/account/password/change/", entry)

    def test_a_password_that_changes_ends_other_sessions_and_tokens(self, own, ann, elsewhere):
        make_token(ann)
        assert self.change(own).url == "/account/"
        assert own.get("/account/").status_code == 200
        assert elsewhere.get("/account/").status_code == 302
        assert ApiToken.objects.get().password_changed
        assert signs_in(password=OTHER)
        assert not signs_in()
        assert noted(ann) == ["change_password"]

    @pytest.mark.parametrize(("old", "new"), [("guess", OTHER), (PASSWORD, "short")])
    def test_a_password_that_is_refused_changes_nothing(self, own, ann, elsewhere, old, new):
        assert self.change(own, old, new).status_code == 422
        assert elsewhere.get("/account/").status_code == 200

    def test_a_password_of_before_is_not_guessed_in_a_session_left_open(self, own, settings):
        settings.SIGN_IN_FAILURES = 2
        assert [self.change(own, "guess").status_code for _time in range(3)] == [422, 422, 429]


class TestAForgottenPassword:
    def set_new(self, path):
        client = Client()
        form = client.get(path, follow=True)
        where = re.search(r'action="(/account/password/reset/key/[^"]+)"', form.content.decode())
        if where is None:
            return form.status_code
        return client.post(where[1], {"password1": OTHER, "password2": OTHER}).status_code

    @pytest.mark.usefixtures("sends_mail")
    def test_a_forgotten_password_is_replaced_by_mail_once(self, ann):
        EmailAddress.objects.create(user=ann, email=MAIL, primary=True)
        make_token(ann)
        answer = Client().post("/account/password/reset/", {"email": MAIL})
        assert answer.url == "/account/password/reset/sent/"
        # The page has not waited for the mail server.
        assert mail.outbox == []
        [path] = links(mailed()[0])
        assert "List-Unsubscribe" not in mail.outbox[0].extra_headers
        assert self.set_new(path) == 302
        assert mailed()[1].subject == "Your password was changed"
        assert signs_in(password=OTHER)
        assert ApiToken.objects.get().password_changed
        assert "was used before" in text(Client().get(path, follow=True))

    @pytest.mark.usefixtures("sends_mail")
    def test_a_forgotten_password_is_asked_for_alike_by_somebody_unknown(self, ann):
        EmailAddress.objects.create(user=ann, email=MAIL, primary=True)
        for address in (MAIL, "nobody@club.example"):
            answer = Client().post("/account/password/reset/", {"email": address})
            assert answer.url == "/account/password/reset/sent/"
        [sent] = mailed()
        assert sent.to == [MAIL]

    def test_a_forgotten_password_is_replaced_by_a_link_that_an_organiser_made(self, ann):
        path = make_reset_link(ann, by=make_organiser())
        assert self.set_new(path) == 302
        assert signs_in(password=OTHER)
        assert self.set_new(path) == 200
        assert noted(ann) == ["reset_password"]

    def test_one_of_two_who_use_a_password_link_at_once_is_let_in(self, ann, monkeypatch):
        path = make_reset_link(ann, by=make_organiser())

        def somebody_is_faster(account):
            Account.objects.filter(pk=ann.pk).update(password="theirs")
            return lock_account(account)

        monkeypatch.setattr("scoring.services.passwords.lock_account", somebody_is_faster)
        client = Client()
        form = client.get(path, follow=True).request["PATH_INFO"]
        answer = client.post(form, {"password1": OTHER, "password2": OTHER}, follow=True)
        assert "was used before" in text(answer)
        assert Account.objects.get(pk=ann.pk).password == "theirs"

    def test_a_new_password_opens_no_account_that_was_closed_meanwhile(self, ann, monkeypatch):
        path = make_reset_link(ann, by=make_organiser())

        def closed(account):
            Account.objects.filter(pk=ann.pk).update(is_active=False)
            return lock_account(account)

        monkeypatch.setattr("scoring.services.passwords.lock_account", closed)
        assert self.set_new(path) == 302
        assert not Account.objects.get(pk=ann.pk).is_active

    def test_a_password_link_is_good_for_a_day(self, ann, settings):
        path = make_reset_link(ann, by=make_organiser())
        settings.PASSWORD_RESET_TIMEOUT = -1
        assert "This link has ended" in text(Client().get(path, follow=True))

    @pytest.mark.parametrize("give", [give_organiser, give_owner])
    def test_a_password_link_ends_when_its_person_gets_a_role(self, ann, give):
        path = make_reset_link(ann, by=make_owner())
        give(ann, by=make_owner())
        assert "was used before" in text(Client().get(path, follow=True))
        assert self.set_new(path) == 200
        assert signs_in()

    def test_the_page_of_a_forgotten_password_says_where_no_mail_is_sent(self):
        assert "Ask an organiser" in text(Client().get("/account/password/reset/"))


class TestTheLanguage:
    def test_the_language_goes_along_to_a_new_device(self, own, ann):
        own.post("/language/", {"language": "nl"})
        assert AccountSettings.objects.get(user=ann).language == "nl"
        new = Client()
        signs_in(client=new)
        assert b'<html lang="nl"' in new.get("/").content

    def test_the_language_of_a_visitor_is_kept_in_the_browser_alone(self, client):
        client.post("/language/", {"language": "nl"})
        assert not AccountSettings.objects.exists()


class TestDevices:
    @pytest.fixture
    def elsewhere(self, own):
        client = Client(REMOTE_ADDR="203.0.113.7", HTTP_USER_AGENT="A phone")
        assert signs_in(client=client)
        return client

    def session_of(self, own):
        return re.search(
            r'name="session" value="(\d+)"', own.get("/account/sessions/").content.decode()
        )[1]

    def test_devices_are_listed_and_signed_out_one_by_one(self, own, elsewhere):
        page = text(own.get("/account/sessions/"))
        assert "203.0.113.7" in page
        assert "A phone" in page
        assert own.post("/account/sessions/", {"session": self.session_of(own)}).status_code == 302
        assert elsewhere.get("/account/").status_code == 302
        assert own.get("/account/").status_code == 200

    def test_devices_are_all_signed_out_but_this_one(self, own, elsewhere):
        own.post("/account/sessions/", {"session": "others"})
        assert AuditEntry.objects.get(action="end_own_sessions").details == {"ended": 1}
        assert elsewhere.get("/account/").status_code == 302
        assert own.get("/account/").status_code == 200

    def test_devices_of_others_are_left_alone(self, own, elsewhere):
        make_member("eve", password=PASSWORD)
        hers = Client()
        signs_in("eve", client=hers)
        assert hers.post("/account/sessions/", {"session": self.session_of(own)}).status_code == 404
        assert elsewhere.get("/account/").status_code == 200

    def test_devices_are_signed_out_only_by_whoever_shows_again_who_they_are(self, elsewhere, ann):
        fresh = Client()
        signs_in(client=fresh)
        answer = fresh.post("/account/sessions/", {"session": "others"})
        assert answer.url.startswith("/account/again/")
        assert elsewhere.get("/account/").status_code == 200

    def test_devices_are_signed_out_by_an_organiser(self, own, elsewhere, ann):
        end_sessions(ann, by=make_organiser())
        assert {one.get("/account/").status_code for one in (own, elsewhere)} == {302}

    def test_devices_get_another_session_when_they_show_again_who_they_are(self, ann):
        client = Client()
        signs_in(client=client)
        before = client.cookies["sessionid"].value
        client.post("/account/again/", {"password": PASSWORD})
        assert client.cookies["sessionid"].value != before
        assert UserSession.objects.count() == 1
