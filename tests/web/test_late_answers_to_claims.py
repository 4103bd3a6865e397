"""Who answers whether somebody was a guest, after somebody else has."""

import pytest

from scoring.services.confirmations import confirm_hand
from scoring.services.guests import add_guest, answer_claim, claim_guest, withdraw_claim
from tests.factories import make_game, make_hand, make_member, make_organiser, make_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked():
    """A claim by somebody who plays already, about a guest, and two who sat with the guest."""
    first, second = (make_member(player=make_player()) for _two in range(2))
    guest = add_guest("Zoë", by=first)
    game = make_game(players=[first.player, second.player, guest, make_player()])
    confirm_hand(make_hand(game, winner=0, by=first), by=second)
    return claim_guest(guest, by=make_member(player=make_player("Dirk"))), second


@pytest.mark.parametrize("says", ["yes", "no"])
def test_the_second_answer_to_a_claim_is_told_what_was_answered(client, asked, says):
    claim, second = asked
    guest = claim.player_id
    answer_claim(claim, agree=True, by=make_organiser())
    client.force_login(second)
    sent = {"claim": claim.pk, "answer": says}
    page = client.post(f"/players/{guest}/answer-claim/", sent, follow=True)
    assert page.status_code == 200
    assert "Dirk" in page.content.decode()
    shown = [str(one) for one in page.context["messages"]]
    message = "This was answered already."
    if says == "no":
        message = (
            "Somebody else has said yes already. If that is wrong, tell an organiser: they can see "
            "who said so."
        )
    assert shown == [message]


def test_a_claim_to_another_guest_is_not_found_by_the_address_of_one_who_is_there(client, asked):
    claim, second = asked
    client.force_login(second)
    other = make_player("Other")
    sent = {"claim": claim.pk, "answer": "yes"}
    assert client.post(f"/players/{other.pk}/answer-claim/", sent).status_code == 404


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_who_answers_what_was_taken_back_is_told_so(client, answer):
    asker, organiser = make_member(), make_organiser()
    guest = add_guest("Zoë", by=organiser)
    claim = claim_guest(guest, by=asker)
    withdraw_claim(guest, by=asker)
    client.force_login(organiser)
    sent = {"claim": claim.pk or 1, "answer": answer}
    page = client.post(f"/players/{guest.pk}/answer-claim/", sent, follow=True)
    assert page.status_code == 200
    assert "This was taken back meanwhile: nobody is asked any more." in page.content.decode()
