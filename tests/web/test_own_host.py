"""Codes and links that no phone can open are not made without a warning: 127.0.0.1 is the server itself."""

import pytest
from django.urls import reverse

from tests.factories import make_organiser, make_player

pytestmark = pytest.mark.django_db

WARNING = "No phone can open a code or a link made here"


@pytest.fixture
def pages(client):
    """Where codes and links are made, and where they are shown once."""
    client.force_login(make_organiser())
    make_player("Newcomer")

    def read(host):
        asked = {
            "tables": client.get(reverse("tables"), headers={"host": host}),
            "cards of tables": client.post(
                reverse("tables"), {"names": "1–2"}, headers={"host": host}
            ),
            "invitations": client.get(reverse("invitations"), headers={"host": host}),
            "people": client.get(reverse("invitation_cards"), headers={"host": host}),
            "invitation": client.post(
                reverse("invitations"), {"once": "once", "days": "7"}, headers={"host": host}
            ),
        }
        assert {page.status_code for page in asked.values()} == {200}
        return {name: page.content.decode() for name, page in asked.items()}

    return read


@pytest.mark.each_case
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:8000", "127.0.1.1"])
def test_who_makes_codes_on_the_server_itself_is_told_that_phones_cannot_open_them(
    pages, settings, host
):
    settings.ALLOWED_HOSTS = ["*"]
    for name, page in pages(host).items():
        assert page.count(WARNING) == 1, name
        assert f"{host} is this computer itself" in page


@pytest.mark.each_case
@pytest.mark.parametrize(
    "host", ["club.example", "192.0.2.2:8000", "[2001:db8::2]:8000", "localhost.example"]
)
def test_codes_at_an_address_that_phones_can_open_are_made_without_a_word(pages, settings, host):
    settings.ALLOWED_HOSTS = ["*"]
    assert not [name for name, page in pages(host).items() if WARNING in page]
