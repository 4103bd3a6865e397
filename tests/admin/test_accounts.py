"""Accounts at the desk of who runs the site: roles, and who may come in, are the person's page's."""

import pytest
from django.contrib.auth.models import Group, Permission, User

from scoring.models import AccountSettings
from scoring.models.permissions import Role
from scoring.models.roles import role_of
from scoring.services.accounts import make_reset_link
from tests.admin.addresses import address
from tests.factories import make_member, make_organiser, make_owner, make_player

pytestmark = pytest.mark.django_db

PASSWORD = "zeppelin-4-moss"


def sent(account, **other):
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00"}
    return {"username": account.username, **joined, **other}


def fresh(account):
    return User.objects.get(pk=account.pk)


def test_the_form_of_an_account_takes_no_role_away_and_closes_nothing(root):
    owner = make_owner("otto")
    assert root.post(address(User, "change", owner.pk), sent(owner)).status_code == 302
    assert role_of(fresh(owner)) == Role.OWNER
    assert fresh(owner).is_active


def test_the_form_of_an_account_gives_no_role(root):
    member = make_member("mia")
    groups = [group.pk for group in Group.objects.all()]
    asked = {"groups": groups, "user_permissions": [Permission.objects.get(codename="own_club").pk]}
    assert root.post(address(User, "change", member.pk), sent(member, **asked)).status_code == 302
    assert role_of(fresh(member)) == Role.MEMBER


def test_nobody_runs_the_site_by_an_account_that_an_organiser_opened(root):
    member = make_member("mia")
    make_reset_link(member, by=make_organiser())
    for right in ("is_staff", "is_superuser"):
        refused = root.post(address(User, "change", member.pk), sent(member, **{right: "on"}))
        assert "hands the account over first" in refused.content.decode()
        assert role_of(fresh(member)) == Role.MEMBER


def test_nobody_is_deleted_at_the_desk(root):
    owner = make_owner("otto")
    assert root.post(address(User, "delete", owner.pk), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [owner.pk], "post": "yes"}
    root.post(address(User), chosen)
    assert User.objects.filter(pk=owner.pk).exists()


@pytest.mark.parametrize("plays", [False, True])
def test_the_page_of_an_account_leads_to_the_page_of_the_person(root, plays):
    member = make_member("mia")
    page = f"/people/accounts/{member.pk}/"
    if plays:
        page = f"/people/{make_player('Mia', user=member).pk}/"
    assert f'href="{page}"' in root.get(address(User, "change", member.pk)).content.decode()


TAKEN = {
    "Cyrillic": {"username": "оtto"},
    "capitals": {"username": "OTTO"},
    "mail as name": {"username": "otto@club.example"},
    "mail": {"email": "otto@club.example"},
}


@pytest.mark.parametrize("typed", TAKEN.values(), ids=TAKEN)
def test_sign_in_names_at_the_desk_follow_the_rule_of_every_other_entry_point(root, typed):
    owner, member = make_owner("otto"), make_member("mia")
    User.objects.filter(pk=owner.pk).update(email="otto@club.example")
    assert root.post(address(User, "change", member.pk), sent(member, **typed)).status_code == 200
    if "username" in typed:
        new = {**typed, "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
        assert root.post(address(User, "add"), new).status_code == 200
        assert User.objects.count() == 3
    assert fresh(member).username == "mia"


class TestStaffWhoDoNotRunTheSite:
    @pytest.fixture
    def clerk(self):
        names = ("view_user", "change_user", "view_group", "change_group")
        clerk = make_member("clerk")
        clerk.user_permissions.set(Permission.objects.filter(codename__in=names))
        User.objects.filter(pk=clerk.pk).update(is_staff=True)
        return clerk

    def test_staff_who_do_not_run_the_site_give_nobody_a_higher_role(self, client, clerk):
        member = make_member("mia")
        client.force_login(fresh(clerk))
        client.post(
            address(User, "change", member.pk), sent(member, is_staff="on", is_superuser="on")
        )
        assert role_of(fresh(member)) == Role.MEMBER
        assert not fresh(member).is_staff
        others = Group.objects.create(name="Others")
        everything = [one.pk for one in Permission.objects.all()]
        page = address(Group, "change", others.pk)
        client.post(page, {"name": "Others", "permissions": everything})
        assert not others.permissions.exists()

    def test_staff_who_do_not_run_the_site_let_themselves_into_no_higher_account(
        self, client, clerk
    ):
        client.force_login(fresh(clerk))
        for other in (make_owner("otto"), User.objects.create_superuser("boss"), clerk):
            page = address(User, "change", other.pk)
            client.post(page, sent(other, email="mine@club.example", is_superuser="on"))
            typed = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
            client.post(f"/admin/auth/user/{other.pk}/password/", typed)
            after = fresh(other)
            assert (after.email, after.check_password(PASSWORD)) == ("", False)
        assert not fresh(clerk).is_superuser


class TestAPasswordThatIsSetThere:
    def is_first(self, account):
        return AccountSettings.objects.filter(user=account, has_first_password=True).exists()

    def set_for(self, client, account):
        typed = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
        answer = client.post(f"/admin/auth/user/{account.pk}/password/", typed)
        assert answer.status_code == 302
        assert fresh(account).check_password(PASSWORD)

    def test_a_password_that_is_set_at_the_desk_is_a_first_one(self, root):
        member = make_member("mia")
        self.set_for(root, member)
        assert self.is_first(member)

    def test_a_password_that_is_set_at_the_desk_for_oneself_is_ones_own(self, root, superuser):
        self.set_for(root, superuser)
        assert not self.is_first(superuser)

    def test_a_password_of_a_new_account_at_the_desk_is_a_first_one(self, root):
        typed = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
        root.post(address(User, "add"), {"username": "newt", **typed})
        assert self.is_first(User.objects.get(username="newt"))


class TestTheGroupsOfRoles:
    @pytest.fixture
    def owners(self):
        make_owner("otto")
        return Group.objects.get(name="Owners")

    def test_the_groups_of_roles_are_not_deleted(self, root, owners):
        assert root.post(address(Group, "delete", owners.pk), {"post": "yes"}).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [owners.pk], "post": "yes"}
        root.post(address(Group), chosen)
        assert Group.objects.filter(name="Owners").exists()

    def test_the_groups_of_roles_keep_their_names_and_what_they_may(self, root, owners):
        root.post(address(Group, "change", owners.pk), {"name": "Others", "permissions": []})
        kept = Group.objects.get(pk=owners.pk)
        assert kept.name == "Owners"
        assert kept.permissions.filter(codename="own_club").exists()

    def test_other_groups_are_changed_and_deleted(self, root):
        clerks = Group.objects.create(name="Clerks")
        root.post(address(Group, "change", clerks.pk), {"name": "Clerks of 2026"})
        assert Group.objects.get(pk=clerks.pk).name == "Clerks of 2026"
        root.post(address(Group, "delete", clerks.pk), {"post": "yes"})
        assert not Group.objects.filter(pk=clerks.pk).exists()
