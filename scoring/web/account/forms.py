"""The form to sign in with."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.validators import MaxLengthValidator

LONGEST_NAME = 150


class SignInForm(AuthenticationForm):
    """Django's own, with its limit on a name held before the name goes anywhere."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].validators.append(MaxLengthValidator(LONGEST_NAME))
