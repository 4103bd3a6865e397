"""The people of the club: organisers add them, correct their names, and say who has left."""

from enum import Enum
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import NoticeKind, Player, WaitingSeat, hidden_names
from scoring.models.names import Looks
from scoring.models.permissions import Account, Permission, User, check_permission
from scoring.models.refusals import SAME_PERSON
from scoring.models.texts import naming_values

from .accounts import create_account, log_first_password
from .audit import log_audit, values_of
from .locks import lock_accounts_of, lock_player, require_locked, require_not_anonymous
from .notices import notify
from .pins import forget_pin
from .roles import check_may_handle, check_still


class Unchanged(Enum):
    """Nothing was said about an account: None says that there is none."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED


@transaction.atomic
def add_player(
    name: str,
    *,
    active: bool = True,
    hides_name: bool = False,
    user: Account | None = None,
    anyway: bool = False,
    by: User,
) -> Player:
    """A new player of that name, who signs in as ``user``.

    :param anyway: also where the name looks like that of another player. It is asked about otherwise.
    :raises PermissionDenied: unless ``by`` is an organiser; for the account of somebody whose account
        is not theirs to give.
    :raises ValidationError: if there is one of that name, or the name is none; with the code
        ``looks_like`` if there is one whose name looks the same.
    """
    check_permission(by, Permission.ADD_A_PLAYER)
    if user is not None:
        check_may_handle(user, by=by)
    player = save_new_player(name, active=active, hides_name=hides_name, user=user, anyway=anyway)
    log_audit("add_player", player, by=by)
    return player


def save_new_player(
    name: str,
    *,
    active: bool = True,
    hides_name: bool = False,
    user: Account | None = None,
    guest: bool = False,
    anyway: bool = False,
) -> Player:
    """Store a player for a service that has asked for the permission, and writes the audit.

    :raises ValidationError: as :func:`add_player`.
    """
    player = Player(name=name, active=active, user=user, guest=guest)
    if hides_name:
        _hide_name(player, hides_name)
    return _saved(player, anyway=anyway)


def give_account(player: Player, username: str, password: str, *, by: User) -> Account:
    """An account for ``player``, with a first password that an organiser tells them.

    Until its person changes the password, the account gets no role.

    :raises PermissionDenied: unless ``by`` is an organiser.
    :raises ValidationError: if the player has one, or for a name or password that cannot be.
    """
    check_permission(by, Permission.MANAGE_PEOPLE)
    return _give_account(player, username, password, make_password(password), by)


@transaction.atomic
def _give_account(player: Player, username: str, password: str, hashed: str, by: User) -> Account:
    locked = lock_player(player, field="username")
    if locked.user_id is not None:
        message = _("%(name)s has an account already.") % {"name": locked}
        raise ValidationError({"username": ValidationError(message, code="has_account")})
    account = create_account(username, password=password, hashed=hashed, by=by)
    log_first_password(account, by=by)
    change_player(locked, user=account, by=by)
    log_audit("give_account", account, by=by, player=locked.pk)
    notify(NoticeKind.ACCOUNT, [account.pk], about="first_password")
    return account


@transaction.atomic
def change_player(
    player: Player,
    *,
    name: str | None = None,
    active: bool | None = None,
    hides_name: bool | None = None,
    user: Account | Unchanged | None = UNCHANGED,
    anyway: bool = False,
    by: User,
) -> Player:
    """``player`` with another name or account, or offered a seat from now on, or no longer.

    :param hides_name: whether visitors read initials instead of the name.

    Another account is another person, who does not know the PIN of the one before: it goes. Who gets
    an account is no guest any more.

    :param anyway: also where the name looks like that of another player. It is asked about otherwise.
    :raises PermissionDenied: unless ``by`` is an organiser; for the account of somebody whose account
        is not theirs to give or take.
    :raises ValidationError: if another player has that name, or the name is none; with the code
        ``looks_like`` if there is one whose name looks the same; for a player who is anonymous, or
        was merged.
    """
    check_permission(by, Permission.CHANGE_A_PLAYER)
    accounts: frozenset[int] = frozenset()
    if user is not UNCHANGED:
        accounts = lock_accounts_of(player, besides=user)
    player = lock_player(player)
    if user is not UNCHANGED:
        require_locked([player], accounts)
    check_still(by, Permission.CHANGE_A_PLAYER)
    require_not_anonymous(player)
    before: dict[str, Any] = {**naming_values(player), "active": player.active}
    renamed = name is not None and name != player.name
    if name is not None and renamed:
        player.name = name
        player.renamed_at = timezone.now()
    if active is not None:
        player.active = active
    if hides_name is not None:
        before["hides_name"] = player.hides_name
        _hide_name(player, hides_name)
    if user is not UNCHANGED and user != player.user:
        for account in (player.user, user):
            if account is not None:
                check_may_handle(account, by=by)
        before["user"] = player.user_id
        player.user = user
        player.guest = player.guest and user is None
        forget_pin(player)
    _saved(player, anyway=anyway or not renamed)
    free_seat(player)
    after = values_of(player, before)
    if after != before:
        log_audit("change_player", player, by=by, before=before, after=after)
    return player


@transaction.atomic
def hide_own_name(hides: bool, *, by: User) -> Player:
    """Let visitors read the initials of ``by``, in every league, instead of the name; or the name again.

    :raises PermissionDenied: for a visitor, and for a program with a token.
    :raises ValidationError: for who has no player.
    """
    account = check_permission(by, Permission.CHANGE_OWN_ACCOUNT)
    own = Player.objects.filter(user=account).first()
    player = lock_player(own) if own else None
    if player is None or player.user_id != account.pk:
        message = _("Your account has no player, and so no name at the tables.")
        raise ValidationError(message, code="no_player")
    if player.hides_name != hides:
        before = {"hides_name": player.hides_name}
        _hide_name(player, hides)
        player.save(update_fields=["hides_name"])
        after = values_of(player, before)
        log_audit("change_player", player, by=by, before=before, after=after)
    return player


def _hide_name(player: Player, hides: bool) -> None:
    player.hides_name = hides
    transaction.on_commit(hidden_names.forget)


def free_seat(player: Player) -> None:
    """Let ``player``, who is locked, wait at no table if they play no longer."""
    if not player.active:
        WaitingSeat.objects.filter(player=player).delete()


def require_no_look_alike(
    name: str, players: Looks[Player] | None = None, *, but: int | None = None
) -> None:
    """Ask whether the person of that ``name`` is one who is there already.

    :param players: where to look; the players of the club otherwise.
    :param but: the id of the player who is to be called that.
    :raises ValidationError: with the code ``looks_like``; its ``params`` name the ``player``.
    """
    others = Player.objects.exclude(pk=but or 0).order_by("pk")
    alike = (players or Looks(others.only("name"))).find(name)
    if alike is not None:
        params = {"name": str(alike), "player": alike.pk}
        raise ValidationError(
            {"name": ValidationError(SAME_PERSON, code="looks_like", params=params)}
        )


def asks_about_name(error: ValidationError) -> bool:
    """Whether ``error`` asks if a name is that of a player who is there already."""
    return any(one.code == "looks_like" for errors in error.error_dict.values() for one in errors)


def _saved(player: Player, *, anyway: bool) -> Player:
    check(player)
    if not anyway:
        require_no_look_alike(player.name, but=player.pk)
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
