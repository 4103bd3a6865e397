"""Tokens: members make and end them, programs sign in with them.

A token ends by its date, when its member ends it, when the password of the account changes, and
when the account is closed.
"""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import ApiToken
from scoring.models.permissions import (
    PermissionDenied,
    Scope,
    User,
    check_signed_in,
    is_organiser,
    limit_to,
)

from .audit import log_audit

DAYS, MOST_DAYS = 90, 366
# More than anybody has programs; whoever makes one a minute does not read what they say.
MOST_TOKENS = 50


class TokenRefused(Exception):
    """Nobody is signed in with this text; the sentence says what to do."""


@transaction.atomic
def make_token(
    name: str, scopes: Collection[Scope], *, days: int = DAYS, by: User
) -> tuple[ApiToken, str]:
    """A token of ``by`` that runs for ``days``, and its text, which is kept nowhere.

    :raises PermissionDenied: for a visitor.
    :raises ValidationError: without a name or a scope; for a scope that ``by`` does not have; for
        more than 366 days; for more than 50 tokens.
    """
    account = check_signed_in(by)
    if not 1 <= days <= MOST_DAYS:
        message = _("A token runs for 1 to %(most)s days.") % {"most": MOST_DAYS}
        raise ValidationError({"days": ValidationError(message, code="out_of_range")})
    if Scope.ORGANISE in scopes and not is_organiser(by):
        message = _("Only an organiser makes a token that does what organisers do.")
        raise ValidationError({"scopes": ValidationError(message, code="not_yours")})
    if ApiToken.objects.filter(user=account).count() >= MOST_TOKENS:
        message = _("You have %(most)s tokens: end one that is not needed any more.")
        raise ValidationError(ValidationError(message % {"most": MOST_TOKENS}, code="too_many"))
    text = secrets.token_urlsafe(32)
    token = ApiToken(
        user=account,
        name=name,
        digest=_digest(text),
        password_digest=_digest(account.password),
        may_read=Scope.READ in scopes,
        may_log=Scope.LOG in scopes,
        may_organise=Scope.ORGANISE in scopes,
        ends_at=timezone.now() + timedelta(days=days),
    )
    token.full_clean()
    token.save()
    log_audit("make_token", token, by=by, name=token.name, scopes=sorted(token.scopes))
    return token, text


@transaction.atomic
def end_token(token: ApiToken, *, by: User) -> None:
    """End ``token`` at once.

    :raises PermissionDenied: unless it is one of ``by``.
    """
    if token.user_id != by.pk:
        raise PermissionDenied(_("Members end their own tokens only."))
    log_audit("end_token", token, by=by, name=token.name)
    token.delete()


def sign_in_by_token(text: str) -> ApiToken:
    """The token with this text. Its ``user`` may do what it is for, and nothing else.

    :raises TokenRefused: if there is none that still runs.
    """
    token = ApiToken.objects.running().select_related("user").filter(digest=_digest(text)).first()
    if token is None or not token.user.is_active:
        raise TokenRefused(
            _("This token is not known here, or it has ended: get a new one from POST token/.")
        )
    if ended_by_password(token):
        raise TokenRefused(
            _("This token ended when the password changed: get a new one from POST token/.")
        )
    _note_use(token)
    limit_to(token.user, token.scopes)
    return token


def ended_by_password(token: ApiToken) -> bool:
    """Whether the password of its account is another one since ``token`` was made."""
    return not secrets.compare_digest(token.password_digest, _digest(token.user.password))


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


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
