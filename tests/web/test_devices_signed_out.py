"""A browser that was signed out shows no more notices, whichever way it was signed out."""

import pytest
from django.test import Client

from scoring.models import Delivery, NoticeKind, PushSubscription
from scoring.services.notices import notify
from scoring.services.roles import make_organiser as give_role
from scoring.services.sessions import end_sessions
from tests.factories import make_member, make_organiser
from tests.services.test_notices import AUTH, P256DH, device

pytestmark = pytest.mark.django_db

PASSWORD, OTHER = "a long password", "another long one"


@pytest.fixture
def ann():
    return make_member("ann", password=PASSWORD)


def signed_in():
    client = Client()
    client.post("/sign-in/", {"username": "ann", "password": PASSWORD})
    client.post("/account/again/", {"password": PASSWORD})
    return client


def shows_notices(client, number):
    endpoint = f"https://push.example.org/{number}"
    sent = {"endpoint": endpoint, "p256dh": P256DH, "auth": AUTH}
    assert client.post("/account/notices/add-device/", sent).status_code == 204


@pytest.fixture
def phone(ann):
    """With the subscription 1."""
    client = signed_in()
    shows_notices(client, 1)
    return client


@pytest.fixture
def laptop(ann):
    """With the subscription 2."""
    client = signed_in()
    shows_notices(client, 2)
    return client


def left():
    addresses = PushSubscription.objects.order_by("pk").values_list("endpoint", flat=True)
    return [address.rpartition("/")[2] for address in addresses]


def test_signing_out_ends_the_notices_of_this_browser_alone(phone, laptop):
    phone.post("/sign-out/")
    assert left() == ["2"]


def test_a_browser_whose_session_does_not_know_its_address_names_it(ann, laptop):
    client = signed_in()
    device(ann, 1)
    here = PushSubscription.objects.exclude(endpoint__endswith="/2").get().endpoint
    client.post("/sign-out/", {"endpoint": here})
    assert left() == ["2"]


def test_nobody_ends_the_notices_of_somebody_else_by_signing_out(phone):
    other = make_member("eve")
    eve = Client()
    eve.force_login(other)
    eve.post("/sign-out/", {"endpoint": "https://push.example.org/1"})
    assert left() == ["1"]


def test_whom_an_organiser_signs_out_everywhere_gets_no_more_notices_there(ann, phone, laptop):
    notify(NoticeKind.RECAP, [ann.pk])
    assert Delivery.objects.filter(channel="push").count() == 2
    end_sessions(ann, by=make_organiser())
    assert left() == []
    assert not Delivery.objects.filter(channel="push").exists()


def test_a_new_password_ends_the_notices_of_other_browsers(phone, laptop):
    entry = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    assert laptop.post("/account/password/change/", entry).status_code == 302
    assert left() == ["2"]


def test_a_password_from_elsewhere_ends_the_notices_of_all_browsers(ann, phone, laptop):
    ann.set_password(OTHER)
    ann.save()
    assert left() == []


@pytest.mark.parametrize("which", ["one", "others"])
def test_a_browser_that_is_signed_out_from_another_one_shows_no_more_notices(phone, laptop, which):
    page = laptop.get("/account/sessions/")
    (other,) = [
        one
        for one, _name in page.context["sessions"]
        if one.session_key != laptop.session.session_key
    ]
    wanted = "others" if which == "others" else other.pk
    assert laptop.post("/account/sessions/", {"session": wanted}).status_code == 302
    assert left() == ["2"]


def test_a_new_role_ends_no_notices(ann, phone):
    give_role(ann, by=make_organiser())
    assert left() == ["1"]


def sessions_but(client):
    page = client.get("/account/sessions/")
    own = client.session.session_key
    return [one for one, _name in page.context["sessions"] if one.session_key != own]


def test_a_browser_of_whose_notices_no_session_knows_shows_none_once_one_is_signed_out(ann, laptop):
    """Any of them may be the one that was lost: it was signed in anew since, or before sessions kept this."""
    signed_in()
    device(ann, 1)
    (lost,) = sessions_but(laptop)
    assert laptop.post("/account/sessions/", {"session": lost.pk}).status_code == 302
    assert left() == ["2"]


def test_a_browser_that_was_signed_in_anew_says_which_notices_are_its_own(ann, phone):
    again = signed_in()
    known = {"known": "yes", "endpoint": "https://push.example.org/1"}
    assert again.post("/account/notices/add-device/", known).status_code == 204
    assert again.post("/account/sessions/", {"session": "others"}).status_code == 302
    assert left() == ["1"]


def test_a_browser_with_notices_of_somebody_else_has_none_of_its_own(phone):
    eve = Client()
    eve.force_login(make_member("eve"))
    known = {"known": "yes", "endpoint": "https://push.example.org/1"}
    assert eve.post("/account/notices/add-device/", known).status_code == 204
    assert eve.session["device"] is None
    eve.post("/sign-out/")
    assert left() == ["1"]
