"""The trail is in the language of its reader: what is marked in it, and its columns."""

import pytest
from django.utils import translation

from scoring.models import AuditEntry
from scoring.queries.trail import in_words
from scoring.queries.trail_words import DETAILS
from tests.factories import make_owner, make_player

pytestmark = pytest.mark.django_db


def test_names_taken_out_of_an_entry_are_mentioned_in_words_that_are_translated():
    label, _kind = DETAILS["names_taken_out"]
    assert str(label) == "names taken out"
    entry = AuditEntry(
        action="add_player", subject="player", subject_id=1, details={"names_taken_out": True}
    )
    (line,) = in_words([entry], make_owner())
    assert [(one.field, one.after) for one in line.changes] == [("names taken out", "yes")]


def test_the_file_of_the_trail_is_headed_in_the_language_of_its_reader(client):
    client.force_login(make_owner(player=make_player("Olga")))
    english = b"".join(client.get("/trail/trail.csv")).decode("utf-8-sig").splitlines()[0]
    assert english == "When,Who,What,About,Field,Before,After"
    with translation.override("nl"):
        headers = {"accept-language": "nl"}
        dutch = b"".join(client.get("/trail/trail.csv", headers=headers)).decode("utf-8-sig")
    assert dutch.splitlines()[0].startswith("Wanneer,Wie,")
