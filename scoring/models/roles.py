"""The role of an account in the club, and whose accounts it may handle."""

from collections.abc import Iterable
from functools import reduce
from operator import and_

from django.contrib.auth import models as auth
from django.db.models import Q, QuerySet

from .permissions import CODENAMES, Account, Role, User

# From the lowest to the highest.
RANKS = (Role.MEMBER, Role.ORGANISER, Role.OWNER, Role.ADMIN)


def role_of(account: Account) -> Role:
    """The highest role of ``account``, also while it is closed: member, organiser, owner or admin.

    Only a superuser is an admin. Whoever else works at the desk changes accounts of members alone there,
    and ranks by what the club made of them.
    """
    if account.is_superuser:
        return Role.ADMIN
    return highest_role(_held([account])[account.pk])


def roles_by_account(accounts: Iterable[Account]) -> dict[int, Role]:
    """The highest role of each of ``accounts`` by id. Two queries."""
    accounts = list(accounts)
    held = _held(accounts)
    return {
        account.pk: Role.ADMIN if account.is_superuser else highest_role(held[account.pk])
        for account in accounts
    }


def highest_role(held: set[str]) -> Role:
    """The role of who holds the permissions of these names."""
    return next(
        (role for role in (Role.OWNER, Role.ORGANISER) if CODENAMES[role] <= held), Role.MEMBER
    )


def organisers(*, closed: bool = False, admins: bool = True) -> QuerySet[Account]:
    """Who organises the club: organisers, owners, and who runs the site.

    :param closed: also those whose account is closed.
    :param admins: also those who run the site, and were not made organisers.
    """
    return _accounts(_given(Role.ORGANISER), closed=closed, admins=admins)


def owners(*, closed: bool = False, admins: bool = True) -> QuerySet[Account]:
    """Who owns the club; ``closed`` and ``admins`` as for :func:`organisers`."""
    return _accounts(_given(Role.OWNER), closed=closed, admins=admins)


def may_handle(account: Account, *, by: User) -> bool:
    """Whether ``by``, who manages people, may let somebody in or out of ``account``.

    That is one's own, and one of a lower role; for who runs the site, any.
    """
    if not by.is_authenticated or by == account:
        return by == account
    return handles(role_of(by), role_of(account))


def handles(own: Role, other: Role) -> bool:
    """Whether who has the role ``own`` may let people in or out of accounts of the role ``other``."""
    return own == Role.ADMIN or RANKS.index(other) < RANKS.index(own)


def outranks(by: Account, account: Account) -> bool:
    """Whether ``by`` has a higher role than ``account``, also while that is closed."""
    return RANKS.index(role_of(account)) < RANKS.index(role_of(by))


def _given(role: Role) -> Q:
    """The accounts that were given what makes ``role``, themselves or by groups."""
    return reduce(and_, (_given_permission(name) for name in sorted(CODENAMES[role])))


def _given_permission(codename: str) -> Q:
    rows = auth.Permission.objects.filter(content_type__app_label="scoring", codename=codename)
    given = Q(user_permissions__in=rows) | Q(groups__permissions__in=rows)
    return Q(pk__in=Account.objects.filter(given).values("pk"))


def _accounts(given: Q, *, closed: bool, admins: bool) -> QuerySet[Account]:
    accounts = Account.objects.filter(given | Q(is_superuser=True) if admins else given)
    return accounts if closed else accounts.filter(is_active=True)


def _held(accounts: Iterable[Account]) -> dict[int, set[str]]:
    """What makes a role of what each of ``accounts`` was given, itself or by its groups, by its id."""
    held: dict[int, set[str]] = {account.pk: set() for account in accounts}
    names = frozenset().union(*CODENAMES.values())
    of_the_club = Q(codename__in=names, content_type__app_label="scoring")
    known = auth.Permission.objects.filter(of_the_club).order_by()
    for path in ("user", "group__user"):
        for pk, name in known.filter(**{f"{path}__in": held}).values_list(path, "codename"):
            held[pk].add(name)
    return held
