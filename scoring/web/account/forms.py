"""The forms under which accounts are signed in to, and changed by their people."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from cryptography.exceptions import InvalidSignature
from django import forms
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.models.refusals import NOT_SIGNED_IN
from scoring.services.accounts import mail_is_taken
from scoring.services.passwords import is_own_password
from scoring.services.second_factor import check_code_of
from scoring.services.sign_in_rate import device_of

from ..shared.bounded_json import BoundedDecoder
from ..shared.password_form import PASSWORD_HELP, PasswordForm

LONGEST_NAME = 254  # as a mail address
# How the library fails at bytes that no browser sends.
MALFORMED = (
    *(AttributeError, InvalidSignature, LookupError, NotImplementedError, OverflowError),
    *(RecursionError, TypeError, ValueError, struct.error),
)


class SignInForm(AuthenticationForm):
    """Django's own, for a name or a mail; a limit on its length holds before it goes anywhere."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": NOT_SIGNED_IN,
        "has_spaces": gettext_lazy(
            "Name and password do not match. A sign-in name has no spaces, such as anna.de.vries."
        ),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name = self.fields["username"]
        name.label = gettext_lazy("Sign-in name or mail address")
        name.validators = [MaxLengthValidator(LONGEST_NAME)]
        name.widget.attrs["maxlength"] = LONGEST_NAME

    def get_invalid_login_error(self) -> ValidationError:
        code = "has_spaces" if " " in self.cleaned_data["username"] else "invalid_login"
        return ValidationError(self.error_messages[code], code=code)


class PlainFields(forms.Form):
    """Allauth's forms with our words: the browser shows no placeholder that repeats the label."""

    WORDS = {
        "oldpassword": gettext_lazy("Your password"),
        "password1": gettext_lazy("New password"),
        "password2": gettext_lazy("New password, once more"),
        "code": gettext_lazy("Code"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.WORDS.get(name, field.label)
        if "oldpassword" in self.fields:
            self.fields["oldpassword"].help_text = ""
        if "password1" in self.fields:
            self.fields["password1"].help_text = PASSWORD_HELP


class ChangePasswordForm(PlainFields, allauth.ChangePasswordForm):
    def clean_oldpassword(self) -> str:
        """The old password, if it is right. A wrong one counts as a wrong sign-in."""
        password: str = self.cleaned_data["oldpassword"]
        if not is_own_password(context.request, password):
            raise ValidationError(_("This is not your password."), code="invalid_login")
        return password


class MailForm(allauth.AddEmailForm):
    """One more mail address, with which nobody else signs in."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        if mail_is_taken(email, by_others_than=self.user):
            raise get_account_adapter().validation_error("email_taken")
        return email


class SetPasswordForm(PlainFields, allauth.SetPasswordForm):
    pass


class ResetPasswordForm(PlainFields, allauth.ResetPasswordKeyForm):
    pass


class CountedCode(PlainFields):
    """A code that is good once; wrong ones are counted like wrong passwords."""

    user: Any

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        authenticator = check_code_of(self.user, code, device_of(context.request))
        if authenticator is None:
            raise get_adapter().validation_error("incorrect_code")
        self.authenticator = authenticator
        if authenticator.type == Authenticator.Type.RECOVERY_CODES:
            self.say_how_many_are_left(authenticator)
        return code

    @staticmethod
    def say_how_many_are_left(authenticator: Authenticator) -> None:
        authenticator.refresh_from_db()
        left = len(authenticator.wrap().get_unused_codes())
        message = ngettext(
            "That was a recovery code; %(left)s is left.",
            "That was a recovery code; %(left)s are left.",
            left,
        )
        messages.info(context.request, message % {"left": left})


class SecondFactorForm(CountedCode, AuthenticateForm):
    """The second step of signing in."""


class CodeAgainForm(CountedCode, ReauthenticateForm):
    """A code instead of the password, before something that matters."""


class ReadsCredential(forms.Form):
    """What a browser says of a passkey. Allauth and its library expect that it is well-formed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"].decoder = BoundedDecoder  # type: ignore[attr-defined]


@contextmanager
def malformed_is_wrong() -> Iterator[None]:
    """:raises ValidationError: for what the block fails to read."""
    try:
        yield
    except MALFORMED as error:
        raise get_adapter().validation_error("incorrect_code") from error


class ChecksCredential(ReadsCredential, AuthenticateWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        with malformed_is_wrong():
            return super().clean_credential()


class WithPasskeyForm(ChecksCredential):
    """A passkey as the second step of signing in."""


class SignInWithPasskeyForm(ChecksCredential, LoginWebAuthnForm):
    """A passkey instead of name and password."""


class PasskeyAgainForm(ChecksCredential, ReauthenticateWebAuthnForm):
    """A passkey instead of the password, before something that matters."""


class PasskeyForm(PlainFields, ReadsCredential, AddWebAuthnForm):
    """A new passkey: a key beside the password, or instead of it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("What do you call it?")
        self.fields["name"].initial = ""
        self.initial.pop("name", None)
        alone = self.fields["passwordless"]
        alone.label = _("Sign in with it alone, without the password")
        alone.help_text = ""
        alone.initial = True

    def clean(self) -> dict[str, Any] | None:
        with malformed_is_wrong():
            return super().clean()


class AppForm(PlainFields, ActivateTOTPForm):
    """The first code of an app that is being set up."""


class SignInNameForm(PasswordForm):
    """Another name to sign in with."""

    username = forms.CharField(
        label=gettext_lazy("The name you sign in with"),
        max_length=150,
        error_messages={"required": gettext_lazy("Type a name to sign in with.")},
        widget=forms.TextInput({"autocomplete": "username", "autocapitalize": "none"}),
    )
    field_order = ("username", "password")
