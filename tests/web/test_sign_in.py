"""Signing in and out."""

import pytest
from django.urls import reverse

from scoring.services.roles import make_organiser
from tests.factories import make_game, make_member, make_owner

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql, pytest.mark.django_db]

PASSWORD = "tiles on the table"


@pytest.fixture
def member():
    return make_member("ann", password=PASSWORD)


def sign_in(client, password=PASSWORD, **more):
    return client.post(
        reverse("sign_in"), {"username": "ann", "password": password, **more}, follow=False
    )


def test_signing_in_leads_home(client, member):
    assert sign_in(client).url == "/"
    assert "Sign out" in client.get("/").content.decode()


def test_a_sign_in_name_is_found_with_the_accents_of_the_person(client):
    make_member("jose.garcia", password=PASSWORD)
    assert sign_in(client, username="José.García").url == "/"


def test_signing_in_leads_back_to_where_one_came_from(client, member):
    start = client.get(reverse("new_game"))
    assert start.url == f"{reverse('sign_in')}?next={reverse('new_game')}"
    page = client.get(start.url).content.decode()
    assert f'<input type="hidden" name="next" value="{reverse("new_game")}">' in page
    assert sign_in(client, next=reverse("new_game")).url == reverse("new_game")


@pytest.mark.parametrize(
    "elsewhere",
    ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", "/\\elsewhere"],
)
def test_signing_in_never_leads_to_another_site(client, member, elsewhere):
    assert sign_in(client, next=elsewhere).url == "/"


def test_a_wrong_password_is_said_and_signs_nobody_in(client, member):
    response = sign_in(client, password="guess")
    assert response.status_code == 422
    assert "Name and password do not match" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_an_empty_sign_in_is_refused_in_words(client):
    response = client.post(reverse("sign_in"), {})
    assert response.status_code == 422
    assert "Enter your name and your password." in response.content.decode()


def test_an_account_that_was_closed_does_not_open(client, member):
    member.is_active = False
    member.save()
    assert sign_in(client).status_code == 422


def test_signing_out_ends_the_session(client, member):
    client.force_login(member)
    assert client.post(reverse("sign_out")).url == "/"
    assert "Sign in" in client.get("/").content.decode()


def test_a_link_signs_nobody_out(client, member):
    client.force_login(member)
    assert client.get(reverse("sign_out")).status_code == 405
    assert "_auth_user_id" in client.session


def test_who_is_signed_in_finds_the_own_page_in_the_header(client, member):
    client.force_login(member)
    page = client.get("/").content.decode()
    assert f'<a href="{reverse("me")}" title="ann">' in page


def give_a_role(member):
    make_organiser(member, by=make_owner())


def give_a_password(member):
    member.set_password("a new one for Ann")
    member.save()


signed_out_elsewhere = pytest.mark.parametrize("sign_out", [give_a_role, give_a_password])


@signed_out_elsewhere
def test_a_device_that_was_signed_out_from_elsewhere_is_told_why_once(client, member, sign_out):
    reason = "You were signed out on this device"
    client.force_login(member)
    sign_out(member)
    page = client.get("/account/", follow=True)
    assert page.request["PATH_INFO"] == "/sign-in/"
    assert reason in page.content.decode()
    assert reason not in client.get("/sign-in/").content.decode()


@signed_out_elsewhere
@pytest.mark.parametrize(
    "background", [{"HX-Request": "true"}, {"Sec-Fetch-Mode": "cors"}], ids=["htmx", "fetch"]
)
def test_a_table_that_lay_open_leaves_the_telling_to_the_next_page(
    client, member, background, sign_out
):
    game = make_game()
    client.force_login(member)
    sign_out(member)
    path = f"{game.get_absolute_url()}live/"
    asked = client.get(path, headers=background)
    assert "private" in asked.headers["Cache-Control"]
    reason = "You were signed out on this device"
    assert reason not in asked.content.decode()
    assert reason in client.get(game.get_absolute_url()).content.decode()
    assert reason not in client.get(game.get_absolute_url()).content.decode()


def test_who_has_heard_no_answer_to_signing_out_is_told_that_it_was_done(client, member):
    client.force_login(member)
    before = client.cookies["sessionid"].value
    client.post(reverse("sign_out"))
    client.cookies["sessionid"], client.cookies["signing_out"] = before, "1"
    page = client.get("/").content.decode()
    assert "You are signed out." in page
    assert "signed out on this device" not in page


def test_who_has_heard_no_answer_to_signing_out_is_told_that_it_was_not_done(client, member):
    client.force_login(member)
    client.cookies["signing_out"] = "1"
    words = "You are still signed in: signing out did not reach the site."
    assert words not in client.get("/", headers={"Sec-Fetch-Mode": "cors"}).content.decode()
    assert words in client.get("/").content.decode()
    assert words not in client.get("/").content.decode()


def test_who_signs_out_does_not_read_that_the_session_was_lost(client, member):
    client.force_login(member)
    page = client.post(reverse("sign_out"), follow=True)
    assert "signed out on this device" not in page.content.decode()
    assert "signed out on this device" not in client.get("/sign-in/").content.decode()
