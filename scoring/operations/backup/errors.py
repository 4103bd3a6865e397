"""Errors of making a backup and putting it back."""

from django.utils.translation import gettext_lazy as _

NO_BACKUP = _("%(path)s is not a backup of this site.")
NOT_PUT_ASIDE = _("The database cannot be put aside: %(said)s Nothing was changed.")


class BackupRefused(Exception):
    """``str()`` says why, and what to do. Nothing was changed."""
