"""The organisers' desk: players, leagues and rule sets to change, the ledger to look at.

What was logged at a table is changed at the table only: nothing here writes a hand, a payment or a
tally, and nothing deletes one.
"""

from django.conf import settings
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from . import (
    accounts,
    adjustments,
    audit,
    audited,
    days,
    events,
    games,
    hands,
    idempotency,
    late,
    leagues,
    players,
    rulesets,
    tallies,
    tokens,
)

__all__ = [
    "accounts",
    "adjustments",
    "audit",
    "audited",
    "days",
    "events",
    "games",
    "hands",
    "idempotency",
    "late",
    "leagues",
    "players",
    "rulesets",
    "tallies",
    "tokens",
]

admin.site.site_header = settings.SITE_NAME
admin.site.site_title = settings.SITE_NAME
admin.site.index_title = _("The organisers' desk")
