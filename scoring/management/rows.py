"""Say in words how much a file of a whole club holds."""

from collections.abc import Mapping

from django.utils.translation import gettext as _


def rows_in_words(rows: Mapping[str, int]) -> str:
    """:param rows: how many there are of each model, by its label."""
    message = _("Players: %(players)s. Games: %(games)s. Hands: %(hands)s. Rows: %(rows)s.")
    return message % {
        "players": rows["scoring.player"],
        "games": rows["scoring.game"],
        "hands": rows["scoring.hand"],
        "rows": sum(rows.values()),
    }
