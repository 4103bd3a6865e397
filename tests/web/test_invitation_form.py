"""The form of an invitation is empty once one was made."""

import pytest

from scoring.models import Invitation
from tests.factories import make_organiser, make_player

pytestmark = pytest.mark.django_db


def test_the_next_invitation_does_not_begin_with_the_person_of_the_last_one(client, settings):
    settings.SENDS_MAIL = True
    client.force_login(make_organiser())
    player = make_player("Zoë")
    sent = {"player": player.pk, "once": "once", "days": "7", "email": "zoe@club.example"}
    made = client.post("/people/invitations/", sent)
    assert Invitation.objects.get().player == player
    form = made.context["form"]
    assert (form["player"].value(), form["email"].value()) == (None, None)
    assert 'value="zoe@club.example"' not in made.content.decode()
