"""Roles: who makes members organisers and owners, who takes that away, and who may touch whose account."""

from collections.abc import Mapping

from django.contrib.auth import models as auth
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.models.people import ORGANISERS, OWNERS
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    Role,
    User,
    check_permission,
)

from .audit import log_audit

# The roles that are given and taken, lowest first, with their groups and what those hold at least.
GROUPS: Mapping[Role, tuple[str, str]] = {
    Role.ORGANISER: (ORGANISERS, "organise_club"),
    Role.OWNER: (OWNERS, "own_club"),
}
# From the lowest to the highest.
RANKS = (Role.MEMBER, Role.ORGANISER, Role.OWNER, Role.ADMIN)
# With one of these somebody makes anybody anything, at the desk.
RAISES = ("add_user", "change_user", "add_group", "change_group")


def role_of(account: Account) -> Role:
    """The highest role of ``account``, also while it is closed: member, organiser, owner or admin.

    Who may change accounts at the desk could make anybody an admin, and counts as one.
    """
    if account.is_superuser:
        return Role.ADMIN
    return highest_role(_held([account])[account.pk])


def roles_by_account(accounts: list[Account]) -> dict[int, Role]:
    """The highest role of each of ``accounts`` by id. Two queries."""
    held = _held(accounts)
    return {
        account.pk: Role.ADMIN if account.is_superuser else highest_role(held[account.pk])
        for account in accounts
    }


def highest_role(held: set[str]) -> Role:
    """The role of who holds the permissions of these names."""
    if held & set(RAISES):
        return Role.ADMIN
    if {"own_club", "organise_club"} <= held:
        return Role.OWNER
    return Role.ORGANISER if "organise_club" in held else Role.MEMBER


def may_handle(account: Account, *, by: User) -> bool:
    """Whether ``by``, who manages people, may let somebody in or out of ``account``.

    That is one's own, and one of a lower role; for who runs the site, any.
    """
    if not by.is_authenticated or by == account:
        return by == account
    own = role_of(by)
    return own == Role.ADMIN or RANKS.index(role_of(account)) < RANKS.index(own)


def check_may_handle(account: Account, *, by: User) -> Account:
    """The account of ``by``.

    :raises PermissionDenied: unless ``by`` is an organiser, and :func:`may_handle`.
    """
    own = check_permission(by, Permission.MANAGE_PEOPLE)
    if not may_handle(account, by=own):
        raise PermissionDenied(_("You can do this only for members who may do less than you."))
    return own


@transaction.atomic
def make_organiser(account: Account, *, by: User) -> None:
    """Let ``account`` run the club.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if the account is closed.
    """
    check_permission(by, Permission.MAKE_ORGANISERS)
    _give(account, Role.ORGANISER)
    log_audit("make_organiser", account, by=by)


@transaction.atomic
def make_owner(account: Account, *, by: User) -> None:
    """Let the club be that of ``account`` as well, who organises it, too.

    :raises PermissionDenied: unless ``by`` is an owner.
    :raises ValidationError: if the account is closed.
    """
    check_permission(by, Permission.MAKE_OWNERS)
    _give(account, Role.ORGANISER)
    _give(account, Role.OWNER)
    log_audit("make_owner", account, by=by)


@transaction.atomic
def take_role(account: Account, role: Role, *, by: User) -> None:
    """Take ``role`` away from ``account``: an owner stays organiser, an organiser becomes a member.

    Whoever is no organiser any more is no owner either.

    :raises PermissionDenied: unless ``by`` is an owner, and for the role of who runs the site.
    :raises ValidationError: if the club would have no owner then, or the account has the role from
        elsewhere.
    """
    check_permission(by, Permission.TAKE_ROLES)
    if role_of(account) == Role.ADMIN:
        raise PermissionDenied(_("The role of who runs the site is changed on the server."))
    owners = _group(Role.OWNER)
    others = owners.user_set.filter(is_active=True).exclude(pk=account.pk)
    if owners.user_set.filter(pk=account.pk).exists() and not others.exists():
        message = _("The club needs an owner: make somebody else one first.")
        raise ValidationError(ValidationError(message, code="last_owner"))
    taken = [role] if role == Role.OWNER else [Role.ORGANISER, Role.OWNER]
    for one in taken:
        group, codename = GROUPS[one]
        account.groups.remove(*auth.Group.objects.filter(name=group))
        account.user_permissions.remove(
            *auth.Permission.objects.filter(content_type__app_label="scoring", codename=codename)
        )
    if RANKS.index(role_of(account)) >= RANKS.index(role):
        message = _("This role comes from another group: who runs the site can take it.")
        raise ValidationError(ValidationError(message, code="other_group"))
    log_audit("take_role", account, by=by, role=role.value)


def _give(account: Account, role: Role) -> None:
    if not account.is_active:
        raise ValidationError(ValidationError(_("This account is closed."), code="closed"))
    account.groups.add(_group(role))


def _group(role: Role) -> auth.Group:
    """The group of ``role``, locked: of two who take roles at once, each counts the other."""
    name, codename = GROUPS[role]
    auth.Group.objects.get_or_create(name=name)
    group = auth.Group.objects.select_for_update().get(name=name)
    codenames = {"organise_club", codename}
    group.permissions.add(
        *auth.Permission.objects.filter(content_type__app_label="scoring", codename__in=codenames)
    )
    return group


def _held(accounts: list[Account]) -> dict[int, set[str]]:
    """What makes a role of what each of ``accounts`` was given, itself or by its groups, by its id."""
    held: dict[int, set[str]] = {account.pk: set() for account in accounts}
    of_the_club = Q(codename__in=["own_club", "organise_club"], content_type__app_label="scoring")
    of_the_desk = Q(codename__in=RAISES, content_type__app_label="auth")
    known = auth.Permission.objects.filter(of_the_club | of_the_desk).order_by()
    for path in ("user", "group__user"):
        for pk, name in known.filter(**{f"{path}__in": held}).values_list(path, "codename"):
            held[pk].add(name)
    return held
