"""Two owners leave at the same moment: the club keeps one of them."""

import pytest
from django.core.exceptions import ValidationError

from scoring.models.people import OWNERS_GROUP
from scoring.models.permissions import Account
from scoring.services.leaving import leave_club
from tests.factories import make_owner
from tests.services.test_two_scorers import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_of_two_owners_who_leave_at_once_is_refused():
    owners = [make_owner(), make_owner()]

    def leave(n):
        try:
            leave_club(anonymous=False, by=owners[n])
            return ""
        except ValidationError as refusal:
            return refusal.code

    assert sorted(at_once(leave, times=2)) == ["", "last_owner"]
    assert Account.objects.filter(groups__name=OWNERS_GROUP).count() == 1
