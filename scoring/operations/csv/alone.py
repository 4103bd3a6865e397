"""What is wrong with a row by itself, whatever the rows before it made of its game."""

import re
from itertools import product

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.evaluator.table import TableState
from scoring.evaluator.tiles import WINDS
from scoring.models import Game
from scoring.services.hands.entry import HandEntry, validate

from .errors import RowRefused

PLACES = range(4)
PAYMENTS = re.compile(r"\s+".join(rf"{wind.value}\s+[+-]?\d+" for wind in WINDS), re.ASCII)


def require_possible(entry: HandEntry, game: Game) -> None:
    """Nobody knows who dealt a hand of a game that could not be played up to it.

    So only what is wrong whoever dealt, in whichever round, is wrong with the hand.

    :raises ValidationError: naming every field that is wrong.
    """
    wrong = _problems(entry, game, TableState.start())
    for wind, dealer in product(WINDS, PLACES):
        if not wrong:
            return
        wrong = _of_both(wrong, _problems(entry, game, TableState(wind, dealer, 1)))
    if wrong:
        raise ValidationError(wrong)


def require_payments(cell: str) -> None:
    """:raises RowRefused: if ``cell`` does not say what the four seats won or paid."""
    if cell.strip() and not PAYMENTS.fullmatch(cell.strip()):
        sentence = _(
            "payments: write what each of the four seats won or paid, such as “%(example)s”, or nothing."
        )
        raise RowRefused(sentence % {"example": "E -160 S 320 W -80 N -80"})


def _problems(entry: HandEntry, game: Game, state: TableState) -> dict[str, list[str]]:
    hand = entry.to_hand(game, state)
    # Whether such a hand can be won at all depends on what was dealt before.
    hand.accepted = True
    try:
        validate(hand)
    except ValidationError as error:
        return error.message_dict
    return {}


def _of_both(one: dict[str, list[str]], other: dict[str, list[str]]) -> dict[str, list[str]]:
    both = {
        field: [sentence for sentence in sentences if sentence in other.get(field, ())]
        for field, sentences in one.items()
    }
    return {field: sentences for field, sentences in both.items() if sentences}
