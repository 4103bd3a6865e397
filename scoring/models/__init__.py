"""The club's data, one module a subject."""

from .games import Game, Round, Seat
from .hands import Hand, Payment
from .idempotency import IdempotencyKey
from .leagues import League
from .people import Player, is_organiser
from .rulesets import RuleSet, RuleSetVersion
from .tallies import Rating, Tally

__all__ = [
    "Game",
    "Hand",
    "IdempotencyKey",
    "League",
    "Payment",
    "Player",
    "Rating",
    "Round",
    "RuleSet",
    "RuleSetVersion",
    "Seat",
    "Tally",
    "is_organiser",
]
