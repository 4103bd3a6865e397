"""The club's data, one module a subject."""

from .accounts import AccountSettings
from .adjustments import Adjustment, Transfer
from .audit import AuditEntry
from .club import Club, club_zone, current_club, known_club
from .days import club_day, day_begins, day_ends
from .evening_money import EveningPayment, EveningTerms
from .evenings import EveningClosure
from .events import Confirmations, HandEvent
from .first_run import FirstRun
from .game_events import GameEvent
from .games import Game, Round, Seat
from .guests import GuestClaim
from .hands import Hand, Payment
from .idempotency import IdempotencyKey
from .invitations import Invitation, InvitationUse
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
from .seasons import FinalRow, SeasonClosure
from .seating import TryCount, WaitingSeat
from .standing_rules import StandingRules
from .story import StoryChange, StorySum
from .table_codes import ClubTable
from .tallies import ClubRating, ClubTally, Rating, Tally
from .tokens import ApiToken

__all__ = [
    "AccountSettings",
    "Adjustment",
    "ApiToken",
    "AuditEntry",
    "Channel",
    "Club",
    "ClubRating",
    "ClubTable",
    "ClubTally",
    "Confirmations",
    "Delivery",
    "EveningClosure",
    "EveningPayment",
    "EveningTerms",
    "FinalRow",
    "FirstRun",
    "Game",
    "GameEvent",
    "GuestClaim",
    "Hand",
    "HandEvent",
    "IdempotencyKey",
    "Invitation",
    "InvitationUse",
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
    "SeasonClosure",
    "Seat",
    "StandingRules",
    "StoryChange",
    "StorySum",
    "Tally",
    "Transfer",
    "TryCount",
    "WaitingSeat",
    "club_day",
    "club_zone",
    "current_club",
    "day_begins",
    "day_ends",
    "is_organiser",
    "known_club",
]
