"""The codes of the tables: kept as a digest, renewed, revoked, and not to be guessed."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import AuditEntry, ClubTable
from scoring.models.permissions import PermissionDenied
from scoring.services.errors import TooManyAttempts
from scoring.services.table_codes import (
    MOST_WRONG_CODES,
    UnknownCode,
    add_tables,
    find_table,
    rename_table,
    renew_codes,
    revoke_code,
)
from tests.factories import make_member, make_organiser, make_table

pytestmark = pytest.mark.django_db

ASKER, OTHER = "address:192.0.2.1", "address:192.0.2.2"


def test_a_range_makes_a_table_for_each_number_with_a_code_of_its_own():
    made = add_tables("1 to 6", by=make_organiser())
    assert [str(table) for table, _code in made] == [f"Table {n}" for n in range(1, 7)]
    assert len({code for _table, code in made}) == 6
    for table, code in made:
        assert find_table(code, asker=ASKER) == table
        assert find_table(code.upper(), asker=ASKER) == table


@pytest.mark.parametrize("text", ["1-3\nDoor", "1–3, Door", "Door\n1, 2, 3"])
def test_a_range_beside_names_is_a_range_all_the_same(text):
    add_tables(text, by=make_organiser())
    assert [table.name for table in ClubTable.objects.all()] == ["1", "2", "3", "Door"]


def test_the_tables_stand_in_the_order_of_their_numbers():
    add_tables("10\nWindow\n9", by=make_organiser())
    assert [table.name for table in ClubTable.objects.all()] == ["9", "10", "Window"]


def test_the_database_and_the_audit_do_not_know_the_code():
    table, code = make_table()
    table.refresh_from_db()
    assert code not in str(vars(table))
    assert code not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize("names", ["", "Window\nwindow", "1-61", "x" * 31])
def test_invalid_names_of_tables_are_refused_and_nothing_is_added(names):
    with pytest.raises(ValidationError):
        add_tables(names, by=make_organiser())
    assert not ClubTable.objects.exists()


def test_a_new_code_takes_the_place_of_the_old_one():
    table, old = make_table()
    ((_table, new),) = renew_codes([table], by=make_organiser())
    assert find_table(new, asker=ASKER) == table
    with pytest.raises(UnknownCode):
        find_table(old, asker=ASKER)


def test_a_revoked_code_is_worth_nothing():
    table, code = make_table()
    revoke_code(table, by=make_organiser())
    with pytest.raises(UnknownCode):
        find_table(code, asker=ASKER)


def test_a_code_is_revoked_once():
    table, _code = make_table()
    for _press in range(2):
        revoke_code(table, by=make_organiser())
    assert AuditEntry.objects.filter(action="revoke_code").count() == 1


def test_a_table_is_renamed_and_keeps_its_code():
    table, code = make_table("1")
    rename_table(table, "Window", by=make_organiser())
    assert str(find_table(code, asker=ASKER)) == "Window"


def test_only_organisers_manage_tables():
    table, _code = make_table()
    member = make_member()
    for manage in (
        lambda: add_tables("7", by=member),
        lambda: rename_table(table, "7", by=member),
        lambda: renew_codes([table], by=member),
        lambda: revoke_code(table, by=member),
    ):
        with pytest.raises(PermissionDenied):
            manage()


def test_who_guesses_codes_waits_and_others_do_not():
    _table, code = make_table()
    for number in range(MOST_WRONG_CODES):
        with pytest.raises(UnknownCode):
            find_table(f"{number:018}", asker=ASKER)
    with pytest.raises(TooManyAttempts):
        find_table(code, asker=ASKER)
    assert find_table(code, asker=OTHER)
