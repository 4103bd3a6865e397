"""A null character in a query or a form is refused by every page, on every database."""

import pytest

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
