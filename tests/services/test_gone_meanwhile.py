"""Whoever leaves waits for those who name them just now, and breaks nothing that others do."""

import pytest
from django.db import OperationalError, connection, transaction

from scoring.services.guests import claim_guest
from tests.factories import make_member, make_organiser, make_player

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def test_an_organiser_who_is_told_of_something_is_not_deleted_before_that_is_stored():
    organiser, guest = make_organiser(), make_player(guest=True)
    elsewhere = connection.copy("elsewhere")
    to_delete = "SELECT id FROM auth_user WHERE id = %s FOR UPDATE NOWAIT"
    try:
        with transaction.atomic():
            claim_guest(guest, by=make_member())
            with pytest.raises(OperationalError, match="could not obtain lock"):
                elsewhere.cursor().execute(to_delete, [organiser.pk])
        elsewhere.cursor().execute(to_delete, [organiser.pk])
    finally:
        elsewhere.close()
