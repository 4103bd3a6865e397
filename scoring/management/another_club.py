"""Asking whoever seems to mean another database than the one that is set."""

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.utils.translation import gettext as _

from scoring.operations.backup import Former, hands_now
from scoring.site.databases import in_words

YES = "yes"


def ask_whether_meant(former: Former | None, out: OutputWrapper) -> None:
    """Go on if there is nothing to ask, or the answer is yes.

    :raises CommandError: otherwise.
    """
    if former is None:
        return
    params = {
        "database": in_words(settings.DATABASES["default"]),
        "hands": hands_now(),
        "path": former.path,
        "known": "?" if former.hands is None else former.hands,
    }
    out.write(
        _(
            "The database holds %(hands)s hands (%(database)s). %(path)s holds %(known)s. Is another "
            "database meant? DATABASE_URL names it, in the environment or in the file .env."
        )
        % params
    )
    try:
        answer = input(_("Go on with this one? Type %(yes)s, or give --yes: ") % {"yes": YES})
    except (EOFError, KeyboardInterrupt):
        answer = ""
    if answer.strip().lower() != YES:
        raise CommandError(_("Stopped. Nothing was done."))
