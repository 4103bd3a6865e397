"""Settings of an account, besides its name, its mail and its password."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class AccountSettings(models.Model):
    """What the person of an account has chosen. An account without a row has chosen nothing.

    :ivar language: one of ``LANGUAGES``; empty follows the browser.
    :ivar has_first_password: whether the password is still the one that an organiser gave.
    :ivar opened_by_organiser: whether an organiser, who is no owner, made a way in: a first password, or
        a link to a new one. A later password does not end that: there may be a passkey, or a mail
        address, of the organiser's.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="own_settings",
        verbose_name=_("account"),
    )
    language = models.CharField(_("language"), max_length=10, blank=True)
    has_first_password = models.BooleanField(
        _("the password is one that an organiser gave"), default=False
    )
    opened_by_organiser = models.BooleanField(_("an organiser made a way in"), default=False)

    class Meta:
        verbose_name = _("settings of an account")
        verbose_name_plural = _("settings of accounts")

    def __str__(self) -> str:
        return self.language

    def clean(self) -> None:
        if self.language and self.language not in dict(settings.LANGUAGES):
            message = gettext("This site does not speak that language.")
            raise ValidationError({"language": ValidationError(message, code="invalid_choice")})
