"""Guessing is slow, and so is whoever asks too often; nobody else is."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from tests.factories import make_member, make_organiser

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

PASSWORD = "tiles on the table"
SIGN_IN, TOKEN, ADMIN = "/sign-in/", "/api/v1/token/", "/admin/login/"
HERE, THERE = "203.0.113.1", "203.0.113.2"


@pytest.fixture(autouse=True)
def _three_guesses(settings):
    settings.AXES_FAILURE_LIMIT = 3


@pytest.fixture(autouse=True)
def ann():
    return make_member("ann", password=PASSWORD)


@pytest.fixture
def rate(monkeypatch):
    def rate(scope, value):
        monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, scope, value)

    return rate


def guess(address=SIGN_IN, *, name="ann", password="guess", of=HERE, **headers):
    body = {"username": name, "password": password}
    if address == TOKEN:
        headers["content_type"] = "application/json"
    return Client(REMOTE_ADDR=of).post(address, body, **headers)


def statuses(times, *args, **kwargs):
    return [guess(*args, **kwargs).status_code for _time in range(times)]


class TestGuessingOneName:
    @pytest.mark.parametrize(("address", "refused"), [(SIGN_IN, 422), (TOKEN, 400)])
    def test_ends_after_a_few_times(self, address, refused):
        assert statuses(5, address) == [refused, refused, 429, 429, 429]

    @pytest.mark.parametrize("address", [SIGN_IN, TOKEN])
    def test_ends_at_every_door_at_once(self, address):
        statuses(3, address)
        assert guess(SIGN_IN, password=PASSWORD).status_code == 429
        assert guess(TOKEN, password=PASSWORD).status_code == 429

    def test_is_answered_in_words(self):
        statuses(3)
        page = guess()
        assert "Wait 15 minutes" in page.content.decode()
        assert page["Retry-After"] == "900"
        problem = guess(TOKEN)
        assert problem["Content-Type"] == "application/problem+json"
        assert problem["Retry-After"] == "900"
        assert "900 seconds" in problem.json()["detail"]

    def test_does_not_lock_out_the_person_elsewhere(self):
        statuses(4)
        assert guess(password=PASSWORD, of=THERE).status_code == 302

    def test_does_not_lock_out_the_others_in_the_room(self):
        make_member("ben", password=PASSWORD)
        statuses(4)
        assert guess(name="ben", password=PASSWORD).status_code == 302

    def test_is_forgotten_after_a_while(self, settings):
        statuses(4)
        while_ago = timezone.now() - settings.AXES_COOLOFF_TIME - timedelta(seconds=1)
        AccessAttempt.objects.update(attempt_time=while_ago)
        assert guess(password=PASSWORD).status_code == 302

    def test_is_forgotten_by_the_right_password(self):
        statuses(2)
        guess(password=PASSWORD)
        assert statuses(2) == [422, 422]

    def test_that_nobody_has_ends_as_well(self):
        assert statuses(3, name="nobody") == [422, 422, 429]

    def test_keeps_no_password(self):
        guess(password="nearly right")
        [attempt] = AccessAttempt.objects.all()
        assert "nearly" not in f"{attempt.post_data}{attempt.get_data}{attempt.path_info}"


class TestWhereACallComesFrom:
    def test_is_not_what_it_says_itself(self):
        for number in range(3):
            guess(headers={"X-Forwarded-For": f"198.51.100.{number}"})
        assert guess(headers={"X-Forwarded-For": "198.51.100.9"}).status_code == 429

    def test_is_what_the_proxy_says(self, settings):
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
        for number in range(3):
            guess(headers={"X-Forwarded-For": f"made up, 198.51.100.{number}"})
        assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {
            "198.51.100.0",
            "198.51.100.1",
            "198.51.100.2",
        }

    @pytest.mark.parametrize("of", ["", "nonsense", "::1"])
    def test_may_be_nowhere(self, of):
        assert statuses(3, of=of) == [422, 422, 429]


@pytest.mark.parametrize("name", ["x" * 151, "x" * 5000, "a\x00b", "<b>", "Ünï", "\u202eann"])
def test_a_name_that_nobody_can_have_is_refused_in_words(name):
    response = guess(name=name)
    assert response.status_code == 422
    assert "message--error" in response.content.decode()


class TestTooOftenFromOneAddress:
    def test_stops_signing_in_with_many_names(self, rate):
        rate("sign_in", "2/min")
        assert [guess(name=name).status_code for name in "abc"] == [422, 422, 429]
        assert guess(of=THERE).status_code == 422
        assert Client(REMOTE_ADDR=HERE).get(SIGN_IN).status_code == 200

    def test_the_admin_has_no_door_of_its_own(self):
        response = Client().get("/admin/")
        assert response.url == "/admin/login/?next=/admin/"
        response = Client().get(response.url)
        assert response.url == "/sign-in/?next=/admin/"

    def test_stops_the_calculator(self, rate):
        rate("calculator", "2/min")
        pages = [Client().get("/calculator/") for _time in range(3)]
        assert [page.status_code for page in pages] == [200, 200, 429]
        assert "Wait" in pages[-1].content.decode()
        assert int(pages[-1]["Retry-After"]) > 0

    def test_stops_visitors_of_the_api(self, rate):
        rate("visitor", "2/min")
        answers = [Client().get("/api/v1/leagues/") for _time in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1]["Content-Type"] == "application/problem+json"

    @pytest.mark.parametrize("make", [make_member, make_organiser])
    def test_does_not_throttle_members(self, rate, make):
        rate("visitor", "2/min")
        client = Client()
        client.force_login(make())
        assert {client.get("/api/v1/games/").status_code for _time in range(5)} == {200}
