"""The club's data, one module a subject."""

from .accounts import AccountSettings, SignInCount
from .adjustments import Adjustment, Transfer
from .audit import AuditEntry
from .club import Club, club_zone, current_club, known_club
from .days import club_day, day_begins, day_ends
from .evenings import EveningClosure
from .events import Confirmations, HandEvent
from .first_run import FirstRun
from .game_events import GameEvent
from .games import Game, Round, Seat
from .hands import Hand, Payment
from .idempotency import IdempotencyKey
from .late import LateHand
from .leagues import League
from .people import Player
from .permissions import is_organiser
from .rulesets import RuleSet, RuleSetVersion
from .tallies import Rating, Tally
from .tokens import ApiToken

__all__ = [
    "AccountSettings",
    "Adjustment",
    "ApiToken",
    "AuditEntry",
    "Club",
    "Confirmations",
    "EveningClosure",
    "FirstRun",
    "Game",
    "GameEvent",
    "Hand",
    "HandEvent",
    "IdempotencyKey",
    "LateHand",
    "League",
    "Payment",
    "Player",
    "Rating",
    "Round",
    "RuleSet",
    "RuleSetVersion",
    "Seat",
    "SignInCount",
    "Tally",
    "Transfer",
    "club_day",
    "club_zone",
    "current_club",
    "day_begins",
    "day_ends",
    "is_organiser",
    "known_club",
]
