"""The PIN with which a member answers on a phone that is passed round.

It is kept as a hash, and wrong ones are counted: after a few nobody can try for a while.
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from django.contrib.auth.hashers import check_password, make_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from scoring.models import Game, Player
from scoring.models.permissions import (
    Permission,
    PermissionDenied,
    User,
    can,
    check_permission,
    is_own_player,
)
from scoring.models.refusals import ANSWERED_AT_THE_TABLE

from .audit import log_audit
from .errors import TooManyAttempts
from .locks import lock_player
from .roles import check_still
from .tries import forget_tries, limited_tries

SHORTEST, LONGEST = 4, 8
MOST_FAILURES = 5
# Straight down the keys of a phone and up again, and round their corners.
ON_THE_KEYS = {"2580", "0852", "1397", "7931", "1379", "9731"}


@dataclass(frozen=True, slots=True)
class Proof:
    """Proof that whoever holds the phone entered the PIN of the player with this id."""

    player: int


def set_pin(player: Player, pin: str, *, by: User) -> None:
    """Let ``pin`` stand for ``player`` on any phone of the table; an empty one removes it.

    :raises PermissionDenied: unless ``by`` is the account of ``player``, or an organiser if the player
        has no account.
    :raises ValidationError: unless the PIN has 4 to 8 digits, and not 1234 or the like.
    """
    check_permission(by, Permission.SET_A_PIN)
    _check_may_set(player, by)
    _require_pin(pin, or_none=True)
    hashed = make_password(pin) if pin else ""
    with transaction.atomic():
        locked = lock_player(player, field="pin")
        for asked in (by, check_still(by, Permission.SET_A_PIN)):
            _check_may_set(locked, asked)
        _store(player, hashed)
        log_audit("set_pin", player, by=by, removed=not pin)


def change_pin(player: Player, pin: str, *, proof: Proof) -> None:
    """Let ``pin`` take the place of the PIN that ``player``, who has no account, has just typed.

    :raises PermissionDenied: without ``proof``, or if the player has an account, which sets the PIN.
    :raises ValidationError: unless the PIN has 4 to 8 digits, and not 1234 or the like.
    """
    _check_proof(player, proof)
    _require_pin(pin)
    hashed = make_password(pin)
    with transaction.atomic():
        _check_proof(lock_player(player, field="pin"), proof)
        _store(player, hashed)
        log_audit("change_pin", player, by=player)


def _check_may_set(player: Player, by: User) -> None:
    gives = player.user_id is None and can(by, Permission.CHANGE_A_PLAYER)
    if not (gives or is_own_player(player, by)):
        raise PermissionDenied(_("Members set or remove their own PIN only."))


def _check_proof(player: Player, proof: Proof) -> None:
    if player.user_id is not None or proof != Proof(player.pk):
        raise PermissionDenied(_("Members set or remove their own PIN only."))


def _require_pin(pin: str, *, or_none: bool = False) -> None:
    """:raises ValidationError: unless it has 4 to 8 digits in no plain order, or is empty ``or_none``."""
    if not (or_none and not pin) and not re.fullmatch(rf"[0-9]{{{SHORTEST},{LONGEST}}}", pin):
        message = _("A PIN has %(shortest)s to %(longest)s digits.")
        limits = {"shortest": SHORTEST, "longest": LONGEST}
        raise ValidationError({"pin": ValidationError(message % limits, code="not_a_pin")})
    # 1234, 8642, 0000, 1212, a year, lines on the keys: who has five tries begins with these.
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    in_order = len(steps) == 1 or pin in ON_THE_KEYS
    if in_order or re.fullmatch(r"(\d+?)\1+|(19|20)\d\d", pin):
        message = _("This PIN is guessed first: no year, no repetition, nothing in order.")
        raise ValidationError({"pin": ValidationError(message, code="too_easy")})


def _store(player: Player, hashed: str) -> None:
    player.pin = hashed
    player.save(update_fields=["pin"])
    forget_tries(_key(player))


def forget_pin(player: Player) -> None:
    """Take the PIN of ``player``, who is saved afterwards, away: the account is another one."""
    player.pin = ""


def prove(player: Player | None, pin: str, *, game: Game, by: User) -> Proof | None:
    """The proof that ``pin`` is that of ``player``, typed at the table of ``game``; None without one.

    Call it outside a transaction: a wrong PIN is refused, and counted all the same.

    :raises PermissionDenied: for a wrong PIN, for somebody who sits elsewhere, or unless ``by`` may answer
        at this table at all.
    :raises TooManyAttempts: after a few wrong ones, also for the right one.
    """
    if player is None or not pin:
        return None
    check_permission(by, Permission.ANSWER_A_HAND, game)
    if player not in game.players:
        raise PermissionDenied(str(ANSWERED_AT_THE_TABLE))
    if not player.pin:
        message = _("%(name)s has not set a PIN, and answers when signed in on their own phone.")
        raise PermissionDenied(message % {"name": player})
    return check_pin(player, pin)


def check_pin(player: Player, pin: str) -> Proof:
    """The proof that ``pin`` is that of ``player``. Call it outside a transaction, as :func:`prove`.

    :raises PermissionDenied: for a wrong PIN, or if the player has none.
    :raises TooManyAttempts: after a few wrong ones, also for the right one.
    """

    def stop(wait: timedelta) -> TooManyAttempts:
        message = _("Too many wrong PINs for %(name)s. Try again later, or on their own phone.")
        return TooManyAttempts(message % {"name": player}, wait=wait)

    with limited_tries({_key(player): MOST_FAILURES}, stop):
        proof = _proof(player, pin)
    forget_tries(_key(player))
    return proof


def check_pin_elsewhere(player: Player, pin: str, *, asker: str) -> Proof:
    """:func:`check_pin` for somebody who need not be in the room.

    Wrong ones are counted by themselves: who guesses at home keeps nobody from sitting down.

    :param asker: who asks, such as ``account:7``.
    :raises PermissionDenied: for a wrong PIN.
    :raises TooManyAttempts: after a few wrong ones of the player or ``asker``, also for the right one.
    """
    limits = {f"pin:elsewhere:{player.pk}": MOST_FAILURES, f"pin:elsewhere:{asker}": MOST_FAILURES}
    with limited_tries(limits):
        return _proof(player, pin)


def _proof(player: Player, pin: str) -> Proof:
    """:raises PermissionDenied: unless ``pin`` is the one that ``player`` has now."""
    stored = Player.objects.filter(pk=player.pk).values_list("pin", flat=True).first()
    if not check_password(pin, stored or ""):
        raise PermissionDenied(_("This is not the PIN of %(name)s. Try again.") % {"name": player})
    return Proof(player.pk)


def _key(player: Player) -> str:
    """Under which wrong ones at a table are counted."""
    return f"pin:player:{player.pk}"
