"""The club's data, one module a subject."""

from .adjustments import Adjustment, Transfer
from .audit import AuditEntry
from .club import Club, current_club
from .days import club_day, day_begins, day_ends
from .evenings import EveningClosure
from .events import Confirmations, HandEvent
from .game_events import GameEvent
from .games import Game, Round, Seat
from .hands import Hand, Payment
from .idempotency import IdempotencyKey
from .late import LateHand
from .leagues import League
from .notices import (
    Channel,
    Delivery,
    Notice,
    NoticeChoice,
    NoticeKind,
    PushSubscription,
)
from .people import Player
from .permissions import is_organiser
from .rulesets import RuleSet, RuleSetVersion
from .tallies import Rating, Tally
from .tokens import ApiToken

__all__ = [
    "Adjustment",
    "ApiToken",
    "AuditEntry",
    "Channel",
    "Club",
    "Confirmations",
    "Delivery",
    "EveningClosure",
    "Game",
    "GameEvent",
    "Hand",
    "HandEvent",
    "IdempotencyKey",
    "LateHand",
    "League",
    "Notice",
    "NoticeChoice",
    "NoticeKind",
    "Payment",
    "Player",
    "PushSubscription",
    "Rating",
    "Round",
    "RuleSet",
    "RuleSetVersion",
    "Seat",
    "Tally",
    "Transfer",
    "club_day",
    "current_club",
    "day_begins",
    "day_ends",
    "is_organiser",
]
