"""From the link of an invitation to an account that is signed in."""

import threading
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone

from scoring.models import AuditEntry, Delivery, Invitation, InvitationUse, Notice, Player
from scoring.queries.notices import in_words
from scoring.services.guests import NotClaimable, claim_guest
from scoring.services.invitations import (
    InvitationRefused,
    decide_claim,
    invite,
    join,
    propose_username,
)
from scoring.services.invitations import revoke_invitation as revoke
from scoring.services.people import change_player
from tests.factories import make_game, make_member, make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

PASSWORD = "tiles on the table"


@pytest.fixture
def organiser():
    return make_organiser("olga")


def send(client, code, **fields):
    sent = {"username": "", "password": PASSWORD, "language": "nl", **fields}
    return client.post(f"/join/{code}/", sent)


class TestANamedInvitation:
    @pytest.fixture
    def player(self):
        return make_player("Zoë Jansen")

    @pytest.fixture
    def code(self, player, organiser):
        return invite(player, email="zoe@club.example", by=organiser)[1]

    def test_a_named_invitation_proposes_a_sign_in_name_and_the_mail_address(self, client, code):
        page = client.get(f"/join/{code}/").content.decode()
        assert "This invitation is for Zoë Jansen." in page
        assert 'value="zoe.jansen"' in page
        assert 'value="zoe@club.example"' in page

    def test_a_named_invitation_leads_to_an_account_that_is_signed_in(self, client, code, player):
        response = send(client, code, username="zoe", email="zoe@club.example")
        assert response.url == "/"
        # In the language that was chosen with the form.
        assert "Je logt in als “zoe”" in client.get("/").content.decode()
        assert response.cookies["django_language"].value == "nl"
        player.refresh_from_db()
        assert player.user.username == "zoe"
        assert client.get("/players/me/").url == f"/players/{player.pk}/"
        assert AuditEntry.objects.filter(action="join", subject_id=player.user.pk).exists()

    def test_a_phone_that_joined_is_listed_and_signed_out_elsewhere(self, client, code):
        send(client, code, username="zoe", language="en")
        other = Client()
        other.post("/sign-in/", {"username": "zoe", "password": PASSWORD})
        other.post("/account/again/", {"password": PASSWORD})
        other.post("/account/sessions/", {"session": "others"})
        assert client.get("/account/").status_code == 302
        assert other.get("/account/").status_code == 200

    def test_a_named_invitation_mails_a_link_that_confirms_the_address(
        self, client, code, player, settings
    ):
        settings.SENDS_MAIL = True
        send(client, code, username="zoe", email="zoe@club.example")
        link = Delivery.objects.get(address="zoe@club.example", notice__kind="account").link
        assert "confirm" in client.get(link).content.decode().lower()
        client.post(link)
        assert EmailAddress.objects.get(email="zoe@club.example").verified

    def test_a_named_invitation_leads_to_the_own_table(self, client, code, player):
        game = make_game(players=[player, *(make_player() for _seat in range(3))])
        assert send(client, code).url == game.get_absolute_url()

    def test_a_named_invitation_is_used_once(self, client, code, player):
        send(client, code)
        client.logout()
        again = client.get(f"/join/{code}/")
        assert again.status_code == 410
        assert "was used already" in again.content.decode()
        assert send(client, code, username="other").status_code == 410
        assert User.objects.filter(player=player).count() == 1

    def test_a_named_invitation_is_worth_nothing_once_the_player_has_an_account(
        self, client, code, player
    ):
        make_member(player=player)
        assert client.get(f"/join/{code}/").status_code == 410

    def test_a_named_invitation_says_at_its_field_what_is_wrong(self, client, code):
        refused = send(client, code, username="olga", password="short")
        assert refused.status_code == 422
        assert {"username", "password"} <= set(refused.context["form"].errors)
        assert not User.objects.filter(username="zoe.jansen").exists()

    def test_a_named_invitation_is_not_for_whoever_is_signed_in_already(self, client, code):
        client.force_login(make_member("mia"))
        for response in (client.get(f"/join/{code}/"), send(client, code)):
            assert "You are signed in as mia." in response.content.decode()
        assert not InvitationUse.objects.exists()


class TestAnOpenInvitation:
    @pytest.fixture
    def code(self, organiser):
        return invite(once=False, by=organiser)[1]

    def test_an_open_invitation_makes_a_new_player_each_time(self, client, code):
        for name in ("Ann Lee", "Bob Ode"):
            assert send(client, code, name=name).status_code == 302
            client.logout()
        assert {player.name: player.user.username for player in Player.objects.all()} == {
            "Ann Lee": "ann.lee",
            "Bob Ode": "bob.ode",
        }

    def test_an_open_invitation_asks_whether_somebody_is_a_player_who_is_there(
        self, client, code, organiser
    ):
        player = make_player("Zoë Jansen")
        asked = send(client, code, name="Zoe Jansen")
        assert asked.status_code == 422
        assert "Yes, I am Zoë Jansen" in asked.content.decode()
        assert send(client, code, name="Zoe Jansen", who="same").status_code == 302
        player.refresh_from_db()
        assert player.user is None
        use = InvitationUse.objects.get()
        assert use.claim == player
        client.cookies.clear()  # another person, who reads another language
        client.force_login(organiser)
        assert "says to be Zoë Jansen" in client.get("/people/").content.decode()
        client.post("/people/claims/", {"use": use.pk, "decision": "confirm"})
        player.refresh_from_db()
        assert player.user == use.account
        assert "says to be" not in client.get("/people/").content.decode()

    @pytest.mark.parametrize("name", ["Jose Garcia", " jose  garcia", "José García"])
    def test_an_open_invitation_asks_about_the_exact_name_before_one_that_looks_alike(
        self, client, code, name
    ):
        players = {one: make_player(one) for one in ("José García", "Jose Garcia")}
        exact = players["José García" if "é" in name else "Jose Garcia"]
        assert f"Yes, I am {exact}" in send(client, code, name=name).content.decode()
        send(client, code, name=name, who="same")
        assert InvitationUse.objects.get().claim == exact

    @pytest.mark.parametrize(
        ("confirm", "title"),
        [
            (True, "An organiser has confirmed who you are"),
            (False, "You are another person, says an organiser"),
        ],
    )
    def test_a_claim_is_asked_of_organisers_and_its_answer_told(
        self, client, code, organiser, confirm, title
    ):
        make_player("Zoë Jansen")
        send(client, code, name="Zoë Jansen", who="same")
        use = InvitationUse.objects.get()
        (asked,) = in_words(list(Notice.objects.filter(recipient=organiser)))
        assert "says to be Zoë Jansen" in asked.text.body
        assert asked.text.link == "/people/"
        decide_claim(use, confirm=confirm, by=organiser)
        (row,) = in_words(list(Notice.objects.all()))
        assert (row.notice.recipient, row.text.title) == (use.account, title)
        assert "Zoë Jansen" in row.text.body

    def test_an_open_invitation_keeps_the_password_while_it_asks_who_somebody_is(
        self, client, code
    ):
        make_player("Zoë Jansen")
        assert f'value="{PASSWORD}"' in send(client, code, name="Zoe Jansen").content.decode()

    def test_nobody_asks_for_a_guest_s_games_while_the_own_name_waits(self, client, code):
        make_player("Zoë Jansen")
        guest = make_player("Gerrit", guest=True)
        send(client, code, name="Zoë Jansen", who="same")
        with pytest.raises(NotClaimable, match="that question still waits"):
            claim_guest(guest, by=InvitationUse.objects.get().account)

    def test_a_claim_of_who_is_another_player_by_now_says_so(self, client, code, organiser):
        make_player("Zoë Jansen")
        send(client, code, name="Zoë Jansen", who="same")
        use = InvitationUse.objects.get()
        change_player(make_player("Gerrit"), user=use.account, by=organiser)
        with pytest.raises(ValidationError, match="This account is that of Gerrit by now"):
            decide_claim(use, confirm=True, by=organiser)

    def test_a_claim_that_is_declined_leaves_the_player_alone(self, client, code, organiser):
        player = make_player("Zoë Jansen")
        send(client, code, name="Zoë Jansen", who="same")
        use = InvitationUse.objects.get()
        client.force_login(organiser)
        declined = client.post("/people/claims/", {"use": use.pk, "decision": "decline"})
        assert declined.url == f"/people/accounts/{use.account_id}/"
        player.refresh_from_db()
        use.refresh_from_db()
        assert (player.user, use.claim) == (None, None)

    def test_an_open_invitation_lets_somebody_be_another_person(self, client, code):
        make_player("Zoë Jansen")
        assert send(client, code, name="Zoe Jansen", who="other").status_code == 302
        assert Player.objects.get(name="Zoe Jansen").user is not None

    def test_an_open_invitation_passes_over_an_answer_about_a_name_that_was_changed(
        self, client, code
    ):
        make_player("Zoë Jansen")
        assert send(client, code, name="Zoë Jansen", who="other").status_code == 422
        assert send(client, code, name="Zoë B. Jansen", who="other").status_code == 302

    def test_an_open_invitation_gives_nobody_the_player_of_somebody_else(self, client, code):
        owner = make_member("zoe", player=make_player("Zoë Jansen"))
        refused = send(client, code, name="Zoë Jansen", who="same")
        assert refused.status_code == 422
        assert "has an account already" in refused.content.decode()
        assert Player.objects.get().user == owner

    def test_an_open_invitation_takes_no_role_along(self, client, code):
        more = {"is_superuser": "1", "is_staff": "1", "groups": "1", "role": "owner", "claim": "1"}
        send(client, code, name="Ann Lee", **more)
        account = User.objects.get(player__name="Ann Lee")
        assert {account.is_superuser, account.is_staff} == {False}
        assert not account.groups.exists()


class TestNoInvitation:
    @pytest.mark.parametrize("code", ["nothing", "x" * 200, "ü"])
    def test_an_invalid_invitation_says_why_and_what_to_do(self, client, code):
        response = client.get(f"/join/{code}/")
        assert response.status_code == 404
        assert "Ask an organiser" in response.content.decode()

    def test_an_invitation_that_ended_or_was_revoked_says_so(self, client, organiser):
        invitation, code = invite(by=organiser)
        Invitation.objects.update(ends_at=timezone.now() - timedelta(days=1))
        ended = client.get(f"/join/{code}/")
        assert (ended.status_code, "ended on" in ended.content.decode()) == (410, True)
        revoke(invitation, by=organiser)
        assert "was revoked" in send(client, code, name="Ann").content.decode()

    def test_an_invalid_invitation_is_tried_a_few_times_only(self, client, organiser):
        answers = [client.get(f"/join/guess{number}/").status_code for number in range(40)]
        assert answers[0] == 404
        assert answers[-1] == 429
        _invitation, code = invite(by=organiser)
        # Whoever has one gets in all the same.
        assert client.get(f"/join/{code}/").status_code == 200


def test_the_code_is_long_and_kept_nowhere(organiser):
    invitation, code = invite(by=organiser)
    assert len(code) >= 32
    kept = Invitation.objects.filter(pk=invitation.pk).values().get()
    assert code not in str(kept)
    assert code not in str(list(AuditEntry.objects.values()))


@pytest.mark.parametrize(
    ("name", "username"),
    [("Zoë Jansen", "zoe.jansen"), ("王小明", "王小明"), ("???", "member"), ("Mia", "mia2")],
)
def test_a_sign_in_name_is_proposed_from_the_name(name, username):
    make_member("mia")
    assert propose_username(name) == username


@pytest.mark.django_db(transaction=True)
def test_one_of_two_who_use_an_invitation_at_once_gets_in():
    player = make_player("Zoe")
    code = invite(player, by=make_organiser())[1]
    ready, outcomes = threading.Barrier(2), []

    def enter(username):
        try:
            ready.wait()
            join(code, username=username, password=PASSWORD)
            outcomes.append("in")
        except InvitationRefused as refusal:
            outcomes.append(refusal.code)
        finally:
            connection.close()

    people = [threading.Thread(target=enter, args=[name]) for name in ("zoe", "thief")]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(outcomes) == ["in", "used"]
    player.refresh_from_db()
    assert player.user is not None
