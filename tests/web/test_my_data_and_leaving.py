"""The pages of the way out: what is kept, my data as a file, leaving."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.models import Player
from scoring.services.accounts import choose_language, make_reset_link
from scoring.services.games import finish_game
from scoring.services.people import change_player
from tests.factories import make_game, make_hand, make_member, make_owner, make_player

pytestmark = pytest.mark.django_db

PASSWORD = "three green dragons"


@pytest.fixture
def zoe():
    return make_player("Zoë")


@pytest.fixture
def member(zoe):
    return make_member("zoe", player=zoe, password=PASSWORD)


@pytest.fixture
def mine(client, member):
    client.force_login(member)
    return client


def play(zoe, member):
    game = make_game(players=[zoe, *(make_player() for _three in range(3))], by=member)
    hand = make_hand(game, winner=0, by=member)
    finish_game(game, by=make_owner())
    return hand


def leave(client, **fields):
    body = {"name": "keep", "sure": "on", "password": PASSWORD, **fields}
    return client.post(reverse("leave"), body)


def test_everybody_reads_what_is_kept(client):
    html = client.get("/").content.decode()
    assert f'href="{reverse("privacy")}"' in html
    assert "What is kept, and why" in client.get(reverse("privacy")).content.decode()


def test_the_file_has_what_the_site_knows(mine, member, zoe):
    hand = play(zoe, member)
    response = mine.post(reverse("my_data"))
    assert response["Content-Disposition"] == 'attachment; filename="zoe.json"'
    found = json.loads(response.content)
    assert found["account"]["username"] == "zoe"
    assert found["player"]["name"] == "Zoë"
    assert found["player"]["games"][0]["players"][0] == "Zoë"
    assert [row["id"] for row in found["player"]["hands"]] == [hand.pk]
    assert found["player"]["hands"][0]["amount"] == found["player"]["leagues"][0]["points"]
    assert [row["id"] for row in found["logged_hands"]] == [hand.pk]
    assert {"open_game", "record_hand"} <= {row["action"] for row in found["actions"]}


def test_the_file_of_ones_data_has_sessions_notices_and_the_second_step(mine, member, zoe):
    mine.get("/account/sessions/")
    EmailAddress.objects.create(user=member, email="zoe@club.example", primary=True)
    TOTP.activate(member, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    choose_language("nl", by=member)
    make_reset_link(member, by=make_owner())
    response = mine.post(reverse("my_data"), headers={"accept-language": "en"})
    found = json.loads(response.content)
    assert [one["email"] for one in found["account"]["mails"]] == ["zoe@club.example"]
    assert found["account"]["language"] == "nl"
    assert [one["type"] for one in found["account"]["second_factors"]] == ["totp"]
    assert len(found["sessions"]) == 1
    assert len(found["notices"]["told"]) == 1
    assert "make_reset_link" in [one["action"] for one in found["done_to_you"]]
    assert "JBSWY3DPEHPK3PXP" not in response.content.decode()


def test_the_file_has_no_secret(mine, member, zoe):
    zoe.pin = "hash-of-a-pin"
    zoe.save()
    text = mine.post(reverse("my_data")).content.decode()
    assert "hash-of-a-pin" not in text
    assert member.password not in text


def test_the_file_costs_the_same_queries_for_one_hand_and_for_three(
    mine, member, zoe, django_assert_max_num_queries
):
    for _game in range(3):
        play(zoe, member)
    with django_assert_max_num_queries(34):
        mine.post(reverse("my_data"))


def test_an_account_without_a_player_gets_a_file_of_its_data(client):
    client.force_login(make_member("guest"))
    assert json.loads(client.post(reverse("my_data")).content)["player"] is None


def test_who_sits_at_a_table_is_led_there_first(mine, member, zoe):
    game = make_game(players=[zoe, *(make_player() for _three in range(3))], by=member)
    refused = leave(mine)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert f"Zoë still sits at a table of {game.league}: end that game first." in page
    assert f'href="{game.get_absolute_url()}"' in page


def test_who_leaves_is_signed_out_and_the_name_stays(mine, zoe):
    make_owner()
    response = leave(mine)
    assert response.url == reverse("goodbye")
    assert "Your account is gone" in mine.get(response.url).content.decode()
    assert mine.get(reverse("my_data")).status_code == 302
    zoe.refresh_from_db()
    assert (zoe.name, zoe.active, zoe.user) == ("Zoë", False, None)


def test_who_leaves_without_a_name_is_a_number_on_every_page(mine, member, zoe):
    hand = play(zoe, member)
    pages = [zoe.get_absolute_url(), hand.get_absolute_url(), hand.game.get_absolute_url()]
    leave(mine, name="anonymous")
    for page in pages:
        html = mine.get(page).content.decode()
        assert "Zoë" not in html
        assert f"N. N. {zoe.pk}" in html


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"password": "wrong"}, "This is not your password."),
        ({"sure": ""}, "Tick this, if you really want to leave."),
        ({"name": ""}, "Say what becomes of your name."),
    ],
)
def test_a_form_that_is_not_whole_changes_nothing(mine, zoe, fields, sentence):
    response = leave(mine, **fields)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert Player.objects.filter(pk=zoe.pk, user__isnull=False, active=True).exists()


def test_the_only_owner_reads_why_not(client):
    owner = make_owner("owner", password=PASSWORD)
    client.force_login(owner)
    response = leave(client)
    assert response.status_code == 422
    assert "The club needs an owner" in response.content.decode()
    assert User.objects.filter(pk=owner.pk).exists()


def test_a_renamed_player_makes_an_open_table_page_old(mine, member, zoe):
    page = reverse("game_live", args=[play(zoe, member).game_id])
    etag = mine.get(page)["ETag"]
    owner = make_owner()
    assert mine.get(page, HTTP_IF_NONE_MATCH=etag).status_code == 304
    change_player(zoe, name="Zoë B.", by=owner)
    assert mine.get(page, HTTP_IF_NONE_MATCH=etag).status_code == 200
