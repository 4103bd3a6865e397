"""Decide what somebody may do with a person of the club: with their name, their account and their role."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.models import AccountSettings
from scoring.models.permissions import Permission, Role, User, can
from scoring.models.roles import may_handle

from .people import Person


@dataclass(frozen=True, slots=True)
class PersonCase:
    """``by`` looks at ``person``, whose role is worked out.

    :ivar handles: whether ``by`` may let somebody in or out of the account, which may be their own.
    """

    person: Person
    by: User
    handles: bool

    @property
    def below(self) -> bool:
        """Whether the account is another one than that of ``by``, who handles it."""
        return self.handles and self.person.account != self.by

    @property
    def is_open(self) -> bool:
        account = self.person.account
        return account is not None and account.is_active

    def has_role(self, *roles: Role) -> bool:
        return self.person.role in roles

    def allows(self, permission: Permission) -> bool:
        return can(self.by, permission)


def _may_take_name_out(case: PersonCase) -> bool:
    no_account = case.person.account is None
    return no_account and _is_named(case) and case.allows(Permission.MAKE_ANONYMOUS)


def _may_hand_over(case: PersonCase) -> bool:
    """An account that an organiser opened, and so may sign in to, gets a way in that only its person knows."""
    opened = AccountSettings.objects.filter(user=case.person.account, opened_by_organiser=True)
    handled = case.below and not case.has_role(Role.ADMIN)
    return handled and opened.exists() and case.allows(Permission.MAKE_OWNERS)


def _is_named(case: PersonCase) -> bool:
    """Whether there is a player whose name was not taken out: nothing else is changed about one who has none."""
    player = case.person.player
    return player is not None and player.anonymous_since is None


# Each by its name in the template. The services that do it ask once more.
MAY: Mapping[str, Callable[[PersonCase], bool]] = {
    "may_change_player": _is_named,
    "may_handle": lambda case: case.handles,
    "may_let_in": lambda case: case.below and case.is_open and not case.has_role(Role.ADMIN),
    "may_close": lambda case: case.below and case.is_open,
    "may_open": lambda case: case.below and not case.is_open,
    "may_delete": lambda case: (
        case.below
        and not case.is_open
        and case.person.player is None
        and case.allows(Permission.MAKE_ANONYMOUS)
    ),
    "may_take_name_out": _may_take_name_out,
    "may_hand_over": _may_hand_over,
    "may_make_organiser": lambda case: (
        case.is_open and case.has_role(Role.MEMBER) and case.allows(Permission.MAKE_ORGANISERS)
    ),
    "may_make_owner": lambda case: (
        case.is_open
        and case.has_role(Role.MEMBER, Role.ORGANISER)
        and case.allows(Permission.MAKE_OWNERS)
    ),
    "may_take": lambda case: (
        case.has_role(Role.ORGANISER, Role.OWNER) and case.allows(Permission.TAKE_ROLES)
    ),
}


def person_actions(person: Person, by: User) -> dict[str, bool]:
    """What ``by``, who manages people, may do with ``person``, by the names of ``MAY``."""
    account = person.account
    case = PersonCase(person, by, handles=account is not None and may_handle(account, by=by))
    return {name: may(case) for name, may in MAY.items()}
