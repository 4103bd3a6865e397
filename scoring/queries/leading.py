"""Read who runs the club, for the links of every page, without a query for each of them."""

from scoring.models.permissions import IN_THE_CLUB, PERMISSIONS, Permission, Role, User
from scoring.models.remembered import REMEMBERED_FOR, Remembered
from scoring.models.roles import organisers, owners

Leading = dict[Role, frozenset[int]]


def may_see_link(user: User, permission: Permission) -> bool:
    """Whether ``user`` is shown links and buttons that lead to what ``permission`` guards, whatever the table.

    Who was given a role seconds ago may have to wait for them. What can be done is decided by
    :func:`scoring.models.permissions.can` alone.
    """
    allowed = PERMISSIONS[permission]
    if not user.is_authenticated:
        return Role.VISITOR in allowed
    if user.is_superuser:
        return not allowed.isdisjoint(IN_THE_CLUB)
    if not allowed.isdisjoint({Role.VISITOR, Role.MEMBER}):
        return True
    return any(leads(user, role) for role in (Role.ORGANISER, Role.OWNER) if role in allowed)


def leads(user: User, role: Role) -> bool:
    """Whether ``user`` has the ``role`` of organisers or of owners: for sentences, not for links."""
    if not user.is_authenticated:
        return False
    return user.is_superuser or user.pk in _remembered.get()[role]


def has_owner() -> bool:
    """Whether the club has an owner who can sign in, besides whoever runs the site."""
    return bool(_remembered.get()[Role.OWNER])


def remember(leading: Leading, seconds: float = REMEMBERED_FOR) -> None:
    """Let this module answer from ``leading`` for that time."""
    _remembered.remember(leading, seconds)


def forget() -> None:
    """Let this module ask the database anew."""
    _remembered.forget()


def _read() -> Leading:
    leading = {Role.ORGANISER: organisers(admins=False), Role.OWNER: owners(admins=False)}
    return {role: frozenset(rows.values_list("pk", flat=True)) for role, rows in leading.items()}


# The keys of the accounts with each role.
_remembered = Remembered(_read)
