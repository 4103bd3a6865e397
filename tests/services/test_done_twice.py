"""What is asked for a second time, from a page of before, is written down once and told once."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import ApiToken, AuditEntry, ClubTable, Notice
from scoring.models.permissions import Role
from scoring.services.invitations import invite, revoke_invitation, revoke_invitations
from scoring.services.leaving import mark_as_left
from scoring.services.people import change_player
from scoring.services.roles import take_role
from scoring.services.sessions import (
    close_account,
    end_own_sessions,
    end_sessions,
    open_account,
)
from scoring.services.table_codes import add_tables, revoke_code
from scoring.services.tokens import end_token
from tests.factories import make_member, make_organiser, make_owner, make_player, make_token

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


def written():
    """How many entries the trail has, and how many notices there are."""
    return AuditEntry.objects.count(), Notice.objects.count()


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.OWNER])
def test_nobody_loses_a_role_that_they_do_not_have(role):
    member, by = make_member(), make_owner()
    with pytest.raises(ValidationError) as refused:
        take_role(member, role, by=by)
    assert refused.value.error_list[0].code == "no_role"
    assert written() == (0, 0)


def test_a_role_is_taken_once():
    organiser, by = make_organiser(), make_owner()
    take_role(organiser, Role.ORGANISER, by=by)
    before = written()
    with pytest.raises(ValidationError) as refused:
        take_role(organiser, Role.ORGANISER, by=by)
    assert refused.value.error_list[0].code == "no_role"
    assert written() == before


def test_an_organiser_is_no_owner_to_lose_that_role():
    organiser, by = make_organiser(), make_owner()
    with pytest.raises(ValidationError):
        take_role(organiser, Role.OWNER, by=by)
    assert written() == (0, 0)


def test_who_left_does_not_leave_again():
    player, by = make_player(), make_organiser()
    mark_as_left(player, closes=False, takes_role=False, by=by)
    before = written()
    with pytest.raises(ValidationError) as refused:
        mark_as_left(player, closes=False, takes_role=False, by=by)
    assert refused.value.error_list[0].code == "left"
    assert written() == before


def test_a_member_leaves_with_no_word_about_a_role():
    player = make_player(user=make_member())
    mark_as_left(player, closes=False, takes_role=True, by=make_owner())
    assert not AuditEntry.objects.filter(action="take_role").exists()
    assert not Notice.objects.exists()


def twice(do):
    do()
    before = written()
    do()
    assert written() == before


def test_an_invitation_is_revoked_once():
    by = make_organiser()
    invitation, _code = invite(by=by)
    twice(lambda: revoke_invitation(invitation, by=by))
    twice(lambda: revoke_invitations(by=by))


def test_a_code_of_a_table_is_revoked_once():
    by = make_organiser()
    add_tables("1", by=by)
    twice(lambda: revoke_code(ClubTable.objects.get(), by=by))


def test_a_token_ends_once():
    member = make_member()
    make_token(member)
    token = ApiToken.objects.get()
    twice(lambda: end_token(token, by=member))


def test_sessions_end_once(client):
    member, by = make_member(), make_organiser()
    client.force_login(member)
    twice(lambda: end_sessions(member, by=by))
    end_own_sessions([], by=member)
    assert not AuditEntry.objects.filter(action="end_own_sessions").exists()


def test_an_account_is_closed_once_and_opened_once():
    member, by = make_member(), make_organiser()
    twice(lambda: close_account(member, by=by))
    twice(lambda: open_account(member, by=by))


def test_who_is_back_is_not_back_again():
    player, by = make_player(active=False), make_organiser()
    twice(lambda: change_player(player, active=True, by=by))
