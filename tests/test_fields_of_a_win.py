"""How a hand was won is one value: whoever adds a field to it is told where it is still missing."""

import pytest

from scoring.api.hands.serializers import HandEntrySerializer, HandSerializer
from scoring.api.score.serializers import ScoreSerializer
from scoring.evaluator.traits import READ, Traits
from scoring.evaluator.win import Win
from scoring.models import Hand
from scoring.models.hands import HOW_WON
from scoring.operations.csv.columns import COLUMNS
from scoring.services.hands.entry import HandEntry

OTHERWISE = {
    "won_by": "robbing_kong",
    "winning_tile": "2B",
    "bonus": "F1 Y2",
    "flags": "original_call",
    "value": 25,
    "dora_indicators": "4C",
}


def test_what_the_clubs_own_rules_read_are_traits():
    assert set(READ) <= set(Traits._fields)
    assert set(READ) == set(Win._fields) - OTHERWISE.keys()


@pytest.mark.parametrize("name", Win._fields)
def test_each_field_is_a_column_and_a_field_of_the_api(name):
    assert name in HOW_WON
    assert name in COLUMNS
    for serializer in (HandEntrySerializer, ScoreSerializer, HandSerializer):
        assert name in serializer().fields


@pytest.mark.parametrize("name", Win._fields)
def test_each_field_goes_from_the_entry_to_the_hand_and_back(name):
    win = Win(**{name: OTHERWISE.get(name, True)})
    entry = HandEntry(1, "win", winner=7, tiles="222B", win=win)
    assert HandEntry.from_json(entry.as_json).win == win
    stored = Hand(number=1, outcome="win", winner_id=7, tiles="222B", **win._asdict())
    assert HandEntry.from_hand(stored).win == win
    assert entry.fingerprint != HandEntry(1, "win", winner=7, tiles="222B").fingerprint
