"""No way up: an organiser cannot become an owner or an admin, nor get hold of an account of one.

Every form and call is sent as an organiser, with every field that could raise somebody.
"""

from itertools import product

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from scoring.models import Invitation, Player
from scoring.models.permissions import Role
from scoring.models.roles import role_of
from scoring.web.people.person import ACTIONS
from tests.factories import make_member, make_organiser, make_owner, make_player, make_token
from tests.support.savepoints import taken_back
from tests.test_permissions import TABLE, Club, client_of, made

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
__all__ = ["made"]

PASSWORD = "three green dragons"
UP = {
    "is_superuser": "true",
    "is_staff": "true",
    "is_active": "true",
    "is_owner": "true",
    "groups": "1",
    "user_permissions": "1",
    "permissions": "own_club",
    "role": "owner",
    "roles": "owner",
    "owner": "1",
    "organiser": "1",
    "admin": "1",
    "by": "1",
    "user": "1",
    "account": "1",
    "scopes": "organise",
    "password": PASSWORD,
}


@pytest.fixture
def organiser():
    """With all that the group of organisers may do, also at the desk."""
    user = make_organiser("olga", password=PASSWORD)
    user.is_staff = True
    user.save()
    return user


@pytest.fixture
def session(organiser):
    """Of who has just shown the password: what asks for it at first would else stop everybody."""
    client = Client()
    signed_in(client, organiser)
    return client.session.session_key


def club_of(made, organiser, session):
    known = {name: made[name] for name in ("public", "hidden", "me", "account", "second", "third")}
    clients = {"organiser": client_of(organiser, session)}
    return Club(**known, clients=clients)


@pytest.fixture
def high():
    """An owner and an admin who play, by role."""
    owner = make_owner("otto", player=make_player("Otto"), password=PASSWORD)
    admin = User.objects.create_superuser("root", password=PASSWORD)
    make_player("Root", user=admin)
    return {"owner": owner, "admin": admin}


def signed_in(client, user):
    """Let ``client`` be that of ``user``, who has just shown the password."""
    client.force_login(user)
    assert client.post("/account/again/", {"password": PASSWORD}).status_code == 302


def highest():
    """Who owns or runs the site."""
    return {user.pk for user in User.objects.all() if role_of(user) in (Role.OWNER, Role.ADMIN)}


def body_of(club, call):
    """What the row of ``call`` sends, and everything that could raise somebody."""
    body = club._body(call, "organiser", api="/api/" in call)
    return {**UP, **body}


# So that no process is left alone with all of them.
PARTS = 3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_form_and_no_call_raises_anybody(made, organiser, session, part):
    before = highest()
    assert len(before) > 1
    for call in [call for call in TABLE if not call.startswith("GET ")][part::PARTS]:
        with taken_back():
            club = club_of(made, User.objects.get(pk=organiser.pk), session)
            club.send("organiser", call, body=body_of(club, call))
            assert highest() == before, call


@pytest.mark.parametrize("of", ["self", "member"])
def test_nothing_on_the_page_of_a_person_makes_an_owner(client, organiser, of):
    account = organiser if of == "self" else make_member("mia")
    player = make_player("Somebody", user=account)
    signed_in(client, organiser)
    pages = (f"/people/{player.pk}/", f"/people/accounts/{account.pk}/")
    for path, do in product(pages, ACTIONS):
        with taken_back():
            client.post(path, {**UP, "do": do, "name": "Other", "days": "7"})
            role = role_of(User.objects.get(pk=account.pk))
            assert role in (Role.MEMBER, Role.ORGANISER), (path, do)


def test_the_owner_action_is_refused(client, organiser):
    signed_in(client, organiser)
    assert client.post(f"/people/accounts/{organiser.pk}/", {"do": "owner"}).status_code == 403
    assert client.post(f"/people/accounts/{organiser.pk}/", {"do": "take"}).status_code == 403


@pytest.mark.parametrize("of", ["owner", "admin"])
class TestTheAccountOfAHigherOne:
    """Its password, its sessions, its player stay whose they are."""

    def left_alone(self, account):
        now = User.objects.get(pk=account.pk)
        assert now.is_active
        assert now.password == account.password
        assert now.player.pk == account.player.pk
        assert now.api_tokens.count() == 1

    @pytest.mark.parametrize("do", ["reset", "second_factor", "end", "unlink", "take", "owner"])
    def test_the_account_of_a_higher_one_is_not_touched_on_its_page(
        self, client, organiser, high, of, do
    ):
        account = high[of]
        make_token(account)
        browser = Client()
        browser.force_login(account)
        signed_in(client, organiser)
        for path in (f"/people/{account.player.pk}/", f"/people/accounts/{account.pk}/"):
            with taken_back():
                assert client.post(path, {**UP, "do": do}).status_code in (403, 404, 302)
            self.left_alone(account)
        assert browser.get("/players/me/pin/").status_code == 200
        assert role_of(User.objects.get(pk=account.pk)) == role_of(account)

    def test_the_account_of_a_higher_one_is_not_given_to_another_player(
        self, client, organiser, high, of
    ):
        account = high[of]
        Player.objects.filter(user=account).update(user=None)
        signed_in(client, organiser)
        guest = make_player("Guest")
        sent = {"do": "link", "account": account.pk}
        assert client.post(f"/people/{guest.pk}/", sent).status_code == 422
        sent = {"do": "link_player", "player": guest.pk}
        assert client.post(f"/people/accounts/{account.pk}/", sent).status_code == 403
        guest.refresh_from_db()
        assert guest.user is None

    def test_the_account_of_a_higher_one_is_not_merged_away(self, client, organiser, high, of):
        account, guest = high[of], make_player("Guest")
        make_token(account)
        mine = make_player("Mine", user=organiser)
        signed_in(client, organiser)
        for kept, gone in (
            (guest, account.player),
            (account.player, guest),
            (mine, account.player),
        ):
            sent = {"other": gone.pk}
            assert client.post(f"/people/{kept.pk}/merge/", sent).status_code == 403
        self.left_alone(account)

    def test_the_account_of_a_higher_one_is_not_taken_by_an_invitation(
        self, client, organiser, high, of
    ):
        signed_in(client, organiser)
        sent = {"player": high[of].player.pk, "days": "7", "once": "once"}
        assert client.post("/people/invitations/", sent).status_code == 422
        api = {"player": high[of].player.pk}
        answer = client.post("/api/v1/invitations/", api, content_type="application/json")
        assert answer.status_code == 400
        assert not Invitation.objects.exists()

    def test_the_account_of_a_higher_one_is_not_relinked_at_the_desk(
        self, client, organiser, high, of
    ):
        account, mine = high[of], make_player("Mine")
        make_token(account)
        # Who is let see the accounts may choose one there.
        for codename in ("view_user", "view_player", "change_player", "delete_player"):
            organiser.user_permissions.add(Permission.objects.get(codename=codename))
        client.force_login(User.objects.get(pk=organiser.pk))
        desk = "/admin/scoring/player"
        own = {"name": "Mine", "active": "on", "user": account.pk}
        client.post(f"{desk}/{mine.pk}/change/", own)
        free = {"name": account.player.name, "active": "on", "user": ""}
        assert client.post(f"{desk}/{account.player.pk}/change/", free).status_code == 403
        assert (
            client.post(f"{desk}/{account.player.pk}/delete/", {"post": "yes"}).status_code == 403
        )
        chosen = {"action": "delete_selected", "_selected_action": [account.player.pk]}
        client.post(f"{desk}/", {**chosen, "post": "yes"})
        self.left_alone(account)

    def test_the_account_of_a_higher_one_is_not_changed_at_the_desk(
        self, client, organiser, high, of
    ):
        organiser.groups.add(*Group.objects.filter(name="Organisers"))
        signed_in(client, organiser)
        for path in (f"auth/user/{high[of].pk}/change/", f"auth/user/{high[of].pk}/password/"):
            assert client.post(f"/admin/{path}", UP).status_code in (403, 404)
        assert client.post(f"/admin/auth/user/{organiser.pk}/change/", UP).status_code == 403
