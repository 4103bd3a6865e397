"""Rows of people as they are now, locked: whoever saves one that was read before undoes what others did."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scoring.models import Player
from scoring.models.permissions import Account


def lock_player(player: Player, *, field: str = "name") -> Player:
    """``player`` as it is in the database, locked until the transaction ends.

    :raises ValidationError: at ``field``, if it was merged or deleted meanwhile.
    """
    rows = Player.objects.select_for_update(of=("self",)).select_related("user")
    locked = rows.filter(pk=player.pk).first()
    if locked is None:
        message = _("This player is not on the list any more.")
        raise ValidationError({field: ValidationError(message, code="gone")})
    return locked


def require_not_anonymous(player: Player, *, field: str = "name") -> None:
    """:raises ValidationError: at ``field``, if the name of ``player`` was taken out, which stays so."""
    if player.anonymous_since is not None:
        message = _("%(name)s is anonymous, and stays so.") % {"name": player}
        raise ValidationError({field: ValidationError(message, code="anonymous")})


def lock_account(account: Account) -> Account:
    """``account`` as it is in the database, locked. Lock it before a player.

    :raises ValidationError: if it was deleted meanwhile.
    """
    locked = Account.objects.select_for_update(no_key=True).filter(pk=account.pk).first()
    if locked is None:
        raise ValidationError(ValidationError(_("This account is gone."), code="gone"))
    return locked


def lock_accounts_of(*players: Player) -> None:
    """Lock the accounts of ``players``. Lock them before a player, and before leagues and games."""
    accounts = Account.objects.filter(player__in=players).order_by("pk")
    list(accounts.select_for_update(of=("self",), no_key=True))
