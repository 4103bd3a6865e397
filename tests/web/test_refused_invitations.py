"""An invitation whose mail nobody took is known to those who invite."""

import pytest

from scoring.models import Delivery
from scoring.services.invitations import invite, mail_invitation, revoke_invitation
from tests.factories import make_organiser, make_owner, make_player

pytestmark = pytest.mark.django_db

LIST = "/people/invitations/"


@pytest.fixture
def invitation(client, settings):
    settings.SENDS_MAIL = True
    by = make_organiser()
    client.force_login(by)
    invitation, code = invite(make_player("Zoë"), email="zoe@club.example", by=by)
    mail_invitation(invitation, code)
    other, code = invite(make_player("Bob"), email="bob@club.example", by=by)
    mail_invitation(other, code)
    return invitation


def refuse():
    Delivery.objects.filter(address="zoe@club.example").update(
        state=Delivery.State.GIVEN_UP, reason="550 no such user"
    )


def words(client, address):
    return " ".join(client.get(address).content.decode().split())


def test_an_invitation_that_was_refused_says_so_beside_it(client, invitation):
    assert "could not be delivered" not in words(client, LIST)
    refuse()
    page = words(client, LIST)
    assert page.count("The mail could not be delivered: 550 no such user") == 1
    assert page.index("Bob") < page.index("550 no such user")


def test_refused_invitations_are_counted_on_the_page_of_the_people(client, invitation):
    sentence = "The mail with 1 invitation could not be delivered."
    assert sentence not in words(client, "/people/")
    refuse()
    assert sentence in words(client, "/people/")
    revoke_invitation(invitation, by=make_organiser())
    assert sentence not in words(client, "/people/")


def test_the_page_of_what_was_not_sent_does_not_promise_a_list_to_who_is_invited(client):
    client.force_login(make_owner())
    page = words(client, "/notices/undelivered/")
    assert "Whoever has an account finds each of theirs on their list all the same" in page


def test_the_list_of_invitations_asks_the_same_queries_for_one_refused_and_two(
    client, invitation, django_assert_max_num_queries
):
    refuse()
    with django_assert_max_num_queries(12) as first:
        client.get(LIST)
    Delivery.objects.update(state=Delivery.State.GIVEN_UP, reason="550 no such user")
    with django_assert_max_num_queries(len(first.captured_queries)):
        client.get(LIST)
