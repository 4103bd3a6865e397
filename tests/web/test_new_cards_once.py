"""New cards for the tables are made once, however often the page with them is loaded."""

import re

import pytest
from django.test import Client

from scoring.models import ClubTable
from tests.factories import make_organiser, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser(client):
    client.force_login(make_organiser())
    return client


def seen(client, page):
    return re.search(r'name="seen" value="([^"]+)"', client.get(page).content.decode())[1]


@pytest.mark.parametrize("which", ["all tables", "one table"])
def test_loading_the_page_of_new_cards_again_leaves_them_valid(organiser, which):
    table, _code = make_table("1")
    page = "/tables/" if which == "all tables" else f"/tables/{table.pk}/"
    sent = {"seen": seen(organiser, page)}
    address = "/tables/codes/" if which == "all tables" else page
    if which == "one table":
        sent["do"] = "renew"
    made = organiser.post(address, sent)
    assert made.status_code == 200
    printed = re.search(r"/tables/([0-9a-z]{18})/", made.content.decode())[1]
    again = organiser.post(address, sent)
    assert again.status_code == 409
    assert "New cards were made already" in again.content.decode()
    assert Client().get(f"/tables/{printed}/").status_code == 200
    assert organiser.post(address, {**sent, "seen": seen(organiser, page)}).status_code == 200
    assert Client().get(f"/tables/{printed}/").status_code == 404


def test_new_cards_are_made_for_the_tables_that_somebody_has_seen(organiser):
    make_table("1")
    sent = {"seen": seen(organiser, "/tables/")}
    before = ClubTable.objects.get().digest
    make_table("2")
    assert organiser.post("/tables/codes/", sent).status_code == 409
    assert organiser.post("/tables/codes/").status_code == 409
    assert ClubTable.objects.get(name="1").digest == before
