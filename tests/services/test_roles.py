"""Roles are given and taken by who may, and nobody comes up by them alone."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.exceptions import ValidationError

from scoring.models import ApiToken, AuditEntry, Notice, PushSubscription
from scoring.models.people import OWNERS_GROUP
from scoring.models.permissions import PermissionDenied, Role, is_organiser, is_owner
from scoring.models.roles import may_handle, role_of, roles_by_account
from scoring.services.accounts import hand_over, make_reset_link, remove_second_factor
from scoring.services.guests import make_member as make_a_member
from scoring.services.invitations import (
    invite,
    invite_each,
    revoke_invitation,
    revoke_invitations,
)
from scoring.services.leaving import delete_account, make_anonymous
from scoring.services.merging import merge_players
from scoring.services.people import add_player, change_player, give_account
from scoring.services.people_lists import PersonEntry, add_people
from scoring.services.pins import set_pin
from scoring.services.roles import (
    make_organiser as give_organiser,
)
from scoring.services.roles import (
    make_owner as give_owner,
)
from scoring.services.roles import take_role
from scoring.services.sessions import close_account, end_sessions
from tests.factories import make_member, make_organiser, make_owner, make_player, make_token

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def make_admin():
    return User.objects.create_superuser("root")


def make_clerk(make, permission="change_user"):
    clerk = make("clerk")
    clerk.user_permissions.add(Permission.objects.get(codename=permission))
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    return fresh(clerk)


MAKERS = {
    Role.MEMBER: make_member,
    Role.ORGANISER: make_organiser,
    Role.OWNER: make_owner,
    Role.ADMIN: make_admin,
}


def fresh(account):
    return User.objects.get(pk=account.pk)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("role", MAKERS)
def test_an_account_has_its_role_also_while_it_is_closed(role, closed):
    account = MAKERS[role]()
    account.is_active = not closed
    account.save()
    assert role_of(account) == role
    assert roles_by_account([account]) == {account.pk: role}


class TestWhoWorksAtTheDesk:
    """They rank by what the club made of them, whatever they may change at the desk."""

    @pytest.mark.parametrize("make", [make_member, make_organiser, make_owner])
    @pytest.mark.parametrize("permission", ["change_user", "change_group"])
    def test_who_works_at_the_desk_has_the_role_of_the_club(self, make, permission):
        role = role_of(make("first"))
        assert role_of(make_clerk(make, permission)) == role

    def test_who_works_at_the_desk_lets_nobody_in_or_out_of_a_higher_account(self):
        clerk = make_clerk(make_organiser)
        for higher in (make_owner(), make_admin()):
            for act in (make_reset_link, remove_second_factor, close_account, end_sessions):
                with pytest.raises(PermissionDenied):
                    act(higher, by=clerk)
            with pytest.raises(PermissionDenied):
                merge_players(make_player(), make_player(user=higher), by=clerk)


def test_the_roles_of_many_cost_two_queries(django_assert_num_queries):
    accounts = [make_member(), make_organiser(), make_owner(), make_member()]
    with django_assert_num_queries(2):
        roles_by_account(accounts)


class TestGiving:
    def test_an_organiser_makes_an_organiser(self):
        member, by = make_member(), make_organiser()
        give_organiser(member, by=by)
        assert is_organiser(fresh(member))
        assert not is_owner(fresh(member))
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.by, entry.subject_id) == ("make_organiser", by, member.pk)

    def test_an_owner_makes_an_owner_who_organises_too(self):
        member = make_member()
        give_owner(member, by=make_owner())
        assert is_owner(fresh(member))

    @pytest.mark.parametrize("by", [AnonymousUser, make_member])
    def test_members_make_nobody_anything(self, by):
        by, member = by(), make_member()
        for give in (give_organiser, give_owner):
            with pytest.raises(PermissionDenied):
                give(member, by=by)

    def test_an_organiser_makes_no_owner(self):
        by = make_organiser()
        with pytest.raises(PermissionDenied):
            give_owner(by, by=by)
        assert role_of(fresh(by)) == Role.ORGANISER

    def test_a_closed_account_gets_no_role(self):
        member = make_member()
        member.is_active = False
        member.save()
        with pytest.raises(ValidationError):
            give_organiser(member, by=make_organiser())

    @pytest.mark.parametrize("give", [give_organiser, give_owner])
    def test_a_first_password_is_changed_before(self, give):
        by = make_owner()
        account = give_account(make_player(), "ann", "tiles on the table", by=make_organiser())
        with pytest.raises(ValidationError) as refused:
            give(account, by=by)
        assert refused.value.error_list[0].code == "first_password"
        assert role_of(fresh(account)) == Role.MEMBER
        account.set_password("wind from the east")
        account.save()
        give_organiser(account, by=by)
        assert is_organiser(fresh(account))

    @pytest.mark.parametrize("give", [give_organiser, give_owner])
    @pytest.mark.parametrize("role", [Role.ORGANISER, Role.OWNER, Role.ADMIN])
    def test_who_has_the_role_already_is_given_nothing(self, give, role):
        account, by = MAKERS[role](), make_owner("first")
        if give is give_owner and role == Role.ORGANISER:
            return
        with pytest.raises(ValidationError) as refused:
            give(account, by=by)
        assert refused.value.error_list[0].code == "has_role"
        assert not AuditEntry.objects.exists()
        assert not Notice.objects.exists()
        assert not account.groups.filter(name=OWNERS_GROUP).exists() or role == Role.OWNER

    @pytest.mark.parametrize("give", [give_organiser, give_owner])
    def test_what_the_account_was_signed_in_with_ends(self, give, client):
        member = make_member()
        client.force_login(member)
        make_token(member)
        give(member, by=make_owner())
        assert not client.get("/api/v1/me/").json().get("account")
        assert not ApiToken.objects.exists()


class TestAnAccountThatAnOrganiserCouldOpen:
    """No owner comes of it before an owner has closed every way in."""

    @pytest.fixture(params=["link", "password"])
    def opened(self, request):
        by = make_organiser()
        if request.param == "password":
            account = give_account(make_player(), "ann", "tiles on the table", by=by)
        else:
            account = make_member("ann")
            make_reset_link(account, by=by)
        account.set_password("of the organiser's")
        account.email = "organiser@club.example"
        account.save()
        EmailAddress.objects.create(user=account, email=account.email, verified=True)
        Authenticator.objects.create(user=account, type=Authenticator.Type.WEBAUTHN, data={})
        return account

    def test_an_account_that_an_organiser_could_open_becomes_no_owner(self, opened):
        with pytest.raises(ValidationError) as refused:
            give_owner(opened, by=make_owner())
        assert refused.value.error_list[0].code == "opened"
        assert role_of(fresh(opened)) == Role.MEMBER

    def test_an_account_that_was_handed_over_becomes_an_owner(self, opened, client):
        client.force_login(opened)
        owner = make_owner()
        hand_over(opened, by=owner)
        opened = fresh(opened)
        assert not client.get("/api/v1/me/").json().get("account")
        assert (opened.has_usable_password(), opened.email) == (False, "")
        for ways_in in (EmailAddress, Authenticator):
            assert not ways_in.objects.filter(user=opened).exists()
        give_owner(opened, by=owner)
        assert is_owner(fresh(opened))

    def test_an_account_is_handed_over_by_owners_only(self, opened):
        for by in (make_organiser("second"), make_member()):
            with pytest.raises(PermissionDenied):
                hand_over(opened, by=by)

    def test_the_account_of_an_owner_or_oneself_is_not_handed_over(self):
        owner = make_owner()
        for account in (owner, make_owner(), make_admin()):
            with pytest.raises(PermissionDenied):
                hand_over(account, by=owner)

    def test_a_link_of_an_owner_is_no_way_in(self):
        member, owner = make_member(), make_owner()
        make_reset_link(member, by=owner)
        give_owner(member, by=owner)
        assert is_owner(fresh(member))


class TestTaking:
    def test_an_owner_takes_the_role_of_an_organiser(self):
        organiser = make_organiser()
        take_role(organiser, Role.ORGANISER, by=make_owner())
        assert role_of(fresh(organiser)) == Role.MEMBER

    def test_an_owner_who_is_one_no_more_still_organises(self):
        first, second = make_owner(), make_owner()
        take_role(first, Role.OWNER, by=second)
        assert role_of(fresh(first)) == Role.ORGANISER

    def test_taking_a_role_takes_what_was_given_without_a_group(self):
        organiser = make_organiser()
        organiser.user_permissions.add(Permission.objects.get(codename="organise_club"))
        take_role(organiser, Role.ORGANISER, by=make_owner())
        assert role_of(fresh(organiser)) == Role.MEMBER

    def test_what_another_group_gives_is_refused_in_words(self):
        organiser = make_organiser()
        other = Group.objects.create(name="Others")
        other.permissions.add(Permission.objects.get(codename="organise_club"))
        organiser.groups.add(other)
        with pytest.raises(ValidationError):
            take_role(organiser, Role.ORGANISER, by=make_owner())

    @pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANISER])
    def test_the_last_owner_cannot_lose_a_role(self, role):
        owner = make_owner()
        closed = make_owner()
        closed.is_active = False
        closed.save()
        for by in (owner, make_admin()):
            with pytest.raises(ValidationError) as refused:
                take_role(owner, role, by=by)
            assert refused.value.code == "last_owner"
        assert role_of(fresh(owner)) == Role.OWNER

    @pytest.mark.parametrize("role", [Role.OWNER, Role.ORGANISER])
    def test_what_an_account_does_not_have_is_not_taken(self, role):
        """As from a page that is older than what somebody else did: nothing is told and nothing kept of it."""
        accounts = {Role.OWNER: make_organiser(), Role.ORGANISER: make_member()}
        with pytest.raises(ValidationError) as refused:
            take_role(accounts[role], role, by=make_owner())
        assert refused.value.code == "no_role"
        assert not AuditEntry.objects.exists()
        assert not Notice.objects.exists()

    def test_organisers_take_no_role_away(self):
        by, other = make_organiser(), make_organiser()
        with pytest.raises(PermissionDenied):
            take_role(other, Role.ORGANISER, by=by)

    def test_nobody_takes_the_role_of_who_runs_the_site(self):
        make_owner()
        with pytest.raises(PermissionDenied):
            take_role(make_admin(), Role.ORGANISER, by=make_owner())


@pytest.mark.parametrize("by", MAKERS)
@pytest.mark.parametrize("of", MAKERS)
def test_an_account_handles_itself_and_those_below(by, of):
    ranks = list(MAKERS)
    account = MAKERS[by]("by") if by != Role.ADMIN else User.objects.create_superuser("boss")
    other = MAKERS[of]()
    expected = by == Role.ADMIN or ranks.index(of) < ranks.index(by)
    assert may_handle(other, by=account) == expected
    assert may_handle(account, by=account)
    assert not may_handle(other, by=AnonymousUser())


class TestTheAccountOfAPlayer:
    """An organiser links it, but not that of somebody who may as much."""

    @pytest.mark.parametrize("role", [Role.ORGANISER, Role.OWNER, Role.ADMIN])
    def test_the_account_of_somebody_higher_is_not_taken_or_given(self, role):
        by, account = make_organiser(), MAKERS[role]()
        player = make_player(user=account)
        with pytest.raises(PermissionDenied):
            change_player(player, user=None, by=by)
        with pytest.raises(PermissionDenied):
            change_player(make_player(), user=account, by=by)
        with pytest.raises(PermissionDenied):
            add_player("Somebody", user=account, by=by)
        assert fresh(account).player == player

    def test_the_account_of_a_member_or_oneself_is_taken_and_given(self):
        by, member, player = make_organiser(), make_member(), make_player()
        change_player(player, user=member, by=by)
        change_player(make_player(), user=by, by=by)
        change_player(player, user=None, by=by)
        assert not hasattr(fresh(member), "player")


def test_no_device_of_before_hears_what_an_account_that_was_handed_over_is_told():
    account = make_member()
    PushSubscription.objects.create(user=account, endpoint="https://push.example/1")
    hand_over(account, by=make_owner())
    assert not PushSubscription.objects.exists()


def make_closed():
    account = make_member()
    User.objects.filter(pk=account.pk).update(is_active=False)
    return account


ACTS = {
    "take": lambda by: take_role(make_organiser(), Role.ORGANISER, by=by),
    "make organiser": lambda by: give_organiser(make_member(), by=by),
    "make owner": lambda by: give_owner(make_member(), by=by),
    "close": lambda by: close_account(make_member(), by=by),
    "hand over": lambda by: hand_over(make_member(), by=by),
    "delete": lambda by: delete_account(make_closed(), by=by),
    "invite": lambda by: invite(by=by),
    "invite each": lambda by: invite_each([make_player()], by=by),
    "mail each": lambda by: add_people([PersonEntry("Somebody")], by=by),
    "revoke": lambda by: revoke_invitations(by=by),
    "revoke one": lambda by: revoke_invitation(invite(by=make_owner())[0], by=by),
    "merge": lambda by: merge_players(make_player(), make_player(), by=by),
    "make anonymous": lambda by: make_anonymous(make_player(), by=by),
    "rename": lambda by: change_player(make_player(), name="Somebody", by=by),
    "make member": lambda by: make_a_member(make_player(guest=True), by=by),
    "set pin": lambda by: set_pin(make_player(), "8261", by=by),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.each_case
def test_who_lost_the_role_since_the_request_began_does_nothing(act):
    was, owner = make_owner(), make_owner()
    assert was.has_perm("scoring.own_club")  # remembered, as by a request that has begun
    take_role(fresh(was), Role.ORGANISER, by=owner)
    with pytest.raises(PermissionDenied):
        ACTS[act](was)


def test_who_was_an_owner_until_now_leaves_a_way_in_behind():
    was, member = make_owner(), make_member()
    assert was.has_perm("scoring.own_club")
    take_role(fresh(was), Role.OWNER, by=make_owner())
    make_reset_link(member, by=was)
    with pytest.raises(ValidationError) as refused:
        give_owner(member, by=make_owner())
    assert refused.value.error_list[0].code == "opened"
