"""Read who runs the club, for the links of every page, without a query for each of them."""

from scoring.models.permissions import User
from scoring.models.remembered import REMEMBERED_FOR, Remembered
from scoring.models.roles import organisers, owners

Leading = dict[str, frozenset[int]]


def leads(user: User, permission: str = "organise_club") -> bool:
    """Whether ``user`` is shown the links of organisers, or with ``own_club`` those of owners.

    Who was given the role seconds ago may have to wait for them. What can be done is decided by
    :func:`scoring.models.permissions.can` alone.
    """
    if not user.is_authenticated:
        return False
    return user.is_superuser or user.pk in _remembered.get()[permission]


def has_owner() -> bool:
    """Whether the club has an owner who can sign in, besides whoever runs the site."""
    return bool(_remembered.get()["own_club"])


def remember(leading: Leading, seconds: float = REMEMBERED_FOR) -> None:
    """Let :func:`leads` answer from ``leading`` for that time."""
    _remembered.remember(leading, seconds)


def forget() -> None:
    """Let :func:`leads` ask the database anew."""
    _remembered.forget()


def _read() -> Leading:
    leading = {"organise_club": organisers(admins=False), "own_club": owners(admins=False)}
    return {name: frozenset(rows.values_list("pk", flat=True)) for name, rows in leading.items()}


# The keys of the accounts with each permission.
_remembered = Remembered(_read)
