"""Who may do what at the desk; the group of organisers comes with the database."""

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from scoring.models import (
    Game,
    Hand,
    IdempotencyKey,
    League,
    Payment,
    Player,
    RuleSet,
    RuleSetVersion,
    Tally,
    is_organiser,
)
from tests.admin.addresses import address
from tests.admin.conftest import signed_in
from tests.factories import make_member, make_token

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

ADDS = (Player, League, RuleSet, RuleSetVersion)
LOOKS = (Game, Hand, Payment, Tally)
SUPERUSERS = (User, Group)


def status(client, model, page="changelist"):
    return client.get(address(model, page)).status_code


def test_an_organiser_adds_players_leagues_and_rule_sets_and_looks_at_the_rest(desk, organiser):
    assert is_organiser(organiser)
    assert {status(desk, model, "add") for model in ADDS} == {200}
    assert {status(desk, model) for model in (*ADDS, *LOOKS)} == {200}
    assert {status(desk, model) for model in (*SUPERUSERS, IdempotencyKey)} == {403}
    assert desk.get("/admin/").status_code == 200


def test_a_superuser_also_sees_to_accounts_and_groups(root):
    for model in (*ADDS, *SUPERUSERS):
        assert status(root, model, "add") == 200
    assert {status(root, model) for model in (*LOOKS, IdempotencyKey)} == {200}


@pytest.mark.parametrize("staff", [False, True])
def test_a_member_sees_nothing(staff):
    member = make_member()
    member.is_staff = staff
    member.save()
    client = signed_in(member)
    expected = 403 if staff else 302
    assert {status(client, model) for model in (*ADDS, *LOOKS, *SUPERUSERS)} == {expected}


def test_an_account_goes_with_its_tokens_and_keys():
    member = make_member("ann")
    make_token(member)
    IdempotencyKey.objects.create(user=member, key="a", fingerprint="-")
    member.delete()
    assert not User.objects.filter(username="ann").exists()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
class TestTheGroup:
    def migrate(self, name):
        executor = MigrationExecutor(connection)
        target = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "scoring"]
        executor.migrate([("scoring", name)] if name else target)

    @pytest.fixture(autouse=True)
    def _ends_as_it_began(self):
        yield
        self.migrate(None)

    def test_the_group_of_organisers_comes_with_the_database_and_goes_when_that_is_taken_back(self):
        self.migrate("0004_evenings_of_old_games")
        assert not Group.objects.filter(name="Organisers").exists()
        self.migrate("0005_roles")
        [group] = Group.objects.filter(name="Organisers")
        may = set(group.permissions.values_list("codename", flat=True))
        assert {"organise_club", "add_player", "change_league", "view_hand"} <= may
        assert not may & {"add_hand", "change_hand", "delete_hand", "change_tally", "view_user"}

    def test_the_group_of_organisers_keeps_whoever_is_in_it_already(self):
        self.migrate("0004_evenings_of_old_games")
        group = Group.objects.create(name="Organisers")
        group.user_set.add(make_member("ann"))
        self.migrate("0005_roles")
        assert is_organiser(User.objects.get(username="ann"))
