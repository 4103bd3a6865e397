"""The people of the club as organisers see them: players and accounts, one row a person."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Concat

from scoring.models import Delivery, Invitation, InvitationUse, NoticeKind, Player
from scoring.models.invitations import MOST_CARDS
from scoring.models.letters import PlainLetters, plain_letters
from scoring.models.permissions import Account, Role
from scoring.models.roles import handles, organisers, roles_by_account


class Show(StrEnum):
    """Which people a list shows."""

    ALL = ""
    NEVER = "never"
    NO_ACCOUNT = "no-account"
    LEFT = "left"
    ORGANISERS = "organisers"


@dataclass(frozen=True, slots=True)
class Invitable:
    """A player without an account; ``invited`` if an invitation that still holds names them."""

    player: Player
    invited: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the club: a player, an account, or both.

    :ivar role: the highest of the account; None without one.
    """

    player: Player | None
    account: Account | None
    role: Role | None = None

    @property
    def name(self) -> str:
        if self.player is not None:
            return self.player.name
        assert self.account is not None
        return self.account.get_full_name() or self.account.get_username()

    @property
    def last_sign_in(self) -> datetime | None:
        return self.account.last_login if self.account else None

    @property
    def closed(self) -> bool:
        """Whether nobody can sign in to the account that there is."""
        return self.account is not None and not self.account.is_active


def people(wanted: str = "", show: Show = Show.ALL) -> list[Person]:
    """Everybody, by name, whose name or sign-in name has ``wanted`` in it. Two queries.

    The roles are not asked for: :func:`with_roles` adds them to those that are shown.
    """
    players = _players(show).select_related("user")
    accounts = _accounts(show).filter(player=None)
    if wanted:
        part = plain_letters(wanted)
        players = players.alias(letters=PlainLetters("name")).filter(
            Q(letters__contains=part) | Q(user__username__icontains=wanted)
        )
        accounts = accounts.alias(
            letters=PlainLetters(Concat("first_name", Value(" "), "last_name"))
        ).filter(Q(username__icontains=wanted) | Q(letters__contains=part))
    persons = [Person(player, player.user) for player in players]
    persons += [Person(None, account) for account in accounts]
    return sorted(persons, key=lambda person: plain_letters(person.name))


def with_roles(rows: Iterable[Person]) -> list[Person]:
    """``rows`` with the role of each account. Two queries."""
    rows = list(rows)
    roles = roles_by_account(row.account for row in rows if row.account)
    return [
        Person(row.player, row.account, roles[row.account.pk] if row.account else None)
        for row in rows
    ]


def claims_waiting() -> QuerySet[InvitationUse]:
    """Who joined and says to be a player that is there already, the first one first."""
    waiting = InvitationUse.objects.exclude(claim=None).select_related("account", "claim")
    return waiting.order_by("at", "pk")


def invitations() -> QuerySet[Invitation]:
    """All of them, the newest first, each with its ``joined``: how many people did."""
    rows = Invitation.objects.select_related("player", "made_by__player")
    return rows.annotate(joined=Count("uses")).order_by("-made_at", "-pk")


def with_refused_mail(rows: Iterable[Invitation]) -> list[Invitation]:
    """``rows``, each with its ``refused``: why its mail was given up; empty if it was not. One query."""
    rows = list(rows)
    reasons = dict(_given_up().values_list("notice__params__invitation", "reason"))
    for invitation in rows:
        invitation.refused = reasons.get(invitation.pk, "")  # type: ignore[attr-defined]
    return rows


def refused_invitations() -> int:
    """How many invitations still hold and reached nobody by mail."""
    refused = set(_given_up().values_list("notice__params__invitation", flat=True))
    return Invitation.objects.running().filter(pk__in=refused - {None}).count() if refused else 0


def _given_up() -> QuerySet[Delivery]:
    of_invitations = Delivery.objects.filter(notice__kind=NoticeKind.INVITATION)
    return of_invitations.filter(state=Delivery.State.GIVEN_UP).order_by("pk")


def linkable_accounts(by: Account) -> QuerySet[Account]:
    """The accounts of no player that ``by`` may give to one."""
    accounts = list(Account.objects.filter(player=None))
    roles = roles_by_account([*accounts, by])
    may = [one.pk for one in accounts if one == by or handles(roles[by.pk], roles[one.pk])]
    return Account.objects.filter(pk__in=may).order_by("username")


def without_account() -> list[Invitable]:
    """Who can be invited, those first who hold no invitation yet; at most ``MOST_CARDS`` of them."""
    running = Invitation.objects.running().filter(player=OuterRef("pk"))
    players = Player.objects.active().filter(user=None).annotate(invited=Exists(running))
    first = players.order_by("invited", PlainLetters("name"))[:MOST_CARDS]
    return [Invitable(player, invited=player.invited) for player in first]  # type: ignore[attr-defined]


def _players(show: Show) -> QuerySet[Player]:
    players = Player.objects.all()
    match show:
        case Show.NEVER:
            return players.filter(user__isnull=False, user__last_login=None)
        case Show.NO_ACCOUNT:
            return players.filter(user=None, active=True)
        case Show.LEFT:
            return players.filter(active=False)
        case Show.ORGANISERS:
            return players.filter(user__in=organisers(closed=True))
    return players


def _accounts(show: Show) -> QuerySet[Account]:
    accounts = Account.objects.all()
    match show:
        case Show.NEVER:
            return accounts.filter(last_login=None)
        case Show.NO_ACCOUNT | Show.LEFT:
            return accounts.none()
        case Show.ORGANISERS:
            return organisers(closed=True)
    return accounts
