"""What a list of people would do, row by row, where some of them have accounts."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User

from scoring.services.people_lists import Entry, What, plan_people
from tests.factories import make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ann():
    member = make_member("ann", player=make_player("Ann Smith"))
    User.objects.filter(pk=member.pk).update(email="ann@club.example")
    EmailAddress.objects.create(user=member, email="second@club.example", verified=True)
    return member


def planned(*entries):
    return plan_people(entries, by=make_organiser())


def test_who_has_joined_since_is_known_by_last_year_s_list():
    rows = planned(Entry("Ann Smith", "ann@club.example", "ann"), Entry("Bob Grey"))
    assert [row.what for row in rows] == [What.KNOWN, What.ADD]


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (Entry("Bob Grey", "ann@club.example"), "email"),
        (Entry("Bob Grey", "Second@club.example"), "email"),
        (Entry("Bob Grey", "", "Ann"), "username"),
        (Entry("Bob Grey", "bob@club.example", "who@club.example"), "username"),
    ],
)
def test_what_no_account_could_have_is_refused_beforehand(entry, field):
    (row,) = planned(entry)
    assert (row.what, row.field) == (What.REFUSED, field)


def test_ones_own_mail_is_a_name_to_sign_in_with():
    (row,) = planned(Entry("Bob Grey", "bob@club.example", "bob@club.example"))
    assert row.what == What.ADD


def test_a_row_after_one_that_was_refused_is_not_known():
    first, second = planned(Entry("Bob Grey", "ann@club.example"), Entry("Bob Grey"))
    assert (first.what, second.what) == (What.REFUSED, What.ADD)
