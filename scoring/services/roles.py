"""Roles: who makes members organisers and owners, who takes that away, and who may touch whose account."""

from collections.abc import Mapping

from django.contrib.auth import models as auth
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import AccountSettings
from scoring.models.people import ORGANISERS_GROUP, OWNERS_GROUP
from scoring.models.permissions import (
    CODENAMES,
    ORGANISE,
    OWN,
    VISITOR,
    Account,
    Permission,
    PermissionDenied,
    Role,
    User,
    check_permission,
)
from scoring.models.roles import RANKS, may_handle, outranks, owners, role_of

from .audit import log_audit
from .locks import lock_account, lock_owners
from .notices import notify_role
from .signed_in import sign_out_everywhere

# The roles that are given and taken, lowest first, with their groups and what each adds to the one below.
GROUPS: Mapping[Role, tuple[str, str]] = {
    Role.ORGANISER: (ORGANISERS_GROUP, ORGANISE),
    Role.OWNER: (OWNERS_GROUP, OWN),
}


def check_still(by: User, permission: Permission) -> Account:
    """The account of ``by`` as it is in the database: another may have taken its role since the request began.

    Whatever gives or takes roles, or lets somebody in or out of an account, asks so after its locks.

    :raises PermissionDenied: unless ``by`` has ``permission``, then as well as now.
    """
    own = check_permission(by, permission)
    now = Account.objects.filter(pk=own.pk).first()
    return check_permission(now or VISITOR, permission)


def check_may_handle(account: Account, *, by: User) -> Account:
    """The account of ``by``.

    ``account`` is locked, and asked as it is then: somebody else may be giving it a role.

    :raises PermissionDenied: unless ``by`` is an organiser, and :func:`may_handle`.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    return check_handles(lock_account(account), by=by)


def check_handles(account: Account, *, by: User) -> Account:
    """The account of ``by``, as :func:`check_may_handle`, where ``account`` is locked or only looked at.

    :raises PermissionDenied: as it does.
    """
    own = check_still(by, Permission.MANAGE_PEOPLE)
    if not may_handle(account, by=own):
        raise PermissionDenied(_("You can do this only for members who may do less than you."))
    return own


def check_outranks(account: Account, *, by: User) -> Account:
    """The account of ``by``, who is about to let somebody else into ``account``.

    :raises PermissionDenied: as :func:`check_may_handle`, and for one's own account or one of the same
        role. Who works at the desk may hold permissions there that no role tells of: only who runs
        the site lets somebody into their account.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    locked = lock_account(account)
    own = check_still(by, Permission.MANAGE_PEOPLE)
    outranked = may_handle(locked, by=own) and outranks(own, locked)
    if not outranked or (locked.is_staff and not own.is_superuser):
        raise PermissionDenied(_("You can do this only for members who may do less than you."))
    return own


@transaction.atomic
def make_organiser(account: Account, *, by: User) -> None:
    """Let ``account`` run the club. It signs in anew.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if the account is closed, has the role, or the password that an organiser
        gave.
    """
    check_permission(by, Permission.MAKE_ORGANISERS)
    group = role_group(Role.ORGANISER)
    _check_may_get(account, Role.ORGANISER)
    check_still(by, Permission.MAKE_ORGANISERS)
    account.groups.add(group)
    sign_out_everywhere(account, keeps_devices=True)
    log_audit("make_organiser", account, by=by)
    notify_role(account, Role.ORGANISER, given=True)


@transaction.atomic
def make_owner(account: Account, *, by: User) -> None:
    """Let the club be that of ``account`` as well, who organises it, too. It signs in anew.

    :raises PermissionDenied: unless ``by`` is an owner.
    :raises ValidationError: as :func:`make_organiser`, and if an organiser may have a way in.
    """
    check_permission(by, Permission.MAKE_OWNERS)
    groups = role_group(Role.ORGANISER), role_group(Role.OWNER)
    _check_may_get(account, Role.OWNER)
    check_still(by, Permission.MAKE_OWNERS)
    require_nobody_elses(account)
    account.groups.add(*groups)
    sign_out_everywhere(account, keeps_devices=True)
    log_audit("make_owner", account, by=by)
    notify_role(account, Role.OWNER, given=True)


@transaction.atomic
def take_role(account: Account, role: Role, *, by: User) -> None:
    """Take ``role`` away from ``account``: an owner stays organiser, an organiser becomes a member.

    Whoever is no organiser any more is no owner either.

    :raises PermissionDenied: unless ``by`` is an owner, and for the role of who runs the site.
    :raises ValidationError: if the club would have no owner then, or the account does not have the role
        (any more), or has it from elsewhere.
    """
    check_permission(by, Permission.TAKE_ROLES)
    if role_of(account) == Role.ADMIN:
        raise PermissionDenied(_("The role of who runs the site is changed on the server."))
    require_another_owner(account)
    check_still(by, Permission.TAKE_ROLES)
    _require_role(account, role)
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
    notify_role(account, role, given=False)


def require_another_owner(account: Account) -> None:
    """:raises ValidationError: if nobody would own the club once ``account`` does no more.

    Who runs the site counts only where the club has no owner of its own. Call it inside a transaction:
    of two who go at once, the second one waits here, and finds the first one gone.
    """
    lock_owners()
    left = owners(admins=False) if owners(admins=False).exists() else owners()
    if set(left.values_list("pk", flat=True)) == {account.pk}:
        message = _("The club needs an owner: make somebody else one first.")
        raise ValidationError(message, code="last_owner")


def require_nobody_elses(account: Account) -> None:
    """:raises ValidationError: if an organiser may have a way into ``account``."""
    if AccountSettings.objects.filter(user=account, opened_by_organiser=True).exists():
        message = _(
            "An organiser may be able to sign in here: an owner hands the account over first."
        )
        raise ValidationError(ValidationError(message, code="opened"))


def _require_role(account: Account, role: Role) -> None:
    """:raises ValidationError: if ``account`` may do less than ``role``, maybe since a moment ago."""
    if RANKS.index(role_of(lock_account(account))) < RANKS.index(role):
        message = _("This account does not have that role, or not any more.")
        raise ValidationError(ValidationError(message, code="no_role"))


def _check_may_get(account: Account, role: Role) -> None:
    """:raises ValidationError: unless ``account`` can be given ``role`` now."""
    account = lock_account(account)
    if RANKS.index(role_of(account)) >= RANKS.index(role):
        raise ValidationError(ValidationError(_("This account has that role."), code="has_role"))
    if not account.is_active:
        raise ValidationError(ValidationError(_("This account is closed."), code="closed"))
    if AccountSettings.objects.filter(user=account, has_first_password=True).exists():
        message = _(
            "This account still has the password that an organiser gave: its person changes it first."
        )
        raise ValidationError(ValidationError(message, code="first_password"))


def role_group(role: Role) -> auth.Group:
    """The group of ``role``, as the migrations make it, also where somebody has deleted it.

    It is locked: of two who take roles at once, each counts the other.
    """
    name, _codename = GROUPS[role]
    auth.Group.objects.get_or_create(name=name)
    group = auth.Group.objects.select_for_update().get(name=name)
    held = auth.Permission.objects.filter(
        content_type__app_label="scoring", codename__in=CODENAMES[role]
    )
    group.permissions.add(*held)
    return group
