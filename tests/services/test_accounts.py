"""Accounts are made by organisers and invitations, and let in again by those who outrank them."""

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError

from scoring.models import AccountSettings, AuditEntry, Club
from scoring.models.club import remember
from scoring.models.permissions import PermissionDenied
from scoring.services.accounts import (
    choose_language,
    create_account,
    make_reset_link,
    remove_second_factor,
)
from tests.factories import make_member, make_organiser

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

PASSWORD = "tiles on the table"


@pytest.fixture
def organiser():
    return make_organiser()


def admin():
    return User.objects.create_superuser("root", password=PASSWORD)


class TestCreateAccount:
    def test_create_account_makes_a_member_who_may_sign_in(self, organiser):
        account = create_account(
            " ann ", password=PASSWORD, email="Ann@Club.example", language="nl", by=organiser
        )
        assert account.username == "ann"
        assert account.check_password(PASSWORD)
        assert (account.is_staff, account.is_superuser) == (False, False)
        assert not account.groups.exists()
        address = EmailAddress.objects.get(user=account)
        assert (address.email, address.verified, address.primary) == (
            "ann@club.example",
            False,
            True,
        )
        assert AccountSettings.objects.get(user=account).language == "nl"
        entry = AuditEntry.objects.get(action="create_account")
        assert (entry.by, entry.subject_id, entry.details) == (organiser, account.pk, {})

    def test_a_created_account_may_be_called_like_its_own_mail(self, organiser):
        mail = "ann@club.example"
        assert create_account(mail, password=PASSWORD, email=mail, by=organiser).email == mail

    def test_create_account_needs_no_mail_and_no_language(self, organiser):
        account = create_account("ann", password=PASSWORD, by=organiser)
        assert account.email == ""
        assert not EmailAddress.objects.exists()
        assert not AccountSettings.objects.exists()

    def test_an_account_for_an_invitation_is_made_by_the_server(self):
        create_account("ann", password=PASSWORD, by=None)
        assert AuditEntry.objects.get().by is None

    @pytest.mark.parametrize("by", [AnonymousUser, make_member])
    def test_create_account_is_for_organisers(self, by):
        with pytest.raises(PermissionDenied):
            create_account("ann", password=PASSWORD, by=by())
        assert not User.objects.filter(username="ann").exists()

    @pytest.mark.parametrize(
        ("field", "entry"),
        [
            ("username", {"username": ""}),
            ("username", {"username": "a b"}),
            ("username", {"username": "TAKEN"}),
            ("username", {"username": "t\N{CYRILLIC SMALL LETTER A}ken"}),
            ("username", {"username": "a" * 151}),
            ("username", {"username": "Taken@club.example"}),
            ("username", {"username": "ann@club.example", "email": "other@club.example"}),
            ("email", {"email": "old@club.example"}),
            ("password", {"password": ""}),
            ("password", {"password": "short"}),
            ("password", {"password": "1234567890"}),
            ("email", {"email": "no mail"}),
            ("email", {"email": "TAKEN@club.example"}),
            ("language", {"language": "fr"}),
        ],
    )
    def test_create_account_says_what_is_wrong_at_its_field(self, organiser, field, entry):
        create_account("taken", password=PASSWORD, email="taken@club.example", by=organiser)
        make_member("old@club.example")
        entry = {"username": "ann", "password": PASSWORD, **entry}
        with pytest.raises(ValidationError) as refused:
            create_account(**entry, by=organiser)
        assert list(refused.value.message_dict) == [field]
        assert not User.objects.filter(username="ann").exists()

    @pytest.mark.parametrize(
        "password", ["mahjong1", "Mahjongg-2024!", "groenedraak", "Draak club 7"]
    )
    def test_create_account_refuses_what_everybody_in_the_club_guesses(self, organiser, password):
        remember(Club(name="De Groene Draak"))
        with pytest.raises(ValidationError, match="Everybody in the club"):
            create_account("ann", password=password, by=organiser)
        create_account("ann", password=f"{password} onder de bank", by=organiser)

    def test_create_account_says_all_of_it_at_once(self, organiser):
        with pytest.raises(ValidationError) as refused:
            create_account("a b", password="x", email="no mail", language="fr", by=organiser)
        assert set(refused.value.message_dict) == {"username", "password", "email", "language"}


class TestResetLink:
    def test_a_reset_link_is_made_for_a_member_and_written_down(self, organiser):
        member = make_member()
        assert make_reset_link(member, by=organiser).startswith("/account/password/reset/key/")
        entry = AuditEntry.objects.get()
        assert (entry.action, entry.subject_id) == ("make_reset_link", member.pk)
        assert entry.details == {}

    @pytest.mark.parametrize("of", [make_organiser, admin])
    def test_a_reset_link_is_not_made_for_somebody_who_may_as_much(self, organiser, of):
        with pytest.raises(PermissionDenied):
            make_reset_link(of(), by=organiser)

    def test_a_reset_link_is_not_made_for_somebody_who_works_at_the_desk(self, organiser):
        clerk = make_member()
        clerk.is_staff = True
        clerk.save()
        with pytest.raises(PermissionDenied):
            make_reset_link(clerk, by=organiser)

    def test_a_reset_link_is_not_made_by_members_or_for_oneself(self, organiser):
        for by, of in ((make_member(), make_member()), (organiser, organiser)):
            with pytest.raises(PermissionDenied):
                make_reset_link(of, by=by)

    def test_a_reset_link_is_not_made_for_a_closed_account(self, organiser):
        member = make_member()
        member.is_active = False
        member.save()
        with pytest.raises(ValidationError):
            make_reset_link(member, by=organiser)


def test_a_lost_second_factor_is_removed_by_who_outranks(organiser):
    member = make_member()
    Authenticator.objects.create(user=member, type=Authenticator.Type.TOTP, data={})
    with pytest.raises(PermissionDenied):
        remove_second_factor(member, by=make_member())
    remove_second_factor(member, by=organiser)
    assert not Authenticator.objects.exists()
    assert AuditEntry.objects.get().action == "remove_second_factor"


def test_a_language_is_chosen_once_and_changed():
    member = make_member()
    for language in ("nl", "zh-hant", ""):
        choose_language(language, by=member)
    assert AccountSettings.objects.get(user=member).language == ""
    with pytest.raises(ValidationError):
        choose_language("fr", by=member)
    with pytest.raises(PermissionDenied):
        choose_language("nl", by=AnonymousUser())
