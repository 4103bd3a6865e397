"""Adding people and inviting them by the API."""

import pytest

from scoring.models import Delivery, Invitation, Player
from tests.api.callers import caller
from tests.factories import make_organiser, make_player

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]


@pytest.fixture
def api():
    return caller(make_organiser())


def test_many_people_are_added_at_once_and_once(api):
    body = {"people": [{"name": "Ann Lee"}, {"name": "Bob", "email": "bob@club.example"}]}
    headers = {"Idempotency-Key": "k1"}
    added = api.post("/api/v1/people/", body, headers=headers)
    assert added.status_code == 201
    people = [{"id": player.pk, "name": player.name} for player in Player.objects.order_by("pk")]
    assert added.json() == {"people": people}
    assert [one["name"] for one in people] == ["Ann Lee", "Bob"]
    assert api.post("/api/v1/people/", body, headers=headers).json() == added.json()
    assert not Invitation.objects.exists()


def test_all_are_refused_with_one_and_each_problem_has_its_place(api):
    make_player("Zoë Jansen")
    names = ("Bob", "Zoe Jansen", "zoë jansen", "A\u200bnn", "bob")
    refused = api.post("/api/v1/people/", {"people": [{"name": name} for name in names]})
    assert refused.status_code == 400
    assert [(error["field"], error["code"]) for error in refused.json()["errors"]] == [
        ("people.1.name", "looks_like"),
        ("people.2.name", "unique"),
        ("people.3.name", "invalid"),
        ("people.4.name", "unique"),
    ]
    assert "Zoë Jansen" in refused.json()["errors"][0]["message"]
    assert Player.objects.count() == 1


def test_a_look_alike_is_added_when_it_is_asked_for(api):
    make_player("Zoë Jansen")
    body = {"people": [{"name": "Zoe Jansen", "anyway": True}]}
    assert api.post("/api/v1/people/", body).status_code == 201


def test_whoever_has_an_address_is_invited_by_mail(api, settings):
    settings.SENDS_MAIL = True
    body = {"people": [{"name": "Bob", "email": "bob@club.example"}, {"name": "Ann"}]}
    api.post("/api/v1/people/", {**body, "invite": True})
    delivery = Delivery.objects.get()
    assert delivery.address == "bob@club.example"
    assert delivery.link.startswith("/join/")


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("people", {}),
        ("people", {"people": []}),
        ("people.0.name", {"people": [{}]}),
        ("people.0.email", {"people": [{"name": "Ann", "email": "nothing"}]}),
        ("people.0.username", {"people": [{"name": "Ann", "username": "a b"}]}),
        ("people.0.role", {"people": [{"name": "Ann", "role": "owner"}]}),
        ("people", {"people": [{"name": "Ann"}] * 2001}),
    ],
)
def test_a_call_with_a_bad_person_names_the_field(api, field, body):
    refused = api.post("/api/v1/people/", body)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == field


class TestInvitations:
    def test_invitations_tell_their_link_once(self, api, client):
        player = make_player("Zoe")
        made = api.post("/api/v1/invitations/", {"player": player.pk, "days": 3})
        assert made.status_code == 201
        link = made.json().pop("link")
        assert link.startswith("http://testserver/join/")
        assert "Zoe" in client.get(link).content.decode()
        (listed,) = api.get("/api/v1/invitations/").json()["results"]
        assert "link" not in listed
        assert (listed["player"], listed["once"], listed["joined"]) == (player.pk, True, 0)

    @pytest.mark.parametrize(
        "player", [b"1e400", b"-1e400", b"true", b'"x"', b"[]", b"0", b"1" * 40]
    )
    def test_invitations_are_for_a_player_who_exists(self, api, player):
        body = b'{"player": %s}' % player
        made = api.post("/api/v1/invitations/", body, content_type="application/json")
        assert made.status_code == 400
        assert made.json()["errors"][0]["field"] == "player"

    def test_invitations_are_revoked(self, api, client):
        made = api.post("/api/v1/invitations/", {"once": False}).json()
        assert api.delete(f"/api/v1/invitations/{made['id']}/").status_code == 204
        assert client.get(made["link"]).status_code == 410
        (listed,) = api.get("/api/v1/invitations/").json()["results"]
        assert listed["revoked_at"]

    @pytest.mark.parametrize("body", [{"player": 0}, {"days": 0}, {"days": 1000}, {"code": "x"}])
    def test_invitations_that_cannot_be_are_refused(self, api, body):
        assert api.post("/api/v1/invitations/", body).status_code == 400

    def test_a_list_costs_the_same_for_one_and_for_many(self, api, django_assert_max_num_queries):
        def queries():
            with django_assert_max_num_queries(30) as counted:
                api.get("/api/v1/invitations/")
            return len(counted)

        api.post("/api/v1/invitations/", {"player": make_player().pk})
        one = queries()
        for _number in range(5):
            api.post("/api/v1/invitations/", {"player": make_player().pk})
        assert queries() == one
