"""Read who runs the club, for the links of every page, without a query for each of them."""

from scoring.models.permissions import Role, User
from scoring.models.remembered import REMEMBERED_FOR, Remembered
from scoring.models.roles import organisers, owners

Leading = dict[Role, frozenset[int]]


def leads(user: User, role: Role = Role.ORGANISER) -> bool:
    """Whether ``user`` is shown the links of organisers, or of owners.

    Who was given the role seconds ago may have to wait for them. What can be done is decided by
    :func:`scoring.models.permissions.can` alone.
    """
    if not user.is_authenticated:
        return False
    return user.is_superuser or user.pk in _remembered.get()[role]


def has_owner() -> bool:
    """Whether the club has an owner who can sign in, besides whoever runs the site."""
    return bool(_remembered.get()[Role.OWNER])


def remember(leading: Leading, seconds: float = REMEMBERED_FOR) -> None:
    """Let :func:`leads` answer from ``leading`` for that time."""
    _remembered.remember(leading, seconds)


def forget() -> None:
    """Let :func:`leads` ask the database anew."""
    _remembered.forget()


def _read() -> Leading:
    leading = {Role.ORGANISER: organisers(admins=False), Role.OWNER: owners(admins=False)}
    return {role: frozenset(rows.values_list("pk", flat=True)) for role, rows in leading.items()}


# The keys of the accounts with each role.
_remembered = Remembered(_read)
