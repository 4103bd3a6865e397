"""Leaving the club, and becoming anonymous. Totals and other people's pages stay as they are."""

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import Delivery, Game, Player
from scoring.models.invitations import Invitation
from scoring.models.permissions import (
    Account,
    Permission,
    User,
    check_permission,
)

from .anonymity import names_of, take_out, take_out_of_audit
from .audit import log_audit
from .pins import forget_pin
from .roles import require_another_owner


@transaction.atomic
def leave_club(*, anonymous: bool, by: User) -> None:
    """End the account of ``by``. Their player keeps its hands and is offered no seat any more.

    :param anonymous: whether the name goes, too, from every row that has it.
    :raises PermissionDenied: for a visitor, and for a program with a token.
    :raises ValidationError: for the last owner, and for who sits at a game that is not over.
    """
    account = check_permission(by, Permission.LEAVE)
    require_another_owner(account)
    account = Account.objects.select_for_update().get(pk=account.pk)
    player = Player.objects.select_for_update(of=("self",)).filter(user=account).first()
    if player:
        _require_no_open_game(player)
        player.active = False
        player.user = None
        forget_pin(player)
        player.save()
        log_audit("leave_club", player, by=account, anonymous=anonymous)
        if anonymous:
            _make_anonymous(player)
    else:
        log_audit("leave_club", account, by=account, anonymous=anonymous)
    if anonymous:
        take_out_of_audit(_names_of_account(account), instead=_nobody(player))
        _forget_addresses(account, player)
    account.delete()


@transaction.atomic
def make_anonymous(player: Player, *, by: User) -> None:
    """Take the name of a guest, or of somebody who left, out of everything that is kept.

    It cannot be taken back.

    :raises PermissionDenied: unless ``by`` is an owner.
    :raises ValidationError: if the player has an account, or sits at a game that is not over.
    """
    check_permission(by, Permission.MAKE_ANONYMOUS)
    player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
    if player.user_id:
        message = _("%(name)s has an account: its member leaves by “My account”.")
        raise ValidationError(message % {"name": player}, code="has_account")
    _require_no_open_game(player)
    log_audit("make_anonymous", player, by=by)
    _make_anonymous(player)
    _forget_addresses(None, player)


def _make_anonymous(player: Player) -> None:
    names = names_of(player)
    player.name, player.active = player.anonymous_name, False
    player.anonymous_since = player.renamed_at = timezone.now()
    player.save()
    take_out(names, instead=player.anonymous_name)


def _forget_addresses(account: Account | None, player: Player | None) -> None:
    """Take mail addresses and sign-in names out of invitations; what waits for such an address goes."""
    invited = Q(player=player) if player else Q(pk__in=[])
    if account is not None:
        invited |= Q(uses__account=account)
    invitations = Invitation.objects.filter(pk__in=Invitation.objects.filter(invited).values("pk"))
    addresses = set(invitations.values_list("email", flat=True))
    if account is not None:
        addresses.add(account.email)
        addresses |= set(EmailAddress.objects.filter(user=account).values_list("email", flat=True))
    Delivery.objects.filter(address__in=addresses - {""}).delete()
    invitations.update(email="", username="")


def _names_of_account(account: Account) -> set[str]:
    names = {account.username, account.email, account.first_name, account.last_name}
    return {name for name in {*names, account.get_full_name()} if name}


def _nobody(player: Player | None) -> str:
    return player.anonymous_name if player else "N. N."


def _require_no_open_game(player: Player) -> None:
    """:raises ValidationError: if ``player`` sits at a game that is not over."""
    games = Game.objects.played().filter(seats__player=player, finished_at__isnull=True)
    game = games.order_by("pk").first()
    if game is not None:
        message = _("%(name)s still sits at a table of %(league)s: end that game first.")
        params = {"name": player, "league": game.league}
        raise ValidationError(message % params, code="at_a_table")
