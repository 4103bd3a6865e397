"""Guessing is slow, and so is whoever asks too often; nobody else is."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from scoring.models import TryCount
from scoring.services.tries import LOCKED_FOR
from tests.factories import make_member, make_organiser

# What is asked here comes out the same on every database.
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

PASSWORD = "tiles on the table"
SIGN_IN, TOKEN, ADMIN = "/sign-in/", "/api/v1/token/", "/admin/login/"
HERE, THERE = "203.0.113.1", "203.0.113.2"


@pytest.fixture(autouse=True)
def _three_guesses(settings):
    settings.SIGN_IN_FAILURES = 3


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
    def test_guessing_one_name_ends_after_a_few_times(self, address, refused):
        assert statuses(5, address) == [refused, refused, refused, 429, 429]

    @pytest.mark.parametrize("address", [SIGN_IN, TOKEN])
    def test_guessing_one_name_ends_at_every_entry_point_at_once(self, address):
        statuses(3, address)
        assert guess(SIGN_IN, password=PASSWORD).status_code == 429
        assert guess(TOKEN, password=PASSWORD).status_code == 429

    def test_guessing_one_name_ends_at_every_address_at_once(self):
        assert statuses(2) + statuses(3, of=THERE) == [422, 422, 422, 429, 429]

    @pytest.mark.parametrize("name", ["Ann", "ANN", " ann ", "\uff41nn"])
    def test_guessing_one_name_ends_however_it_is_spelled(self, name):
        statuses(3)
        assert guess(name=name).status_code == 429

    def test_guessing_one_name_ends_by_mail_as_well_as_by_name(self, ann):
        ann.email = "ann@club.example"
        ann.save()
        assert statuses(3, name="ann@club.example") == [422, 422, 422]
        assert guess().status_code == 429

    def test_guessing_one_name_is_answered_in_words(self):
        statuses(3)
        page = guess()
        assert "Wait 15 minutes" in page.content.decode()
        assert page["Retry-After"] == "900"
        problem = guess(TOKEN)
        assert problem["Content-Type"] == "application/problem+json"
        assert problem["Retry-After"] == "900"
        assert "15 minutes" in problem.json()["detail"]

    def test_guessing_one_name_does_not_lock_out_the_others_in_the_room(self):
        make_member("ben", password=PASSWORD)
        statuses(4)
        assert guess(name="ben", password=PASSWORD).status_code == 302

    def test_guessing_one_name_is_forgotten_after_a_while(self):
        statuses(4)
        TryCount.objects.update(failed_at=timezone.now() - LOCKED_FOR - timedelta(seconds=1))
        assert guess(password=PASSWORD).status_code == 302

    def test_guessing_one_name_leaves_no_trace_for_ever(self):
        statuses(1, name="nobody")
        TryCount.objects.update(failed_at=timezone.now() - LOCKED_FOR - timedelta(seconds=1))
        statuses(1)
        assert TryCount.objects.count() == 1

    def test_guessing_one_name_goes_on_counting_when_the_right_password_comes(self):
        statuses(2)
        assert guess(password=PASSWORD).status_code == 302
        assert statuses(2) == [422, 429]

    def test_guessing_one_name_does_not_count_the_right_password(self):
        assert {guess(password=PASSWORD).status_code for _time in range(5)} == {302}

    def test_guessing_a_name_that_nobody_has_ends_as_well(self):
        assert statuses(4, name="nobody") == [422, 422, 422, 429]

    def test_guessing_one_name_keeps_neither_name_nor_password(self):
        guess(password="nearly right")
        [count] = TryCount.objects.values()
        assert "nearly" not in str(count)
        assert "ann" not in str(count)

    def test_being_asked_for_the_password_again_counts_wrong_tries_for_the_same_name(self, ann):
        client = Client(REMOTE_ADDR=HERE)
        client.force_login(ann)
        entry = {"username": "annie", "password": "guess"}
        answers = [client.post("/account/name/", entry).status_code for _time in range(4)]
        assert answers == [422, 422, 422, 429]


class TestAKnownDevice:
    """One on which the person has signed in before."""

    @pytest.fixture(params=[SIGN_IN, TOKEN])
    def device(self, request):
        """Ann's, without a session; ``device(address, password)`` tries to sign in."""
        client = Client(REMOTE_ADDR=HERE)
        json = {"content_type": "application/json"}

        def send(address, password=PASSWORD, name="ann"):
            more = json if address == TOKEN else {}
            answer = client.post(address, {"username": name, "password": password}, **more)
            client.cookies.pop("sessionid", None)
            return answer.status_code

        assert send(request.param) in (200, 302)
        return send

    @pytest.mark.parametrize("address", [SIGN_IN, TOKEN])
    def test_a_known_device_gets_in_while_somebody_beside_it_guesses(self, device, address):
        assert statuses(4)[-1] == 429
        assert device(address) in (200, 302)

    def test_a_known_device_gets_in_while_somebody_beside_it_asks_too_often(self, device, rate):
        rate("sign_in", "2/min")
        statuses(3, name="eve")
        assert guess(name="eve").status_code == 429
        assert device(SIGN_IN) == 302

    def test_a_known_device_may_not_guess_any_longer_than_another(self, device):
        assert [device(SIGN_IN, "guess") for _time in range(4)] == [422, 422, 422, 429]
        assert guess(password=PASSWORD, of=THERE).status_code == 302

    def test_a_known_device_forgets_its_wrong_tries_with_the_right_one(self, device):
        for _time in range(2):
            assert [device(SIGN_IN, "guess") for _try in range(2)] == [422, 422]
            assert device(SIGN_IN) == 302

    def test_a_known_device_is_a_stranger_to_other_accounts(self, device):
        make_member("ben", password=PASSWORD)
        statuses(4, name="ben")
        assert device(SIGN_IN, name="ben") == 429

    def test_a_known_device_is_not_what_it_says_itself(self):
        statuses(3)
        client = Client(REMOTE_ADDR=HERE)
        client.cookies["device"] = "made:up"
        body = {"username": "ann", "password": PASSWORD}
        assert client.post(SIGN_IN, body).status_code == 429


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_many_at_once_from_two_addresses_guess_no_oftener(ann):
    def one(number):
        try:
            return guess(of=(HERE, THERE)[number % 2]).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(one, range(16)))
    assert (found.count(422), found.count(429)) == (3, 13)


class TestWhereACallComesFrom:
    def test_where_a_call_comes_from_is_not_what_it_says_itself(self, rate):
        rate("sign_in", "3/min")
        for number in range(3):
            guess(name=f"a{number}", headers={"X-Forwarded-For": f"198.51.100.{number}"})
        assert guess(name="b", headers={"X-Forwarded-For": "198.51.100.9"}).status_code == 429

    def test_where_a_call_comes_from_is_what_the_proxy_says(self, settings, rate):
        rate("sign_in", "1/min")
        settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
        for number in range(3):
            header = f"made up, 198.51.100.{number}"
            assert guess(headers={"X-Forwarded-For": header}).status_code == 422
        assert guess(headers={"X-Forwarded-For": "198.51.100.0"}).status_code == 429

    @pytest.mark.parametrize("of", ["", "nonsense", "::1"])
    def test_where_a_call_comes_from_may_be_unknown(self, of):
        assert statuses(4, of=of) == [422, 422, 422, 429]
        make_member("ben", password=PASSWORD)
        assert guess(name="ben", password=PASSWORD, of=of).status_code == 302


@pytest.mark.parametrize("name", ["x" * 255, "x" * 5000, "<b>", "Ünï", "\u202eann"])
def test_a_name_that_nobody_can_have_is_refused_in_words(name):
    response = guess(name=name)
    assert response.status_code == 422
    assert "message--error" in response.content.decode()


class TestTooOftenFromOneAddress:
    def test_calling_too_often_from_one_address_stops_signing_in_with_many_names(self, rate):
        rate("sign_in", "2/min")
        assert [guess(name=name).status_code for name in "abc"] == [422, 422, 429]
        assert guess(of=THERE).status_code == 422
        assert Client(REMOTE_ADDR=HERE).get(SIGN_IN).status_code == 200

    def test_the_admin_has_no_door_of_its_own(self):
        response = Client().get("/admin/")
        assert response.url == "/admin/login/?next=/admin/"
        response = Client().get(response.url)
        assert response.url == "/sign-in/?next=/admin/"

    def test_calling_too_often_from_one_address_stops_the_calculator(self, rate):
        rate("calculator", "2/min")
        pages = [Client().get("/calculator/") for _time in range(3)]
        assert [page.status_code for page in pages] == [200, 200, 429]
        assert "Wait" in pages[-1].content.decode()
        assert int(pages[-1]["Retry-After"]) > 0

    def test_calling_too_often_from_one_address_stops_visitors_of_the_api(self, rate):
        rate("visitor", "2/min")
        answers = [Client().get("/api/v1/leagues/") for _time in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert answers[-1]["Content-Type"] == "application/problem+json"

    @pytest.mark.parametrize("make", [make_member, make_organiser])
    def test_calling_too_often_from_one_address_does_not_throttle_members(self, rate, make):
        rate("visitor", "2/min")
        client = Client()
        client.force_login(make())
        assert {client.get("/api/v1/games/").status_code for _time in range(5)} == {200}
