"""Links to a new password: each ends as soon as its account may do more, or less."""

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.tokens import PasswordResetTokenGenerator

from scoring.models.permissions import Account
from scoring.models.roles import role_of


class ResetLinks(PasswordResetTokenGenerator):
    """What is in a link, signed: also the role, so that its maker does not rise with the account."""

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        from allauth.account.forms import EmailAwarePasswordResetTokenGenerator

        assert isinstance(user, Account)
        value = EmailAwarePasswordResetTokenGenerator()._make_hash_value(user, timestamp)
        return f"{value}|{role_of(user)}|{user.is_staff}"
