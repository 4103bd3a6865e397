"""Worked examples of who would pay whom, for the rules page and the calculator."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.evaluator.payments import settle
from scoring.evaluator.rules import RuleSet
from scoring.evaluator.tiles import WINDS, Wind
from scoring.translation import translate

DEALER = 0


@dataclass(frozen=True, slots=True)
class SeatShare:
    """What the seat ``wind`` wins or pays, in whole points."""

    wind: Wind
    amount: int
    winner: bool
    dealer: bool


@dataclass(frozen=True, slots=True)
class PaymentCase:
    """One case in words, such as "South wins, off West", and its four shares from East on."""

    words: str
    shares: list[SeatShare]


def settlements(
    final: int, rules: RuleSet, *, winner: Wind, self_drawn: bool | None = None
) -> list[PaymentCase]:
    """Every case in which ``winner`` is paid differently for a hand of ``final`` whole points.

    East deals. By most rules it makes no difference who discarded: then there is one case.

    :param self_drawn: True or False where that is known, None for both.
    """
    place = WINDS.index(winner)
    amounts = {
        words: settle(final, winner=place, dealer=DEALER, discarder=discarder, rules=rules)
        for words, discarder in _cases(place, self_drawn)
    }
    if len(set(amounts.values())) == 1:
        amounts = {_("%(winner)s wins") % {"winner": _name(place)}: amounts.popitem()[1]}
    return [
        PaymentCase(words, [_share(seat, amount, place) for seat, amount in enumerate(paid)])
        for words, paid in amounts.items()
    ]


def _cases(winner: int, self_drawn: bool | None) -> Iterator[tuple[str, int | None]]:
    """Words and discarder of each case; one non-dealer stands for all of them."""
    if self_drawn is not False:
        yield _("%(winner)s wins, self-drawn") % {"winner": _name(winner)}, None
    if self_drawn:
        return
    others = [place for place in range(4) if place not in (winner, DEALER)]
    for discarder in [DEALER, others[0]] if winner != DEALER else others[:1]:
        names = {"winner": _name(winner), "discarder": _name(discarder)}
        yield _("%(winner)s wins, on %(discarder)s’s discard") % names, discarder


def _name(place: int) -> str:
    return translate(WINDS[place].label)


def _share(place: int, amount: int, winner: int) -> SeatShare:
    return SeatShare(WINDS[place], amount, winner=place == winner, dealer=place == DEALER)
