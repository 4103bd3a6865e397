"""Hashing a password or a PIN takes half a second: no transaction is open for so long."""

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection

from scoring.models.permissions import PermissionDenied
from scoring.services.first_run import StartRefused, digest_of, name_club, new_code, start_club
from scoring.services.invitations import InvitationRefused, invite, join
from scoring.services.people import give_account
from scoring.services.pins import Proof, change_pin, set_pin
from tests.factories import make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db

PASSWORD = "tiles on the table"


@pytest.fixture
def hashed(monkeypatch):
    """How many transactions were open around each hash that was made, besides the test's own."""
    found, outside = [], len(connection.atomic_blocks)
    encode = MD5PasswordHasher.encode

    def watched(*args, **kwargs):
        found.append(len(connection.atomic_blocks) - outside)
        return encode(*args, **kwargs)

    monkeypatch.setattr(MD5PasswordHasher, "encode", watched)
    return found


def test_the_password_of_who_joins_is_hashed_before_writing(hashed):
    organiser = make_organiser()
    _invitation, code = invite(by=organiser)
    hashed.clear()
    joined = join(code, username="ann", password=PASSWORD, name="Ann")
    assert hashed == [0]
    assert joined.check_password(PASSWORD)


def test_who_gets_a_first_password(hashed):
    organiser, player = make_organiser(), make_player("Ann")
    hashed.clear()
    assert give_account(player, "ann", PASSWORD, by=organiser).check_password(PASSWORD)
    assert hashed[:1] == [0]


def test_who_starts_the_club(hashed):
    digest = digest_of(new_code())
    name_club(digest, name="Club")
    hashed.clear()
    assert start_club(digest, "ann", name="Ann", password=PASSWORD).check_password(PASSWORD)
    assert hashed[:1] == [0]


def test_who_sets_a_pin(hashed):
    organiser, player = make_organiser(), make_player("Ann")
    hashed.clear()
    set_pin(player, "4711", by=organiser)
    change_pin(player, "5173", proof=Proof(player.pk))
    assert hashed == [0, 0]


def test_who_is_refused_costs_no_hash(hashed):
    member, player = make_member(), make_player("Ann")
    hashed.clear()
    with pytest.raises(InvitationRefused):
        join("nothing", username="ann", password=PASSWORD, name="Ann")
    with pytest.raises(PermissionDenied):
        give_account(player, "ann", PASSWORD, by=member)
    with pytest.raises(PermissionDenied):
        set_pin(player, "4711", by=member)
    with pytest.raises(StartRefused):
        start_club("nothing", "ann", name="Ann", password=PASSWORD)
    assert hashed == []
