"""What a table says of a hand besides its tiles: by short names."""

from scoring.circumstances import NAMES
from scoring.evaluator.books.vocabulary import FLAGS, WON_BY


def test_every_circumstance_has_a_short_name():
    assert {*WON_BY, *FLAGS} <= set(NAMES)
