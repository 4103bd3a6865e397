"""Forms that ask for the password again, where a session left open is not enough."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.services.passwords import is_own_password

# What a new password has to be, wherever one is chosen.
PASSWORD_HELP = gettext_lazy("At least 8 characters, and none that everybody guesses.")


class PasswordForm(forms.Form):
    """A form with the password of the account that sends it."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "current-password"}),
        error_messages={"required": gettext_lazy("Type your password.")},
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not is_own_password(self.request, password):
            raise ValidationError(_("This is not your password."), code="invalid_login")
        return password
