"""Many wrong tries at the same moment are no more than may be."""

import pytest

from scoring.models import TryCount
from scoring.models.permissions import PermissionDenied
from scoring.services.errors import TooManyAttempts
from scoring.services.tries import limited_tries
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def attempt(right, limits=None):
    try:
        with limited_tries(limits or {"one": 3}):
            if not right:
                raise PermissionDenied
    except TooManyAttempts:
        return "stopped"
    except PermissionDenied:
        return "wrong"
    return "right"


def test_three_of_eight_wrong_tries_at_once_are_compared():
    assert sorted(at_once(lambda _n: attempt(False), times=8)) == ["stopped"] * 5 + ["wrong"] * 3
    assert attempt(True) == "stopped"


def test_right_tries_are_not_counted():
    attempt(False)
    (before,) = TryCount.objects.values_list("failures", "failed_at")
    assert [attempt(True) for _time in range(5)] == ["right"] * 5
    assert list(TryCount.objects.values_list("failures", "failed_at")) == [before]


def test_what_one_limit_stops_is_not_counted_under_another():
    for _time in range(3):
        attempt(False)
    assert attempt(False, {"one": 3, "two": 3}) == "stopped"
    assert not TryCount.objects.filter(failures__gt=3).exists()
    assert [attempt(False, {"two": 3}) for _time in range(4)][-2:] == ["wrong", "stopped"]
