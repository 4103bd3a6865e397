"""A null character in a query or a form is refused by every page, on every database."""

import pytest
from django.urls import reverse

from scoring.models import ClubTable, PushSubscription
from tests.factories import make_organiser

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def organiser(client):
    client.force_login(make_organiser("olga"))
    return client


@pytest.mark.parametrize("address", ["/players/", "/people/"])
def test_a_null_character_in_a_query_is_refused_in_words(organiser, address):
    answer = organiser.get(address, {"q": "a\x00b"})
    assert answer.status_code == 400
    assert "We could not read that" in answer.content.decode()


@pytest.mark.each_case
@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("/tables/", {"names": "Win\x00dow"}),
        ("/account/notices/add-device/", {"endpoint": "https://push.example/\x00"}),
        ("/account/notices/add-device/", {"device": "phone\x00"}),
        ("/people/add/", {"do": "store", "anyway": ["1", "\x00"]}),
    ],
)
def test_a_null_character_in_a_form_is_refused(organiser, address, sent):
    assert organiser.post(address, sent).status_code == 400
    assert not ClubTable.objects.exists()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("view", ["log_hand", "preview_hand"])
def test_a_null_character_from_a_script_is_refused_in_json(organiser, game, view):
    sent = {"number": 1, "key": "k", "winner": "draw", "tiles": "222B\0"}
    headers = {"Accept": "application/json", "HX-Request": "true"}
    answer = organiser.post(reverse(view, args=[game.pk]), sent, headers=headers)
    assert (answer.status_code, answer.json()["outcome"]) == (400, "refused")
    assert "not complete or not in a form we understand" in answer.json()["reasons"][0]


def test_more_than_anybody_enters_is_refused_in_json_where_a_script_sends_it(organiser, game):
    sent = {"number": 1, "key": "k", "winner": "draw", "tiles": "2" * 3_000_000}
    headers = {"Accept": "application/json", "HX-Request": "true"}
    answer = organiser.post(reverse("log_hand", args=[game.pk]), sent, headers=headers)
    assert (answer.status_code, answer.json()["outcome"]) == (413, "refused")
