"""Names and passwords, and the one limit on guessing them: counted in the database for all workers.

Wrong tries are counted by the account that was typed, by name or mail, from whatever address; where
nobody has the name, by the name. A device on which somebody
has signed in before has a count of its own for that account, so guessing elsewhere does not keep its
owner out. A device is known by a signed cookie (OWASP: "device cookies").
"""

import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.utils.translation import gettext as _

from scoring.models.letters import plain_letters
from scoring.models.permissions import Account

from .errors import SignInStopped
from .tries import count_try, forget_tries

Result = TypeVar("Result")

# A tablet of the club has many members; the oldest of them is a stranger again.
MOST_ACCOUNTS = 20
SALT = "scoring.device"


@dataclass(frozen=True, slots=True)
class Device:
    """A browser or program, and the accounts (by id, the latest first) that signed in on it."""

    key: str
    accounts: tuple[int, ...] = ()

    @classmethod
    def read(cls, cookie: str | None) -> "Device":
        """The device that sent ``cookie``; a new one if the site has not signed it."""
        try:
            key, accounts = signing.loads(cookie or "", salt=SALT)
        except (signing.BadSignature, TypeError, ValueError):
            return cls(secrets.token_urlsafe(16))
        return cls(key, tuple(accounts))

    def with_account(self, pk: int) -> "Device":
        others = [other for other in self.accounts if other != pk]
        return Device(self.key, (pk, *others[: MOST_ACCOUNTS - 1]))

    def written(self) -> str:
        """What :meth:`read` reads."""
        return signing.dumps((self.key, self.accounts), salt=SALT)

    def key_for(self, account: Account | None) -> str:
        """The key under which wrong tries at ``account`` are counted here; empty for a stranger."""
        known = account is not None and account.pk in self.accounts
        return f"device:{self.key}:{account.pk}" if account and known else ""


def find_account(typed: str) -> Account | None:
    """The account that signs in with ``typed``: its name, also with accents that it lacks, or its mail.

    A mail that nobody has confirmed counts if only one account has it.
    """
    typed = unicodedata.normalize("NFKC", typed).strip()
    if not typed or "\x00" in typed:
        return None
    named = list(Account.objects.filter(username__iexact=typed)[:MOST_ACCOUNTS])
    if not named and (plain := plain_letters(typed)) != typed:
        # The site proposes names without accents.
        named = list(Account.objects.filter(username__iexact=plain)[:MOST_ACCOUNTS])
    exact = [account for account in named if account.username == typed]
    if exact or len(named) == 1:
        return (exact or named)[0]
    return _account_with_mail(typed) if "@" in typed else None


def check_password_of(typed: str, password: str, device: Device) -> Account | None:
    """The account of ``typed`` (name or mail), if ``password`` is its own and it is not closed.

    Call it outside a transaction: a wrong try is counted. A name that nobody has takes as long and
    is counted in the same way.

    :raises SignInStopped: after too many wrong ones, also for the right one.
    """
    account = find_account(typed)
    # By the account: databases find it by more spellings than have one folded form.
    anywhere = f"account:{account.pk}" if account else f"name:{_folded(typed)}"
    key = device.key_for(account) or anywhere

    def signed_in() -> Account | None:
        if account is None:
            Account().set_password(password)
            return None
        return account if account.check_password(password) and account.is_active else None

    return count_tries(key, signed_in)


def count_tries(key: str, attempt: Callable[[], Result | None]) -> Result | None:
    """What ``attempt`` returns. It counts as wrong under ``key`` until it returns something.

    :raises SignInStopped: if there were too many under ``key``; it is not called then.
    """
    counted = count_try({key: settings.SIGN_IN_FAILURES}, _stopped)
    result = attempt()
    if result is not None:
        counted.take_back()
        # Elsewhere than on a known device others may be guessing: their tries still count.
        if key.startswith("device:"):
            forget_tries(key)
    return result


def _stopped(wait: timedelta) -> SignInStopped:
    message = _("Too many wrong attempts for this name. Try again in %(minutes)s minutes.")
    return SignInStopped(message % {"minutes": -(-wait // timedelta(minutes=1))}, wait=wait)


def _account_with_mail(mail: str) -> Account | None:
    addresses = EmailAddress.objects.filter(email__iexact=mail).select_related("user")
    candidates: dict[Account, bool] = {
        address.user: address.verified for address in addresses[:MOST_ACCOUNTS]
    }
    verified = [account for account, is_verified in candidates.items() if is_verified]
    if verified:
        return verified[0]
    # An account made on the server has its mail in its own row only.
    candidates |= dict.fromkeys(Account.objects.filter(email__iexact=mail)[:MOST_ACCOUNTS], False)
    return next(iter(candidates)) if len(candidates) == 1 else None


def _folded(typed: str) -> str:
    return unicodedata.normalize("NFKC", typed).strip().casefold()
