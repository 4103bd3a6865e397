"""A service whose row was read before somebody else changed it undoes nothing of that."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import ClubTable, Player
from scoring.models.permissions import PermissionDenied
from scoring.services.guests import make_member as end_being_a_guest
from scoring.services.invitations import InvitationRefused, invite, join
from scoring.services.leaving import leave_club, make_anonymous
from scoring.services.merging import merge_players
from scoring.services.people import add_player, change_player, give_account
from scoring.services.pins import Proof, change_pin, set_pin
from scoring.services.table_codes import add_tables, find_table, rename_table, renew_codes
from tests.api.callers import caller
from tests.factories import make_member, make_organiser, make_owner, make_player

pytestmark = pytest.mark.django_db

PASSWORD = "zeppelin-4-moss"


@pytest.fixture
def owner():
    return make_owner()


@pytest.fixture
def gina():
    return make_player("Gina Guest")


@pytest.mark.parametrize("change", [{"active": True}, {"name": "Gina G."}, {"user": None}])
def test_who_is_anonymous_stays_anonymous(owner, gina, change):
    make_anonymous(gina, by=owner)
    with pytest.raises(ValidationError, match="anonymous"):
        change_player(gina, by=owner, **change)
    gina.refresh_from_db()
    assert (gina.name, gina.active) == (f"N. N. {gina.pk}", False)
    assert gina.anonymous_since


def test_nobody_gives_an_anonymous_player_an_account(owner, gina):
    make_anonymous(gina, by=owner)
    with pytest.raises(ValidationError, match="anonymous"):
        give_account(gina, "gina", PASSWORD, by=owner)


def test_renaming_who_is_anonymous_by_the_api_is_refused_with_a_sentence(owner, gina):
    make_anonymous(gina, by=owner)
    answer = caller(owner).patch(f"/api/v1/players/{gina.pk}/", {"name": "Gina G."})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "anonymous"


@pytest.mark.each_case
@pytest.mark.parametrize(
    "act",
    [
        lambda player, by: change_player(player, active=False, by=by),
        lambda player, by: set_pin(player, "4711", by=by),
        lambda player, by: change_pin(player, "4711", proof=Proof(player.pk)),
        lambda player, by: end_being_a_guest(player, by=by),
        lambda player, by: give_account(player, "gina", PASSWORD, by=by),
    ],
)
def test_a_record_that_was_merged_does_not_come_back(owner, gina, act):
    gone = Player.objects.get(pk=gina.pk)
    merge_players(make_player(), gina, by=owner)
    with pytest.raises(ValidationError, match="not on the list any more"):
        act(gone, owner)
    assert not Player.objects.filter(pk=gone.pk).exists()


def test_a_pin_stays_when_an_old_row_is_saved(owner, gina):
    stale = Player.objects.get(pk=gina.pk)
    set_pin(gina, "4711", by=owner)
    change_player(stale, active=False, by=owner)
    assert Player.objects.get(pk=gina.pk).pin


def test_an_account_stays_and_its_player_gets_no_pin(owner, gina):
    stale = Player.objects.get(pk=gina.pk)
    _invitation, code = invite(gina, by=owner)
    account = join(code, username="gina", password=PASSWORD)
    change_player(stale, name="Gina G.", by=owner)
    with pytest.raises(PermissionDenied):
        set_pin(stale, "4711", by=owner)
    with pytest.raises(PermissionDenied):
        change_pin(stale, "4711", proof=Proof(gina.pk))
    gina.refresh_from_db()
    assert (gina.name, gina.user, gina.pin) == ("Gina G.", account, "")


def test_an_account_that_left_is_linked_to_nobody(owner, gina):
    member = make_member(player=make_player())
    leave_club(anonymous=False, by=member)
    member.pk = member.pk or 99_999
    with pytest.raises(ValidationError, match="This account is gone"):
        change_player(gina, user=member, by=owner)


def test_a_table_keeps_its_new_name_and_its_new_card(owner):
    ((table, _code),) = add_tables("One", by=owner)
    stale = ClubTable.objects.get(pk=table.pk)
    rename_table(table, "Two", by=owner)
    ((renewed, code),) = renew_codes([stale], by=owner)
    assert (renewed.name, find_table(code, asker="x").name) == ("Two", "Two")


class TestNamesOfAnonymousPeople:
    @pytest.mark.parametrize("name", ["N. N. 7", "n.n.7", "NN 7", "N. N. 7 (2)"])
    def test_names_of_anonymous_people_are_nobody_elses(self, owner, name):
        with pytest.raises(ValidationError, match="Names like this"):
            add_player(name, anyway=True, by=owner)
        with pytest.raises(ValidationError, match="Names like this"):
            change_player(make_player(), name=name, by=owner)

    def test_names_of_anonymous_people_are_taken_with_a_number_more_where_somebody_has_it_already(
        self, owner, gina
    ):
        other = make_player(f"n. n. {gina.pk}")
        change_player(other, active=False, by=owner)
        make_anonymous(gina, by=owner)
        gina.refresh_from_db()
        assert gina.name == f"N. N. {gina.pk} (2)"

    def test_a_list_has_none(self, owner):
        from scoring.services.people_lists import PersonEntry, What, plan_people

        (row,) = plan_people([PersonEntry("N. N. 7")], by=owner)
        assert (row.what, row.field) == (What.REFUSED, "name")


class TestAnInvitation:
    def test_an_invitation_ends_when_the_name_is_taken_out(self, owner, gina):
        _invitation, code = invite(gina, by=owner)
        make_anonymous(gina, by=owner)
        with pytest.raises(InvitationRefused) as refused:
            join(code, username="gina", password=PASSWORD)
        assert refused.value.code == "revoked"

    @pytest.mark.parametrize("anonymous", [False, True])
    def test_an_invitation_that_was_used_is_not_open_again_when_its_account_is_gone(
        self, owner, gina, anonymous
    ):
        _invitation, code = invite(gina, by=owner)
        leave_club(anonymous=anonymous, by=join(code, username="gina", password=PASSWORD))
        with pytest.raises(InvitationRefused):
            join(code, username="gina2", password=PASSWORD)

    def test_an_invitation_is_made_for_nobody_anonymous(self, owner, gina):
        make_anonymous(gina, by=owner)
        gina.refresh_from_db()
        with pytest.raises(ValidationError, match="anonymous"):
            invite(gina, by=make_organiser())
