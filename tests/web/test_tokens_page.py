"""The page on which members make tokens and end them."""

import pytest
from rest_framework.test import APIClient

from scoring.models import ApiToken
from tests.factories import make_member, make_organiser, make_token

pytestmark = pytest.mark.django_db

PASSWORD = "three green dragons"
URL = "/account/tokens/"
ASKED = {"name": "Score board", "scopes": ["read"], "days": "90", "password": PASSWORD}


@pytest.fixture
def ann(client):
    user = make_member("ann", password=PASSWORD)
    client.force_login(user)
    return user


def test_a_new_token_is_shown_once_and_works(client, ann):
    made = client.post(URL, ASKED)
    text = made.context["text"]
    assert text in made.content.decode()
    assert "no-store" in made["Cache-Control"]
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    assert program.get("/api/v1/me/").json()["account"] == "ann"
    page = client.get(URL).content.decode()
    assert "Score board" in page
    assert text not in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"password": "wrong"}, "This is not your password."),
        ({"password": ""}, "Type your password."),
        ({"name": ""}, "Give the token a name"),
        ({"scopes": []}, "Say what the token is for"),
        ({"scopes": ["organise"]}, "organise"),
        ({"days": "4000"}, "4000"),
    ],
)
def test_a_wrong_form_makes_none_and_says_why(client, ann, change, words):
    refused = client.post(URL, {**ASKED, **change})
    assert refused.status_code == 422
    assert words in refused.content.decode()
    assert not ApiToken.objects.exists()


def test_only_organisers_are_offered_to_organise(client, ann):
    assert "do what organisers do" not in client.get(URL).content.decode()
    client.force_login(make_organiser(password=PASSWORD))
    assert "do what organisers do" in client.get(URL).content.decode()
    assert client.post(URL, {**ASKED, "scopes": ["read", "organise"]}).status_code == 200
    assert ApiToken.objects.get().may_organise


def test_a_token_is_ended_by_its_member_alone(client, ann):
    make_token(ann)
    end, named = f"{URL}end/", {"token": ApiToken.objects.get().pk}
    other = make_member()
    client.force_login(other)
    assert client.post(end, named).status_code == 404
    client.force_login(ann)
    for wrong in ({}, {"token": "x"}, {"token": "9" * 30}):
        assert client.post(end, wrong).status_code == 404
    assert client.post(end, named).status_code == 302
    assert not ApiToken.objects.exists()


def test_the_page_asks_the_same_queries_for_one_token_and_three(
    client, ann, django_assert_num_queries
):
    for _time in (1, 2):
        make_token(ann)
        with django_assert_num_queries(5):
            client.get(URL)
        make_token(ann)


def test_the_page_says_why_a_token_is_refused(client, ann):
    make_token(ann)
    ann.set_password(PASSWORD * 2)
    ann.save()
    client.force_login(ann)
    assert "ended when the password changed" in client.get(URL).content.decode()


def test_the_page_without_tokens_says_so(client, ann):
    assert "No program signs in with your account." in client.get(URL).content.decode()


def test_who_does_not_play_finds_the_page_of_tokens(client, ann):
    assert 'href="/account/"' in client.get("/").content.decode()
    assert f'href="{URL}"' in client.get("/account/").content.decode()
    client.logout()
    assert 'href="/account/"' not in client.get("/").content.decode()
