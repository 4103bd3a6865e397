"""The people of the club: organisers add them, mend their names, and say who has left."""

from enum import Enum
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction

from scoring.models import Player
from scoring.models.permissions import Account, Permission, User, check_permission

from .audit import log_audit
from .pins import forget_pin


class Unchanged(Enum):
    """Nothing was said about an account: None says that there is none."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED


@transaction.atomic
def add_player(name: str, *, active: bool = True, user: Account | None = None, by: User) -> Player:
    """A new player of that name, who signs in as ``user``.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if there is one of that name, or the name is none.
    """
    check_permission(by, Permission.ADD_A_PLAYER)
    player = saved(Player(name=name, active=active, user=user))
    log_audit("add_player", player, by=by)
    return player


@transaction.atomic
def change_player(
    player: Player,
    *,
    name: str | None = None,
    active: bool | None = None,
    user: Account | Unchanged | None = UNCHANGED,
    by: User,
) -> Player:
    """``player`` with another name or account, or offered a seat from now on, or no longer.

    Another account is another person, who does not know the PIN of the one before: it goes. Who gets
    an account is no guest any more.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if another player has that name, or the name is none.
    """
    check_permission(by, Permission.CHANGE_A_PLAYER)
    before: dict[str, Any] = {"name": player.name, "active": player.active}
    if name is not None:
        player.name = name
    if active is not None:
        player.active = active
    if user is not UNCHANGED and user != player.user:
        before["user"] = player.user_id
        player.user = user
        player.guest = player.guest and user is None
        forget_pin(player)
    saved(player)
    log_audit("change_player", player, by=by, before=before)
    return player


def saved(player: Player) -> Player:
    """``player``, checked and stored.

    :raises ValidationError: as :func:`check`.
    """
    check(player)
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError:
        # Somebody else was faster with the same name: now the check finds it.
        check(player)
        raise
    return player


def check(player: Player) -> None:
    """:raises ValidationError: at the name, which is what every constraint of a player is about."""
    try:
        player.full_clean()
    except ValidationError as error:
        errors = error.error_dict
        if whole := errors.pop(NON_FIELD_ERRORS, None):
            errors["name"] = [*errors.get("name", []), *whole]
        raise ValidationError(errors) from error
