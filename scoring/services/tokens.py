"""Tokens: members make and end them, programs sign in with them.

A token ends by its date, when its member ends it, when the password of the account changes, and
when the account is closed.
"""

import secrets
from collections.abc import Collection
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.models.functions import Coalesce, TruncDate
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import AccountSettings, ApiToken
from scoring.models.permissions import (
    Account,
    Permission,
    PermissionDenied,
    Scope,
    User,
    check_permission,
    limit_to,
    scopes_for,
)

from .accounts import require_second_factor
from .audit import log_audit
from .digests import digest_of
from .locks import lock_own_account
from .signed_in import forget_devices_of_old_password

DAYS, MOST_DAYS = 90, 366
# More than anybody has programs; whoever makes one a minute does not read what they say.
MOST_TOKENS = 50


class TokenRefused(Exception):
    """Nobody is signed in with this text; the sentence says what to do."""


@transaction.atomic
def make_token(
    name: str,
    scopes: Collection[Scope],
    *,
    days: int = DAYS,
    by: User,
    using: ApiToken | None = None,
    replaces: bool = False,
) -> tuple[ApiToken, str]:
    """A token of ``by`` that runs for ``days``, and its text, which is kept nowhere.

    Those that have ended make room for it, once there are 50.

    :param using: the token that asks for it. The new one does no more and ends no later.
    :param replaces: whether the one of the same name that was not used for longest makes room, too.
    :raises PermissionDenied: for a visitor; for a scope that ``using`` does not have; if the account was
        given another password meanwhile.
    :raises ValidationError: without a name or a scope; for a scope that ``by`` does not have; for
        more than 366 days; for more than 50 tokens.
    """
    account = check_permission(by, Permission.HOLD_TOKENS)
    if using and not set(scopes) <= using.scopes:
        message = _("This token cannot make one that may do more than it may.")
        raise PermissionDenied(message, code="scope")
    if not 1 <= days <= MOST_DAYS:
        message = _("A token runs for 1 to %(most)s days.") % {"most": MOST_DAYS}
        raise ValidationError({"days": ValidationError(message, code="out_of_range")})
    if not set(scopes) <= set(scopes_for(by)):
        message = _("Only an organiser makes a token that does what organisers do.")
        raise ValidationError({"scopes": ValidationError(message, code="not_yours")})
    # Locked: of two made at once, each counts the other.
    account = lock_own_account(account)
    ends_at = timezone.now() + timedelta(days=days)
    text = secrets.token_urlsafe(32)
    token = ApiToken(
        user=account,
        name=name,
        digest=digest_of(text),
        may_read=Scope.READ in scopes,
        may_log=Scope.LOG in scopes,
        may_organise=Scope.ORGANISE in scopes,
        ends_at=min(ends_at, using.ends_at) if using else ends_at,
    )
    token.full_clean()
    _make_room(token, replaces=replaces)
    token.save()
    log_audit("make_token", token, by=by, name=token.name, scopes=sorted(token.scopes))
    return token, text


@transaction.atomic
def end_token(token: ApiToken, *, by: User, using: ApiToken | None = None) -> None:
    """End ``token`` at once.

    :param using: the token that asks for it.
    :raises PermissionDenied: unless it is one of ``by``, and may do no more than ``using``.
    """
    if token.user_id != by.pk:
        raise PermissionDenied(_("Members end their own tokens only."))
    if using and not token.scopes <= using.scopes:
        message = _("This token cannot end one that may do more than it may.")
        raise PermissionDenied(message, code="scope")
    if ApiToken.objects.filter(pk=token.pk).delete()[0]:
        log_audit("end_token", token, by=by, name=token.name)


def sign_in_by_token(text: str) -> ApiToken:
    """The token with this text. Its ``user`` may do what it is for, and nothing else.

    :raises TokenRefused: if there is none that still runs.
    :raises PermissionDenied: if the club asks its account for a second factor first.
    """
    token = ApiToken.objects.select_related("user").filter(digest=digest_of(text)).first()
    if token is not None and token.password_changed:
        raise TokenRefused(
            _("This token ended when the password changed: get a new one from POST token/.")
        )
    if token is None or token.ended_by_date or not token.user.is_active:
        raise TokenRefused(
            _("This token is not known here, or it has ended: get a new one from POST token/.")
        )
    require_second_factor(token.user)
    _note_use(token)
    limit_to(token.user, token.scopes)
    return token


class EndTokens:
    """Ends the tokens of an account whose password changes: one of ``AUTH_PASSWORD_VALIDATORS``.

    Other devices show no more notices, and the password is not the first one any more.

    Django calls it for every new password, and not where it only stores a newer digest of the same.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Any password will do."""

    def get_help_text(self) -> str:
        return _("A new password ends the tokens that programs sign in with.")

    def password_changed(self, password: str, user: Account | None = None) -> None:
        if user is not None:
            ApiToken.objects.filter(user=user).update(password_changed=True)
            forget_devices_of_old_password(user)
            AccountSettings.objects.filter(user=user, has_first_password=True).update(
                has_first_password=False
            )


def _make_room(new: ApiToken, *, replaces: bool) -> None:
    """Remove the ended tokens of an account that has 50; else, if ``replaces``, one named like ``new``.

    :raises ValidationError: if there is none to remove.
    """
    own = ApiToken.objects.filter(user=new.user)
    if own.count() < MOST_TOKENS:
        return
    if own.ended().delete()[0]:
        return
    last_needed = Coalesce("last_used_on", TruncDate("made_at"))
    unused = own.filter(name=new.name).order_by(last_needed, "made_at").first()
    if not replaces or unused is None:
        message = _("You have %(most)s tokens: end one that is not needed any more.")
        raise ValidationError(ValidationError(message % {"most": MOST_TOKENS}, code="too_many"))
    end_token(unused, by=new.user)


def _note_use(token: ApiToken) -> None:
    """Write down the day, once a day; reading goes on where nothing can be written."""
    today = timezone.localdate()
    if token.last_used_on == today:
        return
    try:
        with transaction.atomic():
            ApiToken.objects.filter(pk=token.pk).update(last_used_on=today)
    except DatabaseError:
        return
    token.last_used_on = today
