"""One table, role × permission, that pages, API, admin and commands all ask.

What may be *seen* is decided here as well; which rows that leaves is for ``visible_to`` of each
queryset. What nobody may see answers exactly like what is not there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from django.contrib.auth import models as auth
from django.core import exceptions
from django.db import models
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .problems import Refused

if TYPE_CHECKING:
    CharField = models.CharField[str, str]
    TextField = models.TextField[str, str]
    Field = models.Field[str, str]
else:
    CharField = models.CharField
    TextField = models.TextField
    Field = models.Field

Account = auth.User
User = Account | auth.AnonymousUser
# Whoever is not signed in.
VISITOR = auth.AnonymousUser()

PUBLIC = "public"  # the visibility of a league that visitors see


class Role(StrEnum):
    """Who somebody is to the club. Most people are several at once.

    In the order in which they are asked about: those that cost a query come after those that do not.
    """

    VISITOR = "visitor"  # anybody
    MEMBER = "member"  # signed in
    # One of the four of the table, until its evening is closed or its season ends.
    PLAYER = "player"
    SEATED = "seated"  # one of the four of the table in question, also after that
    PARTY = "party"  # one of the two of a payment
    ORGANISER = "organiser"  # runs the evenings; owners and who runs the site do, too
    OWNER = "owner"  # whose club it is; who runs the site is one, too
    ADMIN = "admin"  # runs the server


# Permissions of the database, which groups and accounts hold, and the roles that they make: an owner
# organises, too, and whoever stops organising owns no more.
ORGANISE, OWN = "organise_club", "own_club"
CODENAMES: Mapping[Role, frozenset[str]] = {
    Role.ORGANISER: frozenset({ORGANISE}),
    Role.OWNER: frozenset({ORGANISE, OWN}),
}


class Scope(models.TextChoices):
    """What a program may do with a token of a member. None of them implies another."""

    READ = "read", _("read what members see")
    LOG = "log", _("log, correct and answer hands")
    ORGANISE = "organise", _("do what organisers do")


class Permission(StrEnum):
    """Whatever can be done here."""

    SEE_MEMBERS_LEAGUES = "see members' leagues"
    SEE_EVERYBODY = "see everybody who can be seated"
    READ_HISTORY = "read what became of a hand"
    OPEN_A_GAME = "open a game"
    OPEN_MANY_GAMES = "open any number of games within an hour"
    LOG_A_HAND = "log a hand"
    FINISH_A_GAME = "finish a game"
    REOPEN_A_GAME = "open a game again"
    CHANGE_A_GAME = "change the seats of a game, or move it"
    WITHDRAW_A_GAME = "withdraw a game, or restore it"
    ASK_FOR_A_LATE_HAND = "ask an organiser to take in a late hand"
    DECIDE_A_LATE_HAND = "take in a late hand, or decline it"
    CORRECT_A_HAND = "correct a hand, declare it void, or restore it"
    ANSWER_A_HAND = "confirm or dispute a hand"
    SETTLE_A_DISPUTE = "settle a dispute"
    SET_A_PIN = "set a PIN of one's own"
    HOLD_TOKENS = "make and end tokens of one's own"
    HEAR_OF_THINGS = "read notices of one's own, and choose them"
    CHANGE_OWN_ACCOUNT = "change one's own account"
    BOOK_AT_A_TABLE = "book a penalty at a table"
    BOOK_IN_A_LEAGUE = "book an adjustment in a league"
    CLOSE_AN_EVENING = "close an evening, or open it again"
    SEE_WHO_PAYS = "see who pays whom after an evening"
    SEE_CHANCES = "see who will probably win a game"
    MARK_AS_PAID = "mark what somebody owes as paid, or undo that"
    CLOSE_A_SEASON = "close a season, or open it again"
    ADD_A_PLAYER = "add a player"
    CHANGE_A_PLAYER = "change a player"
    CHANGE_THE_RULES = "make a version of a rule set"
    LEAVE = "read one's own data, and leave the club"
    MAKE_ANONYMOUS = "take the name of a guest out of everything"
    RUN_LEAGUES = "start a league, or change it"
    TAKE_OVER_A_GUEST = "ask for a guest's games, or agree to that"
    SEAT_A_GUEST = "add a guest while seating"
    MANAGE_PEOPLE = "invite people, give passwords, link and merge players"
    MANAGE_TABLE_CODES = "print and revoke the codes of tables"
    MANAGE_SEATS = "free seats of others at a table of the room, or begin their game"
    MAKE_ORGANISERS = "make a member an organiser"
    TAKE_ROLES = "take a role away from somebody"
    MAKE_OWNERS = "make a member an owner"
    CHANGE_THE_CLUB = "change the settings of the club"
    READ_THE_TRAIL = "read who changed what"


MEMBERS = frozenset({Role.MEMBER})
THE_TABLE = frozenset({Role.PLAYER, Role.ORGANISER})
THE_FOUR = frozenset({Role.SEATED, Role.ORGANISER})
THE_TWO = frozenset({Role.PARTY, Role.ORGANISER})
ORGANISERS = frozenset({Role.ORGANISER})
OWNERS = frozenset({Role.OWNER})

PERMISSIONS: Mapping[Permission, frozenset[Role]] = {
    Permission.SEE_MEMBERS_LEAGUES: MEMBERS,
    Permission.SEE_EVERYBODY: MEMBERS,
    Permission.READ_HISTORY: MEMBERS,
    Permission.OPEN_A_GAME: MEMBERS,
    Permission.OPEN_MANY_GAMES: ORGANISERS,
    Permission.LOG_A_HAND: THE_TABLE,
    Permission.FINISH_A_GAME: THE_TABLE,
    Permission.REOPEN_A_GAME: THE_TABLE,
    Permission.CHANGE_A_GAME: THE_TABLE,
    Permission.WITHDRAW_A_GAME: THE_TABLE,
    Permission.ASK_FOR_A_LATE_HAND: THE_FOUR,
    Permission.DECIDE_A_LATE_HAND: ORGANISERS,
    Permission.CORRECT_A_HAND: THE_TABLE,
    Permission.ANSWER_A_HAND: THE_TABLE,
    Permission.SETTLE_A_DISPUTE: ORGANISERS,
    Permission.SET_A_PIN: MEMBERS,
    Permission.HOLD_TOKENS: MEMBERS,
    Permission.HEAR_OF_THINGS: MEMBERS,
    Permission.CHANGE_OWN_ACCOUNT: MEMBERS,
    Permission.BOOK_AT_A_TABLE: THE_TABLE,
    Permission.BOOK_IN_A_LEAGUE: ORGANISERS,
    Permission.CLOSE_AN_EVENING: ORGANISERS,
    Permission.SEE_WHO_PAYS: MEMBERS,
    Permission.SEE_CHANCES: MEMBERS,
    Permission.MARK_AS_PAID: THE_TWO,
    Permission.CLOSE_A_SEASON: ORGANISERS,
    Permission.ADD_A_PLAYER: ORGANISERS,
    Permission.CHANGE_A_PLAYER: ORGANISERS,
    Permission.CHANGE_THE_RULES: ORGANISERS,
    Permission.LEAVE: MEMBERS,
    Permission.MAKE_ANONYMOUS: OWNERS,
    Permission.RUN_LEAGUES: ORGANISERS,
    Permission.TAKE_OVER_A_GUEST: MEMBERS,
    Permission.SEAT_A_GUEST: MEMBERS,
    Permission.MANAGE_PEOPLE: ORGANISERS,
    Permission.MANAGE_TABLE_CODES: ORGANISERS,
    Permission.MANAGE_SEATS: ORGANISERS,
    Permission.MAKE_ORGANISERS: ORGANISERS,
    Permission.TAKE_ROLES: OWNERS,
    Permission.MAKE_OWNERS: OWNERS,
    Permission.CHANGE_THE_CLUB: OWNERS,
    Permission.READ_THE_TRAIL: OWNERS,
}

NO_TOKEN: frozenset[Scope] = frozenset()
# The service compares the scopes of this token with those of the other one.
ANY_TOKEN = frozenset(Scope)
FOR_READING = frozenset({Scope.READ})
FOR_LOGGING = frozenset({Scope.LOG})
# Whoever opens a game has to name who sits down at it.
FOR_READING_OR_LOGGING = FOR_READING | FOR_LOGGING
FOR_ORGANISING = frozenset({Scope.ORGANISE})

# The scopes of which a token needs one. What is one's own, or an owner's, is for no token.
SCOPE_OF: Mapping[Permission, frozenset[Scope]] = {
    Permission.SEE_MEMBERS_LEAGUES: FOR_READING,
    Permission.SEE_EVERYBODY: FOR_READING_OR_LOGGING,
    Permission.READ_HISTORY: FOR_READING,
    Permission.OPEN_A_GAME: FOR_LOGGING,
    Permission.OPEN_MANY_GAMES: FOR_ORGANISING,
    Permission.LOG_A_HAND: FOR_LOGGING,
    Permission.FINISH_A_GAME: FOR_LOGGING,
    Permission.REOPEN_A_GAME: FOR_LOGGING,
    Permission.CHANGE_A_GAME: FOR_LOGGING,
    Permission.WITHDRAW_A_GAME: FOR_LOGGING,
    Permission.ASK_FOR_A_LATE_HAND: FOR_LOGGING,
    Permission.DECIDE_A_LATE_HAND: FOR_ORGANISING,
    Permission.CORRECT_A_HAND: FOR_LOGGING,
    Permission.ANSWER_A_HAND: FOR_LOGGING,
    Permission.SETTLE_A_DISPUTE: FOR_ORGANISING,
    Permission.SET_A_PIN: NO_TOKEN,
    Permission.HOLD_TOKENS: ANY_TOKEN,
    Permission.HEAR_OF_THINGS: NO_TOKEN,
    Permission.CHANGE_OWN_ACCOUNT: NO_TOKEN,
    Permission.BOOK_AT_A_TABLE: FOR_LOGGING,
    Permission.BOOK_IN_A_LEAGUE: FOR_ORGANISING,
    Permission.CLOSE_AN_EVENING: FOR_ORGANISING,
    Permission.SEE_WHO_PAYS: FOR_READING,
    Permission.SEE_CHANCES: FOR_READING,
    Permission.MARK_AS_PAID: FOR_LOGGING,
    Permission.CLOSE_A_SEASON: FOR_ORGANISING,
    Permission.ADD_A_PLAYER: FOR_ORGANISING,
    Permission.CHANGE_A_PLAYER: FOR_ORGANISING,
    Permission.CHANGE_THE_RULES: FOR_ORGANISING,
    Permission.LEAVE: NO_TOKEN,
    Permission.MAKE_ANONYMOUS: NO_TOKEN,
    Permission.RUN_LEAGUES: FOR_ORGANISING,
    Permission.TAKE_OVER_A_GUEST: NO_TOKEN,
    Permission.SEAT_A_GUEST: FOR_LOGGING,
    Permission.MANAGE_PEOPLE: FOR_ORGANISING,
    Permission.MANAGE_TABLE_CODES: FOR_ORGANISING,
    Permission.MANAGE_SEATS: FOR_ORGANISING,
    Permission.MAKE_ORGANISERS: FOR_ORGANISING,
    Permission.TAKE_ROLES: NO_TOKEN,
    Permission.MAKE_OWNERS: NO_TOKEN,
    Permission.CHANGE_THE_CLUB: NO_TOKEN,
    Permission.READ_THE_TRAIL: NO_TOKEN,
}

# What can still be done about a game that was withdrawn.
OF_A_WITHDRAWN_GAME = frozenset({Permission.WITHDRAW_A_GAME})
# What can still be done about a game of a closed season. The service that takes a late hand in refuses.
# To pay what is owed changes nothing of what was played.
OF_A_CLOSED_SEASON = frozenset(
    {Permission.ASK_FOR_A_LATE_HAND, Permission.DECIDE_A_LATE_HAND, Permission.MARK_AS_PAID}
)

# What is said to everybody else, for each set of roles in ``PERMISSIONS``.
REFUSALS: Mapping[frozenset[Role], Promise] = {
    MEMBERS: _("Sign in to do this: it is for members of the club."),
    THE_TABLE: _("Only the four players of this table and organisers may do this."),
    THE_FOUR: _("Only the four players of this table and organisers may do this."),
    THE_TWO: _("Only the two whose payment it is and organisers may do this."),
    ORGANISERS: _("Only organisers of the club may do this."),
    OWNERS: _("Only owners of the club may do this."),
}


def check_complete(
    permissions: Mapping[Permission, frozenset[Role]], scopes: Mapping[Permission, frozenset[Scope]]
) -> None:
    """Refuse tables of :class:`Permission` that leave one out, or roles whose refusal has no sentence.

    :raises ImproperlyConfigured: when this module is imported, before anybody could be refused.
    """
    for name, table in (("PERMISSIONS", permissions), ("SCOPE_OF", scopes)):
        if missing := ", ".join(one.name for one in Permission if one not in table):
            raise exceptions.ImproperlyConfigured(f"Add a line to {name} for: {missing}.")
    for permission, allowed in permissions.items():
        if allowed not in REFUSALS:
            roles = ", ".join(role.name for role in Role if role in allowed)
            raise exceptions.ImproperlyConfigured(
                f"{permission.name} is for the roles {roles}: write into REFUSALS what everybody else is told."
            )


check_complete(PERMISSIONS, SCOPE_OF)


class PermissionDenied(Refused, exceptions.PermissionDenied):
    """This person may see the table, but not do this at it. Uncaught, it is Django's answer 403.

    :ivar code: ``evening_closed`` for a player of a table whose evening is closed, ``season_over`` for
        one whose season has ended, ``season_closed`` for everybody once it is closed, ``withdrawn`` for
        everybody while the game is withdrawn, ``scope`` for a token that is not for this.
    """

    def __init__(self, message: str = "", *, code: str = "not_allowed") -> None:
        super().__init__(message)
        self.code = code


class _HasAccount(Protocol):
    @property
    def user_id(self) -> int | None: ...


class SeasonDates(Protocol):
    """What a permission depends on besides. ``League`` has it, and its module imports this one."""

    @property
    def ends_on(self) -> date | None: ...
    @property
    def over(self) -> bool: ...
    @property
    def closed_on(self) -> date | None: ...


class Table(Protocol):
    """What a permission at a table depends on: a ``Game``, or an ``EveningPayment`` between two of an evening.

    The modules of both import this one.
    """

    @property
    def league(self) -> SeasonDates: ...
    @property
    def withdrawn(self) -> bool: ...
    @property
    def evening(self) -> date: ...
    @property
    def evening_closed(self) -> bool: ...
    @property
    def players(self) -> Sequence[_HasAccount]: ...


def can(user: User, permission: Permission, game: Table | None = None) -> bool:
    """Whether ``user`` has ``permission``, at the table of ``game`` if it is one for a table."""
    if game is not None and game.withdrawn and permission not in OF_A_WITHDRAWN_GAME:
        return False
    if game is not None and game.league.closed_on and permission not in OF_A_CLOSED_SEASON:
        return False
    if not _in_scope(user, permission):
        return False
    allowed = PERMISSIONS[permission]
    return any(_is(role, user, game) for role in Role if role in allowed)


def in_visible_league(user: User, league: str = "") -> models.Q:
    """The condition that ``user`` may see a league: members see every one, visitors the public ones.

    :param league: the path to the league from the model that is filtered, such as ``game__league__``.
    """
    if can(user, Permission.SEE_MEMBERS_LEAGUES):
        return models.Q()
    return models.Q(**{f"{league}visibility": PUBLIC})


def check_permission(user: User, permission: Permission, game: Table | None = None) -> Account:
    """The account of ``user``. Refuse whoever may not do this, in a sentence that says who may.

    :raises PermissionDenied: unless :func:`can`.
    """
    if can(user, permission, game):
        return check_signed_in(user)
    check_scope(user, permission)
    if game is not None and game.withdrawn:
        if permission in OF_A_WITHDRAWN_GAME:
            check_not_closed(game.league)
        raise PermissionDenied(_withdrawn_refusal(game), code="withdrawn")
    if game is not None and sits_at(user, game):
        check_still_played(user, game.league)
        if game.evening_closed:
            message = gettext("The evening of %(day)s is closed: ask an organiser.")
            message %= {"day": date_format(game.evening)}
            raise PermissionDenied(message, code="evening_closed")
    if game is not None and is_organiser(user):
        check_not_closed(game.league)
    raise PermissionDenied(str(REFUSALS[PERMISSIONS[permission]]))


def check_still_played(user: User, season: SeasonDates) -> None:
    """Refuse to change what was played in ``season`` once it has ended: only organisers do that.

    :raises PermissionDenied: with the code ``season_over``; with ``season_closed`` for everybody.
    """
    check_not_closed(season)
    if season.ends_on and season.over and not is_organiser(user):
        message = gettext("This season ended on %(day)s: ask an organiser.")
        message %= {"day": date_format(season.ends_on)}
        raise PermissionDenied(message, code="season_over")


def check_not_closed(season: SeasonDates) -> None:
    """Refuse to change what the table of ``season`` was worked out from, once it is closed.

    :raises PermissionDenied: with the code ``season_closed``.
    """
    if season.closed_on:
        message = gettext("This season is closed: an organiser can open it again.")
        raise PermissionDenied(message, code="season_closed")


def check_scope(user: User, permission: Permission) -> None:
    """Refuse a token that is not for ``permission``, whoever its member is.

    :raises PermissionDenied: with the code ``scope``.
    """
    if not _in_scope(user, permission):
        message = gettext("This token is not for that: make one that is.")
        if SCOPE_OF[permission] == NO_TOKEN:
            message = gettext("No token is for that: sign in on the site.")
        raise PermissionDenied(message, code="scope")


def check_signed_in(user: User) -> Account:
    """The account of ``user``.

    :raises PermissionDenied: for a visitor.
    """
    if user.is_authenticated:
        return user
    raise PermissionDenied(str(REFUSALS[MEMBERS]))


def is_organiser(user: User) -> bool:
    """Whether ``user`` runs the club: may log at every table, start leagues, add players."""
    return bool(
        user.is_active and Scope.ORGANISE in _scopes_of(user) and _holds(user, Role.ORGANISER)
    )


def is_owner(user: User) -> bool:
    """Whether the club is that of ``user``: its settings, its owners, its audit."""
    return is_organiser(user) and _holds(user, Role.OWNER)


def scopes_for(user: User) -> list[Scope]:
    """The scopes that a token of ``user`` may have: to organise is for organisers."""
    return [scope for scope in Scope if scope != Scope.ORGANISE or is_organiser(user)]


def limit_to(user: Account, scopes: frozenset[Scope]) -> None:
    """Let ``user`` do what ``scopes`` are for and nothing else, as long as this object lives."""
    user._token_scopes = scopes  # type: ignore[attr-defined]


def roles_of(user: User) -> list[Role]:
    """What ``user`` is to the club as a whole, whatever the table."""
    return [role for role, holds in IN_THE_CLUB.items() if holds(user)]


def is_own_player(player: _HasAccount, user: User) -> bool:
    """Whether ``player`` is ``user`` at the table. A visitor is nobody there, and a guest is nobody's account."""
    return is_account_of(player, user.pk)


def is_account_of(player: _HasAccount, account: int | None) -> bool:
    """Whether ``account`` (its id) is that of ``player``; a guest has none."""
    return account is not None and player.user_id == account


def sits_at(user: User, game: Table) -> bool:
    """Whether ``user`` is one of the four players of ``game``."""
    return any(is_own_player(player, user) for player in game.players)


def _holds(user: User, role: Role) -> bool:
    """Whether ``user`` was given what makes ``role``; a superuser holds everything."""
    return user.has_perms([f"scoring.{name}" for name in CODENAMES[role]])


def _scopes_of(user: User) -> frozenset[Scope]:
    """All of them, but for the account of a token."""
    return getattr(user, "_token_scopes", frozenset(Scope))


def _in_scope(user: User, permission: Permission) -> bool:
    """Whether a token of ``user`` is for ``permission``; for somebody without one: yes."""
    return not hasattr(user, "_token_scopes") or bool(SCOPE_OF[permission] & _scopes_of(user))


def _is(role: Role, user: User, game: Table | None) -> bool:
    match role:
        case Role.PLAYER:
            return game is not None and sits_at(user, game) and _still_plays(game)
        case Role.SEATED | Role.PARTY:
            return game is not None and sits_at(user, game)
    return IN_THE_CLUB[role](user)


def _still_plays(game: Table) -> bool:
    """Whether its four players may change what was played."""
    return not (game.evening_closed or (game.league.ends_on and game.league.over))


def _is_admin(user: User) -> bool:
    return is_organiser(user) and bool(getattr(user, "is_superuser", False))


def _is_member(user: User) -> bool:
    return user.is_authenticated and user.is_active


# The roles that do not depend on a table.
IN_THE_CLUB: Mapping[Role, Callable[[User], bool]] = {
    Role.VISITOR: lambda user: True,
    Role.MEMBER: _is_member,
    Role.ORGANISER: is_organiser,
    Role.OWNER: is_owner,
    Role.ADMIN: _is_admin,
}


def _withdrawn_refusal(game: Table) -> str:
    if game.evening_closed:
        return gettext("This game was withdrawn: an organiser can restore it.")
    return gettext(
        "This game was withdrawn: one of its four players or an organiser can restore it."
    )


# Who reads: names and reasons may be hidden from visitors. See hidden_names.py.


class Reader(Protocol):
    """Whom the names are read for."""

    def name(self, stored: str) -> str:
        """What is read for the name of a player."""

    def reason(self, stored: str) -> str:
        """What is read for what somebody typed as a reason."""


# None outside of requests: commands, workers and exports read everything as it is stored.
_reader: ContextVar[Reader | None] = ContextVar("reader", default=None)


def current_reader() -> Reader | None:
    """Whom the database is read for now; None reads everything as it is stored."""
    return _reader.get()


@contextmanager
def read_for(reader: Reader | None) -> Iterator[None]:
    """Inside, what is read from the database is what ``reader`` may see."""
    before = _reader.set(reader)
    try:
        yield
    finally:
        _reader.reset(before)


@contextmanager
def full_names() -> Iterator[None]:
    """Inside, nobody's name is hidden: for whoever holds the code of a table or an invitation."""
    with read_for(None):
        yield


class ShownText(str):
    """What a visitor reads in place of ``stored``, which is what a filter or a save still means."""

    stored: str


class _ForReaders(Field):
    """Text of which the reader may see something else: put before the field that stores it."""

    def deconstruct(self) -> Any:
        """For the database it is that field alone: no migration is about what visitors read."""
        name, _path, args, kwargs = super().deconstruct()
        return name, f"django.db.models.{self.get_internal_type()}", args, kwargs

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> str | None:
        """``value`` as it is stored, or as a :class:`ShownText`."""
        reader = _reader.get()
        if not value or reader is None:
            return value
        text = self.shown(value, reader)
        if text == value:
            return value
        shown = ShownText(text)
        shown.stored = value
        return shown

    def shown(self, value: str, reader: Reader) -> str:
        """What ``reader`` sees of ``value``."""
        raise NotImplementedError

    def get_prep_value(self, value: Any) -> Any:
        """What is stored for ``value``, whoever has read it."""
        return super().get_prep_value(value.stored if isinstance(value, ShownText) else value)


class PersonName(_ForReaders, CharField):
    """The name of a player."""

    def shown(self, value: str, reader: Reader) -> str:
        return reader.name(value)


class Reason(_ForReaders, CharField):
    """What somebody typed as a reason."""

    def shown(self, value: str, reader: Reader) -> str:
        return reader.reason(value)


class Description(_ForReaders, TextField):
    """What somebody typed about something, of any length."""

    def shown(self, value: str, reader: Reader) -> str:
        return reader.reason(value)
