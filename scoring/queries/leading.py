"""Who runs the club, for the links of every page: known without asking for each of them."""

from django.contrib.auth.models import User
from django.db.models import Q

from scoring.models.permissions import User as Reader
from scoring.models.remembered import REMEMBERED_FOR, Remembered

Leading = dict[str, frozenset[int]]


def leads(user: Reader, permission: str = "organise_club") -> bool:
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
    def holders(codename: str) -> frozenset[int]:
        held = Q(groups__permissions__codename=codename) | Q(user_permissions__codename=codename)
        return frozenset(User.objects.filter(held, is_active=True).values_list("pk", flat=True))

    organisers = holders("organise_club")
    return {"organise_club": organisers, "own_club": organisers & holders("own_club")}


# The keys of the accounts with each permission.
_remembered = Remembered(_read)
