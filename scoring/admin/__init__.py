"""The administration of the server, or desk: players, leagues and rule sets to change, the ledger to look at.

What was logged at a table is changed at the table only: nothing here writes a hand, a payment or a
tally, and nothing deletes one.
"""

from collections.abc import Callable

from django.contrib import admin
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from scoring.models import known_club

from . import (
    accounts,
    adjustments,
    audit,
    audited,
    club,
    days,
    evening_money,
    events,
    games,
    hands,
    idempotency,
    invitations,
    late,
    leagues,
    notices,
    players,
    rulesets,
    seasons,
    seating,
    tallies,
    tokens,
)

__all__ = [
    "accounts",
    "adjustments",
    "audit",
    "audited",
    "club",
    "days",
    "evening_money",
    "events",
    "games",
    "hands",
    "idempotency",
    "invitations",
    "late",
    "leagues",
    "notices",
    "players",
    "rulesets",
    "seasons",
    "seating",
    "tallies",
    "tokens",
]

_club_name: Callable[[], str] = lazy(lambda: str(known_club()), str)
admin.site.site_header = _club_name()
admin.site.site_title = _club_name()
admin.site.index_title = _("Administration")
