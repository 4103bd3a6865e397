"""Leaving the club, and becoming anonymous. Totals and other people's pages stay as they are."""

from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import AuditEntry, Delivery, Game, Player, texts
from scoring.models.invitations import Invitation
from scoring.models.permissions import Account, Permission, Role, User, check_permission
from scoring.models.roles import role_of

from .anonymity import names_of, remove_names, remove_names_from_audit, remove_token_names
from .audit import log_audit
from .invitations import revoke_invitations_of
from .locks import lock_account, lock_invitations, lock_player, lock_player_of
from .people import change_player, free_seat
from .pins import forget_pin
from .roles import check_may_handle, check_still, require_another_owner, take_role
from .sessions import close_account
from .signed_in import sign_out_everywhere

# What names the person of an account.
NAMING = ("username", "email", "first_name", "last_name")


@transaction.atomic
def leave_club(*, anonymous: bool, by: User) -> None:
    """End the account of ``by``. Their player keeps its hands and is offered no seat any more.

    :param anonymous: whether the name goes, too, from every row that has it, and with it the accounts
        that were closed when records of the same person were merged.
    :raises PermissionDenied: for a visitor, and for a program with a token.
    :raises ValidationError: for the last owner, and for who sits at a game that is not over.
    """
    account = check_permission(by, Permission.LEAVE)
    require_another_owner(account)
    account = lock_account(account)
    closed = _lock_closed_accounts(Player.objects.filter(user=account).first())
    player = lock_player_of(account)
    if player:
        _require_no_open_game(player)
    # Not before: whoever is seating the player needs the account to say who did it.
    lock_account(account, to_delete=True)
    if player:
        player.active = False
        player.user = None
        forget_pin(player)
        player.save()
        revoke_invitations_of(player, by=account)
        free_seat(player)
        log_audit("leave_club", player, by=account, anonymous=anonymous)
        if anonymous:
            _make_anonymous(player)
    else:
        log_audit("leave_club", account, by=account, anonymous=anonymous)
    if anonymous:
        _forget(closed, player)
        _forget([account], player)
    else:
        _delete(account)


@transaction.atomic
def mark_as_left(player: Player, *, closes: bool, takes_role: bool, by: User) -> None:
    """Offer ``player`` no seat any more, and let nobody join with their invitations. Every hand is kept.

    :param closes: let nobody sign in to the account, either; :func:`open_account` takes that back.
    :param takes_role: let the account be an ordinary member's.
    :raises PermissionDenied: unless ``by`` is an organiser; for an account, as :func:`close_account`; for
        a role, as :func:`take_role`.
    :raises ValidationError: if the player is anonymous, was merged, or has left already; for the last owner.
    """
    check_permission(by, Permission.CHANGE_A_PLAYER)
    account = Account.objects.filter(player=player).first()
    if account is not None and takes_role and role_of(account) != Role.MEMBER:
        take_role(account, Role.ORGANISER, by=by)
    if account is not None and closes:
        close_account(account, by=by)
    player = lock_player(player)
    if not player.active and not player.anonymous_since:
        message = _("%(name)s has left already.") % {"name": player}
        raise ValidationError(ValidationError(message, code="left"))
    player = change_player(player, active=False, by=by)
    revoke_invitations_of(player, by=by)
    whose = {"account": account.pk} if account is not None else {}
    log_audit("mark_as_left", player, by=by, closes=closes, takes_role=takes_role, **whose)


@transaction.atomic
def delete_account(account: Account, *, by: User) -> None:
    """Delete a closed ``account`` that no player has, with its names in what others did.

    :raises PermissionDenied: unless ``by`` is an owner, and may handle the account.
    :raises ValidationError: if it is open, or a player's.
    """
    check_permission(by, Permission.MAKE_ANONYMOUS)
    account = lock_account(account, to_delete=True)
    check_may_handle(account, by=by)
    check_still(by, Permission.MAKE_ANONYMOUS)
    if account.is_active or Player.objects.filter(user=account).exists():
        message = _("Close the account first, and unlink it from its player.")
        raise ValidationError(ValidationError(message, code="in_use"))
    log_audit("delete_account", account, by=by)
    _forget([account], None)


@transaction.atomic
def make_anonymous(player: Player, *, by: User) -> None:
    """Take the name of a guest, or of somebody who left, out of everything that is kept.

    It cannot be taken back.

    :raises PermissionDenied: unless ``by`` is an owner.
    :raises ValidationError: if the player has an account, or sits at a game that is not over.
    """
    check_permission(by, Permission.MAKE_ANONYMOUS)
    closed = _lock_closed_accounts(player)
    player = lock_player(player)
    check_still(by, Permission.MAKE_ANONYMOUS)
    if player.user_id:
        message = _("%(name)s has an account: its member leaves by “My account”.")
        raise ValidationError(message % {"name": player}, code="has_account")
    _require_no_open_game(player)
    revoke_invitations_of(player, by=by)
    log_audit("make_anonymous", player, by=by)
    _make_anonymous(player)
    free_seat(player)
    _forget_addresses(None, player)
    _forget(closed, player)


def _lock_closed_accounts(player: Player | None) -> list[Account]:
    """The accounts that merging has closed, of records that became ``player``; locked, to be deleted."""
    if player is None:
        return []
    records, closed = {player.pk}, set()
    merges = AuditEntry.objects.filter(subject="player", action="merge_players")
    while records:
        rows = merges.filter(details__into__in=records).values_list("subject_id", "details")
        records = {pk for pk, _details in rows}
        closed |= {details["closed"] for _pk, details in rows if "closed" in details}
    accounts = Account.objects.filter(pk__in=closed, is_active=False, player=None).order_by("pk")
    return [lock_account(account, to_delete=True) for account in accounts]


def _forget(accounts: Iterable[Account], player: Player | None) -> None:
    """Delete ``accounts``, which were those of ``player``, with their names in the trail."""
    for account in accounts:
        remove_names_from_audit(_names_of_account(account), instead=_nobody(player))
        remove_token_names(account, instead=_nobody(player))
        _forget_addresses(account, player)
        _delete(account)


def _delete(account: Account) -> None:
    lock_invitations(Invitation.objects.filter(Q(made_by=account) | Q(uses__account=account)))
    sign_out_everywhere(account)
    account.delete()


def _make_anonymous(player: Player) -> None:
    names = names_of(player)
    for column in texts.NAMES_OF_A_PLAYER:
        setattr(player, column, "")
    player.name, player.active = _free_name(player), False
    player.anonymous_since = player.renamed_at = timezone.now()
    player.save()
    remove_names(names, instead=player.name)


def _free_name(player: Player) -> str:
    """The name of somebody anonymous, with a number more if somebody has been called that."""
    others, name, number = Player.objects.exclude(pk=player.pk), player.anonymous_name, 1
    while others.filter(name__iexact=name).exists():
        number += 1
        name = f"{player.anonymous_name} ({number})"
    return name


def _forget_addresses(account: Account | None, player: Player | None) -> None:
    """Take mail addresses and sign-in names out of invitations; what waits for such an address goes."""
    invited = Q(player=player) if player else Q(pk__in=[])
    if account is not None:
        invited |= Q(uses__account=account)
    invitations = Invitation.objects.filter(pk__in=Invitation.objects.filter(invited).values("pk"))
    addresses = {invitation.email for invitation in lock_invitations(invitations)}
    if account is not None:
        addresses.add(account.email)
        addresses |= set(EmailAddress.objects.filter(user=account).values_list("email", flat=True))
    Delivery.objects.filter(address__in=addresses - {""}).delete()
    invitations.update(email="", username="")


def _names_of_account(account: Account) -> set[str]:
    addresses = EmailAddress.objects.filter(user=account).values_list("email", flat=True)
    names = {*addresses, account.get_full_name(), *(getattr(account, one) for one in NAMING)}
    changes = AuditEntry.objects.filter(subject="user", subject_id=account.pk)
    for details in changes.values_list("details", flat=True):
        before = details.get("before", {})
        names |= {before.get(one) for one in NAMING} if isinstance(before, dict) else set()
    return {name for name in names if name and isinstance(name, str)}


def _nobody(player: Player | None) -> str:
    return player.name if player else "N. N."


def _require_no_open_game(player: Player) -> None:
    """:raises ValidationError: if ``player`` sits at a game that is not over."""
    game = open_game_of(player)
    if game is not None:
        raise ValidationError(still_sits(player, game), code="at_a_table")


def open_game_of(player: Player) -> Game | None:
    """The first game that is not over at which ``player`` sits."""
    games = Game.objects.open().filter(seats__player=player)
    return games.select_related("league").order_by("pk").first()


def still_sits(player: Player, game: Game) -> str:
    """The sentence that asks to end ``game`` before ``player`` goes."""
    message = _("%(name)s still sits at a table of %(league)s: end that game first.")
    return message % {"name": player, "league": game.league}
