"""What a list of people would do, row by row, where some of them have accounts."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.models import AuditEntry, Delivery, Invitation, Player
from scoring.operations.people_list import read_text
from scoring.services.people_lists import PersonEntry, RowsRefused, What, add_people, plan_people
from tests.factories import make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ann():
    member = make_member("ann", player=make_player("Ann Smith"))
    User.objects.filter(pk=member.pk).update(email="ann@club.example")
    EmailAddress.objects.create(user=member, email="second@club.example", verified=True)
    return member


def planned(*entries):
    return plan_people(entries, strict=True, by=make_organiser())


def test_who_has_joined_since_is_known_by_last_year_s_list():
    rows = planned(PersonEntry("Ann Smith", "ann@club.example", "ann"), PersonEntry("Bob Grey"))
    assert [row.what for row in rows] == [What.KNOWN, What.ADD]


def test_a_look_alike_is_asked_about_where_it_stands():
    rows = planned(PersonEntry("Dirk Dijk"), PersonEntry("Dïrk Dijk"), PersonEntry("Ánn Smith"))
    assert [(row.what, row.why) for row in rows[1:]] == [
        (What.ASK, "This list has Dirk Dijk, too: the same person?"),
        (What.ASK, "There is already Ann Smith: the same person?"),
    ]


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (PersonEntry("Bob Grey", "ann@club.example"), "email"),
        (PersonEntry("Bob Grey", "Second@club.example"), "email"),
        (PersonEntry("Bob Grey", "", "Ann"), "username"),
        (PersonEntry("Bob Grey", "bob@club.example", "who@club.example"), "username"),
    ],
)
def test_what_no_account_could_have_is_refused_beforehand(entry, field):
    (row,) = planned(entry)
    assert (row.what, row.field) == (What.REFUSED, field)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (PersonEntry("Bob Grey", "ann@club.example"), "Another account has this mail address"),
        (PersonEntry("Bob Grey", "not a mail"), "Without not a mail: "),
        (PersonEntry("Bob Grey", "", "Ann"), "Without Ann: Somebody signs in with this name"),
    ],
)
def test_a_mail_or_sign_in_name_that_cannot_be_used_does_not_cost_the_person(settings, entry, why):
    settings.SENDS_MAIL = True
    (row,) = plan_people([entry], by=make_organiser())
    assert (row.what, row.entry) == (What.ADD, PersonEntry("Bob Grey"))
    assert why in row.left_out


def test_a_couple_with_one_mail_address_is_added_whole(settings):
    settings.SENDS_MAIL = True
    by = make_organiser()
    entries = read_text("Bob Grey; home@club.example\nCas Grey; home@club.example").entries
    first, second = plan_people(entries, by=by)
    assert (first.left_out, second.what) == ("", What.ADD)
    sentence = "Without home@club.example: Row 1 has this mail address already."
    assert second.left_out == sentence
    assert len(add_people(entries, invites=True, by=by)) == 2
    assert Invitation.objects.get().player.name == "Bob Grey"


def test_two_rows_with_one_sign_in_name_name_the_other_row(settings):
    settings.SENDS_MAIL = True
    entries = [PersonEntry("Bob Grey", "", "grey"), PersonEntry("Cas Grey", "", "Grey")]
    (_first, second) = plan_people(entries, by=make_organiser())
    assert second.left_out == "Without Grey: Row 1 has this sign-in name already."


def test_a_sign_in_name_that_is_too_long_is_refused_as_too_long():
    (row,) = planned(PersonEntry("Bob Grey", "", "b" * 151))
    assert (row.what, row.field) == (What.REFUSED, "username")
    assert "150" in row.why


def test_ones_own_mail_is_a_name_to_sign_in_with():
    (row,) = planned(PersonEntry("Bob Grey", "bob@club.example", "bob@club.example"))
    assert row.what == What.ADD


def test_a_row_after_one_that_was_refused_is_not_known():
    first, second = planned(PersonEntry("Bob Grey", "ann@club.example"), PersonEntry("Bob Grey"))
    assert (first.what, second.what) == (What.REFUSED, What.ADD)


def test_the_row_is_that_of_the_file():
    entries = read_text("naam;mail\n\nBob Grey;\nAnn Smith;\nbob grey;").entries
    rows = planned(*entries)
    assert [row.shown_number for row in rows] == [3, 4, 5]
    assert rows[2].why == "Stands in row 3 already."


def test_all_or_nothing_adds_nothing_and_names_each_row():
    by = make_organiser()
    entries = [
        PersonEntry("Bob Grey"),
        PersonEntry("Ánn Smith"),
        PersonEntry("Cas Blue", "ann@club.example"),
    ]
    with pytest.raises(RowsRefused) as refused:
        add_people(entries, all_or_nothing=True, by=by)
    assert [row.number for row in refused.value.rows] == [2, 3]
    assert not Player.objects.filter(name="Bob Grey").exists()
    assert len(add_people(entries[:2], anyway=[2], all_or_nothing=True, by=by)) == 2


def test_a_site_without_mail_makes_no_invitation_that_nobody_gets(settings):
    settings.SENDS_MAIL = False
    with pytest.raises(ValidationError, match="sends no mail"):
        add_people([PersonEntry("Bob Grey", "bob@club.example")], invites=True, by=make_organiser())
    assert not Player.objects.filter(name="Bob Grey").exists()
    assert not Invitation.objects.exists()


def test_a_site_without_mail_refuses_nobody_for_what_it_does_not_keep(settings):
    settings.SENDS_MAIL = False
    entries = [PersonEntry("Bob Grey", "not a mail"), PersonEntry("Cas Blue", "", "ann")]
    rows = plan_people(entries, by=make_organiser())
    assert [row.what for row in rows] == [What.ADD, What.ADD]


def test_many_invitations_cost_the_queries_of_one(settings):
    settings.SENDS_MAIL = True
    by = make_organiser()

    def cost(numbers):
        entries = [PersonEntry(f"Lid nr. {n}", f"lid{n}@club.example") for n in numbers]
        with CaptureQueriesContext(connection) as queries:
            add_people(entries, invites=True, by=by)
        return len(queries)

    cost([0])
    assert cost([1]) == cost(range(2, 41))
    assert Delivery.objects.count() == Invitation.objects.count() == 41
    first = AuditEntry.objects.earliest("pk")
    assert (first.action, first.details["invited"]) == ("add_people", 1)
