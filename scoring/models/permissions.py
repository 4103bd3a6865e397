"""Who may do what: one table, role × call. Pages, API, admin and commands all ask it.

What may be *seen* is decided here as well; which rows that leaves is for ``visible_to`` of each
queryset. What nobody may see answers exactly like what is not there.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

if TYPE_CHECKING:
    from .games import Game

User = AbstractBaseUser | AnonymousUser


class Role(StrEnum):
    """Who somebody is to the club, cheapest to find out first. Most people are several at once."""

    VISITOR = "visitor"  # anybody
    MEMBER = "member"  # signed in
    PLAYER = "player"  # one of the four of the table in question, until its evening is closed
    SEATED = "seated"  # one of the four of the table in question, also when its evening is closed
    ORGANISER = "organiser"  # runs the club; who runs the site does, too
    ADMIN = "admin"  # runs the site


class Call(StrEnum):
    """Whatever can be done here."""

    SEE_PUBLIC_LEAGUES = "see public leagues"
    SEE_MEMBERS_LEAGUES = "see members' leagues"
    SCORE_A_HAND = "score a hand"
    READ_HISTORY = "read what became of a hand"
    OPEN_A_GAME = "open a game"
    LOG_A_HAND = "log a hand"
    FINISH_A_GAME = "finish a game"
    REOPEN_A_GAME = "open a game again"
    CHANGE_A_GAME = "change the seats of a game, or move it"
    WITHDRAW_A_GAME = "withdraw a game, or restore it"
    ASK_FOR_A_LATE_HAND = "ask an organiser to take in a late hand"
    DECIDE_A_LATE_HAND = "take in a late hand, or decline it"
    CORRECT_A_HAND = "correct a hand, or declare it void"
    ANSWER_A_HAND = "confirm or dispute a hand"
    SETTLE_A_DISPUTE = "settle a dispute"
    SET_A_PIN = "set a PIN of one's own"
    BOOK_AT_A_TABLE = "book a penalty at a table"
    BOOK_IN_A_LEAGUE = "book an adjustment in a league"
    CLOSE_AN_EVENING = "close an evening, or open it again"
    ADD_A_PLAYER = "add a player"
    CHANGE_A_PLAYER = "change a player"
    CHANGE_THE_RULES = "make a version of a rule set"
    RUN_THE_SITE = "run the site"


EVERYBODY = frozenset({Role.VISITOR})
MEMBERS = frozenset({Role.MEMBER})
THE_TABLE = frozenset({Role.PLAYER, Role.ORGANISER})
THE_FOUR = frozenset({Role.SEATED, Role.ORGANISER})
ORGANISERS = frozenset({Role.ORGANISER})
ADMINS = frozenset({Role.ADMIN})

MAY: Mapping[Call, frozenset[Role]] = {
    Call.SEE_PUBLIC_LEAGUES: EVERYBODY,
    Call.SEE_MEMBERS_LEAGUES: MEMBERS,
    Call.SCORE_A_HAND: EVERYBODY,
    Call.READ_HISTORY: MEMBERS,
    Call.OPEN_A_GAME: MEMBERS,
    Call.LOG_A_HAND: THE_TABLE,
    Call.FINISH_A_GAME: THE_TABLE,
    Call.REOPEN_A_GAME: THE_TABLE,
    Call.CHANGE_A_GAME: THE_TABLE,
    Call.WITHDRAW_A_GAME: THE_TABLE,
    Call.ASK_FOR_A_LATE_HAND: THE_FOUR,
    Call.DECIDE_A_LATE_HAND: ORGANISERS,
    Call.CORRECT_A_HAND: THE_TABLE,
    Call.ANSWER_A_HAND: THE_TABLE,
    Call.SETTLE_A_DISPUTE: ORGANISERS,
    Call.SET_A_PIN: MEMBERS,
    Call.BOOK_AT_A_TABLE: THE_TABLE,
    Call.BOOK_IN_A_LEAGUE: ORGANISERS,
    Call.CLOSE_AN_EVENING: ORGANISERS,
    Call.ADD_A_PLAYER: ORGANISERS,
    Call.CHANGE_A_PLAYER: ORGANISERS,
    Call.CHANGE_THE_RULES: ORGANISERS,
    Call.RUN_THE_SITE: ADMINS,
}


# What can still be done about a game that was withdrawn.
OF_A_WITHDRAWN_GAME = frozenset({Call.WITHDRAW_A_GAME})


def is_organiser(user: User) -> bool:
    """Whether ``user`` runs the club: may log at every table, start leagues, add players."""
    return bool(user.is_active and user.has_perm("scoring.organise_club"))


def may(user: User, call: Call, game: "Game | None" = None) -> bool:
    """Whether ``user`` may do ``call``, at the table of ``game`` if it is done at one."""
    if game is not None and game.withdrawn and call not in OF_A_WITHDRAWN_GAME:
        return False
    allowed = MAY[call]
    return any(_is(role, user, game) for role in Role if role in allowed)


def sits_at(user: User, game: "Game") -> bool:
    """Whether ``user`` is one of the four players of ``game``."""
    return user.is_authenticated and any(
        player.user_id == user.pk for player in game.players if player.user_id
    )


def _is(role: Role, user: User, game: "Game | None") -> bool:
    match role:
        case Role.VISITOR:
            return True
        case Role.MEMBER:
            return user.is_authenticated and user.is_active
        case Role.PLAYER:
            return game is not None and sits_at(user, game) and not game.evening_closed
        case Role.SEATED:
            return game is not None and sits_at(user, game)
        case Role.ORGANISER:
            return is_organiser(user)
        case Role.ADMIN:
            return bool(user.is_active and getattr(user, "is_superuser", False))
