"""A call that is sent twice is carried out once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import IdempotencyKey
from scoring.services.errors import KeyReused
from scoring.services.idempotency import TTL, StoredResponse, idempotent
from tests.factories import make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def calls():
    return []


@pytest.fixture
def send(calls):
    def act():
        calls.append(len(calls))
        return StoredResponse(201, {"call": len(calls)})

    member = make_member()

    def send(key="k", body="{}", by=member, call="POST /games/"):
        return idempotent(act, by=by, key=key, call=call, body=body)

    return send


def test_a_repeated_key_repeats_the_answer(send, calls):
    assert send() == StoredResponse(201, {"call": 1})
    assert send() == StoredResponse(201, {"call": 1}, replayed=True)
    assert len(calls) == 1


@pytest.mark.parametrize("change", [{"body": "[]"}, {"call": "POST /players/"}])
def test_a_repeated_key_with_another_request_is_refused(send, calls, change):
    send()
    with pytest.raises(KeyReused):
        send(**change)
    assert len(calls) == 1


def test_two_people_may_use_the_same_key(send, calls):
    send()
    assert not send(by=make_member()).replayed
    assert len(calls) == 2


def test_calls_without_a_key_all_count(send, calls):
    send(key="")
    send(key="")
    assert len(calls) == 2
    assert not IdempotencyKey.objects.exists()


def test_a_call_that_fails_leaves_no_key(send):
    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        idempotent(fail, by=make_member(), key="k", call="POST /games/", body="")
    assert not IdempotencyKey.objects.exists()


def test_keys_are_forgotten_after_a_week(send):
    send(key="old")
    IdempotencyKey.objects.update(created_at=timezone.now() - TTL - timedelta(hours=1))
    send(key="new")
    assert [row.key for row in IdempotencyKey.objects.all()] == ["new"]
