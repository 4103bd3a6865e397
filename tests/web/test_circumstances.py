"""What a table says of a hand besides its tiles: by short names."""

from scoring.evaluator.books.vocabulary import FLAGS, WON_BY
from scoring.web.shared.circumstances import NAMES


def test_every_circumstance_has_a_short_name():
    assert {*WON_BY, *FLAGS} <= set(NAMES)
