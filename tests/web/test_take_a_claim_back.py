"""Saying "that was me" is asked about once, and can be taken back while nobody has answered."""

import pytest

from scoring.models import GuestClaim, Notice
from scoring.queries.trail import in_words, trail
from scoring.services.guests import (
    NotClaimable,
    add_guest,
    answer_claim,
    claim_guest,
    withdraw_claim,
)
from tests.factories import make_member, make_organiser, make_owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def asker(client):
    asker = make_member("anneke")
    client.force_login(asker)
    return asker


@pytest.fixture
def guest():
    return add_guest("Zoë", by=make_organiser())


def words(client, guest):
    return " ".join(client.get(guest.get_absolute_url()).content.decode().split())


def test_claiming_a_guest_is_asked_about_before_it_is_said(client, asker, guest):
    page = words(client, guest)
    assert '<summary class="button">That was me…</summary>' in page
    assert "Yes, ask for these games" in page


def test_a_claim_is_taken_back_by_its_asker_while_it_waits(client, asker, guest):
    claim_guest(guest, by=asker)
    assert Notice.objects.filter(kind="claim").exists()
    assert "It was not me: take it back" in words(client, guest)
    answer = client.post(f"/players/{guest.pk}/withdraw-claim/")
    assert answer.url == guest.get_absolute_url()
    assert not GuestClaim.objects.exists()
    assert not Notice.objects.filter(kind="claim").exists()
    assert "That was me…" in words(client, guest)
    line = in_words(trail()[:1], make_owner())[0]
    assert line.what == "took back having been a guest"


def test_a_claim_that_was_answered_is_not_taken_back(client, asker, guest):
    answer_claim(claim_guest(guest, by=asker), agree=True, by=make_organiser())
    with pytest.raises(NotClaimable, match="it was answered"):
        withdraw_claim(guest, by=asker)
    page = client.post(f"/players/{guest.pk}/withdraw-claim/", follow=True)
    assert (
        "There is nothing to take back: it was answered, or taken back before."
        in page.content.decode()
    )


def test_nobody_takes_back_the_claim_of_somebody_else(client, asker, guest):
    claim_guest(guest, by=make_member())
    client.post(f"/players/{guest.pk}/withdraw-claim/")
    assert GuestClaim.objects.count() == 1
