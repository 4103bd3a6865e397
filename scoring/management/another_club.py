"""Asking before something is done to a database, and whether it is the one that is meant."""

from django.conf import settings
from django.core.management.base import CommandError, OutputWrapper
from django.utils.translation import gettext as _

from scoring.operations.backup import Former, hands_now
from scoring.site.databases import in_words

YES = "yes"


def says_yes(question: str) -> bool:
    """Whether the answer to ``question``, which asks for ``YES`` to be typed, is that whole word."""
    try:
        return input(question).strip().lower() == YES
    except (EOFError, KeyboardInterrupt):
        return False


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
    if not says_yes(_("Go on with this one? Type %(yes)s, or give --yes: ") % {"yes": YES}):
        raise CommandError(_("Stopped. Nothing was done."))
