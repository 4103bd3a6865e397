"""The shortest password that is taken."""

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.utils.translation import ngettext


class LongEnough(MinimumLengthValidator):
    """Django's check, with its sentence in the catalogues of the site: Django's own Dutch lacks it."""

    def get_error_message(self) -> str:
        sentence = ngettext(
            "This password is too short. It must contain at least %(n)s character.",
            "This password is too short. It must contain at least %(n)s characters.",
            self.min_length,
        )
        return sentence % {"n": self.min_length}
