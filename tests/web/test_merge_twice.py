"""Merging two records that somebody has merged a moment ago, by a second tap or on another page."""

import pytest

from scoring.models import AuditEntry
from tests.factories import make_organiser, make_player

pytestmark = pytest.mark.django_db


def test_merging_a_second_time_leads_to_the_player_who_was_kept(client):
    client.force_login(make_organiser())
    kept, gone = make_player("Ann"), make_player("Anne")
    sent = {"other": gone.pk}
    answers = [client.post(f"/people/{kept.pk}/merge/", sent) for _tap in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert {answer.url for answer in answers} == {f"/people/{kept.pk}/"}
    assert AuditEntry.objects.filter(action="merge_players").count() == 1


def test_who_was_merged_into_somebody_else_is_no_choice(client):
    client.force_login(make_organiser())
    kept, gone, other = make_player("Ann"), make_player("Anne"), make_player("Bob")
    sent = {"other": gone.pk}
    client.post(f"/people/{kept.pk}/merge/", sent)
    assert client.post(f"/people/{other.pk}/merge/", sent).status_code == 422
