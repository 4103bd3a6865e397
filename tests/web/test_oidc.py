"""Signing in by another server of the club's, against a small one."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers import registry
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone

from scoring.models import AuditEntry
from scoring.models.permissions import Role
from scoring.models.roles import role_of
from scoring.queries.my_data import my_data
from scoring.services.invitations import invite
from scoring.services.roles import role_group
from scoring.site.oidc import OidcServer
from tests.factories import make_member, make_organiser, make_player
from tests.support.oidc_server import CLIENT, SECRET, oidc_server

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def server():
    """The other server; the site knows it as “The Cloud”."""
    from scoring.web.account.oidc import SignInServer

    with oidc_server() as running:
        oidc = OidcServer("The Cloud", running.url, CLIENT, SECRET)
        before = dict(registry.provider_map)
        registry.register(SignInServer)
        with override_settings(
            OIDC=oidc,
            SOCIALACCOUNT_PROVIDERS=oidc.as_providers(),
            ROOT_URLCONF="tests.support.oidc_urls",
        ):
            yield running
        registry.provider_map.clear()
        registry.provider_map.update(before)


class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_arguments):
        return None


def leads_to(client, **fields):
    """Where the page that the button opens leads."""
    page = client.post("/account/oidc/sign-in/", fields)
    assert page.status_code == 200, page.content.decode()
    return unescape(
        re.search(r'http-equiv="refresh" content="0; url=([^"]+)"', page.content.decode())[1]
    )


def there_and_back(client, **fields):
    """The site's answer to a browser that went to the other server by the button."""
    try:
        build_opener(Stay).open(leads_to(client, **fields))
    except Exception as moved:
        back = urlsplit(moved.headers["Location"])
    query = {name: values[0] for name, values in parse_qs(back.query).items()}
    return client.get(back.path, query)


def signed_in(client):
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


@pytest.fixture
def mia():
    account = make_member("mia")
    account.email = "mia@club.example"
    account.set_password(PASSWORD)
    account.save()
    EmailAddress.objects.create(user=account, email=account.email, verified=True, primary=True)
    return account


PASSWORD = "tiles on the table"
MIA = {"sub": "4711", "email": "mia@club.example", "email_verified": True}


class TestWithoutASetting:
    def test_a_site_without_another_server_shows_nothing_of_it(self, client):
        assert "/account/oidc/" not in client.get("/sign-in/").content.decode()
        for address in ("/account/oidc/", "/account/oidc/sign-in/", "/account/oidc/callback/"):
            assert client.get(address).status_code == 404


class TestTheWayThere:
    def test_the_way_to_the_other_server_is_a_button_on_the_page_to_sign_in(self, client, server):
        page = client.get("/sign-in/?next=/players/").content.decode()
        assert "Sign in with The Cloud" in page
        assert 'action="/account/oidc/sign-in/"' in page

    def test_the_way_to_the_other_server_opens_no_door_in_the_policy(self, client, server):
        page = client.post("/account/oidc/sign-in/")
        assert "form-action 'self';" in page.headers["Content-Security-Policy"] + ";"
        assert "no-store" in page.headers["Cache-Control"]

    def test_the_way_to_the_other_server_has_a_state_and_a_challenge(self, client, server):
        query = parse_qs(urlsplit(leads_to(client)).query)
        assert query["redirect_uri"] == ["http://testserver/account/oidc/callback/"]
        assert query["state"]
        assert query["code_challenge"]

    def test_the_way_to_the_other_server_is_no_link_that_others_could_open_for_somebody(
        self, client, server
    ):
        assert client.get("/account/oidc/sign-in/").status_code == 405

    def test_the_way_to_the_other_server_says_when_the_server_does_not_answer(self, client, server):
        server.shutdown()
        server.server_close()
        page = client.post("/account/oidc/sign-in/")
        assert page.status_code == 502
        assert "did not work" in page.content.decode()


class TestSomebodyWhoIsConnected:
    @pytest.fixture(autouse=True)
    def connected(self, server, mia):
        server.person = {"sub": "4711"}
        SocialAccount.objects.create(user=mia, provider=server.url, uid="4711")

    def test_somebody_who_is_connected_is_signed_in_and_led_to_where_they_were(self, client, mia):
        assert there_and_back(client, next="/players/").url == "/players/"
        assert signed_in(client) == mia

    def test_somebody_who_is_connected_is_led_nowhere_else(self, client):
        assert there_and_back(client, next="https://evil.example/").url == "/"

    def test_somebody_who_is_connected_is_asked_for_the_second_step(self, client, mia):
        from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

        TOTP.activate(mia, generate_totp_secret())
        assert there_and_back(client).url == "/account/mfa/code/"
        assert signed_in(client) is None

    def test_somebody_who_is_connected_is_not_let_into_a_closed_account(self, client, mia):
        User.objects.update(is_active=False)
        there_and_back(client)
        assert signed_in(client) is None

    def test_somebody_who_is_connected_is_somebody_else_at_another_server(self, client):
        SocialAccount.objects.update(provider="https://other.example")
        assert there_and_back(client).status_code == 403
        assert signed_in(client) is None

    def test_somebody_who_is_connected_gets_no_role_by_what_the_server_says(
        self, client, server, mia
    ):
        server.person |= {"groups": ["owners"], "is_superuser": True, "is_staff": True}
        there_and_back(client)
        assert role_of(User.objects.get(pk=mia.pk)) == Role.MEMBER

    def test_somebody_who_is_connected_leaves_nothing_here_but_who_they_are(self, client, server):
        server.person |= {"birthdate": "1950-01-01", "name": "Mia"}
        there_and_back(client)
        assert SocialAccount.objects.get().extra_data == {}

    def test_somebody_who_is_connected_reads_of_the_connection_in_their_data(self, server, mia):
        assert my_data(mia)["account"]["signs_in_by"][0]["provider"] == server.url

    def test_somebody_who_is_connected_disconnects_after_the_password(self, client, mia):
        there_and_back(client)
        assert client.post("/account/oidc/").url.startswith("/account/again/")
        assert SocialAccount.objects.exists()

    def test_somebody_who_is_connected_keeps_the_only_way_in(self, client, mia):
        there_and_back(client)
        mia.set_unusable_password()
        mia.save()
        client.force_login(mia)
        refused = client.post("/account/oidc/")
        assert refused.status_code == 422
        assert "Set a password first" in refused.content.decode()


class TestAnAnswerThatIsNone:
    @pytest.mark.parametrize(
        ("person", "userinfo", "status"),
        [
            ({}, {}, 403),
            (MIA, {"sub": "somebody else"}, 502),
            ({"sub": "4711", "aud": "another site"}, {}, 502),
            ({"sub": "4711", "iss": "https://other.example"}, {}, 502),
        ],
        ids=["declined", "two people", "for another site", "of another server"],
    )
    def test_an_answer_that_is_none_signs_nobody_in(
        self, client, server, mia, person, userinfo, status
    ):
        server.person, server.userinfo = person, userinfo
        assert there_and_back(client).status_code == status
        assert signed_in(client) is None

    def test_an_answer_that_was_not_asked_for_is_refused(self, client, server, mia):
        server.person = MIA
        answer = client.get("/account/oidc/callback/", {"code": "code", "state": "guessed"})
        assert answer.status_code == 400
        assert signed_in(client) is None


class TestAVerifiedMail:
    def test_a_verified_mail_signs_its_member_in_and_connects(self, client, server, mia):
        server.person = MIA
        there_and_back(client)
        assert signed_in(client) == mia
        assert SocialAccount.objects.get().user == mia
        assert AuditEntry.objects.filter(action="connect_identity", subject_id=mia.pk).exists()

    @pytest.mark.parametrize("verified", [False, "false", None])
    def test_only_a_mail_that_the_server_verified_connects(self, client, server, mia, verified):
        server.person = MIA | {"email_verified": verified}
        assert there_and_back(client).status_code == 403
        assert signed_in(client) is None

    def test_only_a_mail_that_was_confirmed_on_the_site_connects(self, client, server, mia):
        EmailAddress.objects.update(verified=False)
        server.person = MIA
        assert there_and_back(client).status_code == 403

    def test_a_verified_mail_does_not_sign_in_who_may_do_more_than_a_member(
        self, client, server, mia
    ):
        mia.groups.add(role_group(Role.ORGANISER))
        server.person = MIA
        assert there_and_back(client).status_code == 403
        assert signed_in(client) is None


class TestSomebodyWithoutAnAccount:
    @pytest.fixture(autouse=True)
    def newcomer(self, server):
        server.person = {"sub": "9", "email": "zoe@club.example", "email_verified": True}

    def test_somebody_without_an_account_is_told_to_ask_for_an_invitation(self, client):
        page = there_and_back(client)
        assert page.status_code == 403
        assert "Ask an organiser for an invitation" in page.content.decode()
        assert not User.objects.exists()

    def test_somebody_without_an_account_joins_by_an_invitation_without_a_password(
        self, client, server
    ):
        player = make_player("Zoë Jansen")
        _invitation, code = invite(player, by=make_organiser("olga"))
        assert "Sign in with The Cloud" in client.get(f"/join/{code}/").content.decode()
        assert there_and_back(client, next=f"/join/{code}/").url == f"/join/{code}/"
        form = client.get(f"/join/{code}/")
        assert "password" not in form.context["form"].fields
        assert 'value="zoe@club.example"' in form.content.decode()
        client.post(f"/join/{code}/", {"username": "zoe", "email": "zoe@club.example"})
        account = signed_in(client)
        assert account.player == player
        assert not account.has_usable_password()
        assert EmailAddress.objects.get(user=account).verified
        client.logout()
        there_and_back(client)
        assert signed_in(client) == account

    def test_somebody_without_an_account_has_a_mail_confirmed_that_the_server_verified_only(
        self, client
    ):
        _invitation, code = invite(make_player("Zoë"), by=make_organiser("olga"))
        there_and_back(client, next=f"/join/{code}/")
        client.post(f"/join/{code}/", {"username": "zoe", "email": "other@club.example"})
        assert not EmailAddress.objects.get(user=signed_in(client)).verified


class TestConnectingByHand:
    def test_connecting_by_hand_asks_for_the_password_first(self, client, server, mia):
        client.force_login(mia)
        assert client.post("/account/oidc/sign-in/").url.startswith("/account/again/")

    def test_connecting_by_hand_connects_who_is_signed_in(self, client, server):
        olga = make_organiser("olga")
        olga.set_password(PASSWORD)
        olga.save()
        client.force_login(olga)
        client.post("/account/again/", {"password": PASSWORD})
        server.person = {"sub": "1"}
        assert there_and_back(client).url == "/account/oidc/"
        assert SocialAccount.objects.get().user == olga
        assert "is connected" in client.get("/account/oidc/").content.decode()

    def test_connecting_by_hand_does_not_take_somebody_elses(self, client, server, mia):
        SocialAccount.objects.create(user=make_member("bob"), provider=server.url, uid="1")
        mia.set_unusable_password()
        mia.save()
        client.force_login(mia)
        server.person = {"sub": "1"}
        page = client.get(there_and_back(client).url).content.decode()
        assert "Another account of the club" in page
        assert not mia.socialaccount_set.exists()


def test_an_account_that_is_connected_can_be_left(client, mia):
    """Also once the settings name no server any more."""
    SocialAccount.objects.create(user=mia, provider="https://gone.example", uid="1")
    SocialAccount.objects.update(date_joined=timezone.now())
    mia.delete()
    assert not SocialAccount.objects.exists()
