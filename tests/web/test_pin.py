"""A member sets a PIN on a page of their own, to answer on somebody else's phone."""

import pytest
from django.contrib.auth.hashers import check_password
from django.urls import reverse

from scoring.models import Player
from tests.factories import make_member, make_player
from tests.support.pages import text

pytestmark = pytest.mark.django_db

PASSWORD = "tiles on the table"


@pytest.fixture
def ann():
    return make_member("ann", player=make_player("Ann"), password=PASSWORD)


@pytest.fixture
def page(client, ann):
    client.force_login(ann)

    def page(**sent):
        address = reverse("pin")
        return client.post(address, sent, follow=True) if sent else client.get(address)

    return page


def stored():
    return Player.objects.get(name="Ann").pin


def test_a_players_own_page_leads_to_the_pin(client, page, ann):
    shown = text(client.get(ann.player.get_absolute_url()))
    assert reverse("pin") in shown


def test_the_page_of_another_player_does_not_lead_to_the_pin(client, page):
    other = make_player("Ben")
    assert reverse("pin") not in text(client.get(other.get_absolute_url()))


def test_a_pin_is_set_changed_and_removed(page):
    assert "You have no PIN yet." in text(page())
    assert "Your PIN is set." in text(page(pin="4711", password=PASSWORD))
    assert check_password("4711", stored())
    page(pin="87654312", password=PASSWORD)
    assert check_password("87654312", stored())
    assert "You have a PIN." in text(page())
    assert "Your PIN is removed." in text(page(remove="yes", password=PASSWORD))
    assert stored() == ""


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"pin": "12", "password": PASSWORD}, "A PIN has 4 to 8 digits."),
        ({"pin": "abcd", "password": PASSWORD}, "A PIN has 4 to 8 digits."),
        ({"pin": "1234", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "77777", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "9876", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "1212", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "2468", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "2580", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "2026", "password": PASSWORD}, "This PIN is guessed first"),
        ({"pin": "", "password": PASSWORD}, "Type the PIN that you want"),
        ({"pin": "4711", "password": "another"}, "This is not your password."),
        ({"pin": "4711", "password": ""}, "Type your password."),
        ({"remove": "yes", "password": "another"}, "This is not your password."),
    ],
)
def test_an_invalid_pin_is_refused(page, sent, sentence):
    response = page(**sent)
    assert response.status_code == 422
    assert sentence in text(response)
    assert stored() == ""


def test_an_account_without_a_player_is_told_what_to_do(client):
    client.force_login(make_member("olga", password=PASSWORD))
    assert "belongs to no player" in text(client.get(reverse("pin")))
    sent = client.post(reverse("pin"), {"pin": "4711", "password": PASSWORD})
    assert sent.status_code == 422


def test_a_visitor_who_wants_a_pin_signs_in_first(client):
    assert client.get(reverse("pin")).url.startswith(reverse("sign_in"))


def test_the_page_and_the_log_show_no_pin(page, caplog):
    response = page(pin="471199", password="another")
    assert "471199" not in text(response)
    page(pin="471199", password=PASSWORD)
    assert "471199" not in caplog.text
