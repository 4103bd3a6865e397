"""Two organisers, or two owners, set the stake at the same moment: the second reads that something changed."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models import EveningTerms
from scoring.services.settlements import change_terms, terms_etag
from tests.factories import make_league, make_organiser, make_owner
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def assert_one_is_stored(league, by):
    seen = terms_etag(league)

    def act(n):
        try:
            change_terms(league, stake=100 + n, stake_points=100, by=by, expected_etag=seen)
        except ValidationError as error:
            return error.messages
        return []

    answers = at_once(act, times=4)
    assert sorted(map(len, answers)) == [0, 1, 1, 1]
    assert EveningTerms.objects.count() == 1


def test_of_stakes_of_a_league_that_are_set_at_once_one_is_stored():
    assert_one_is_stored(make_league(), make_organiser())


def test_of_stakes_of_a_club_without_settings_that_are_set_at_once_one_is_stored():
    assert_one_is_stored(None, make_owner())
