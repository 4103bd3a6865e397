"""Tables of the room, who waits at them, guests who come back, and counts of wrong tries: to look at.

A count that is deleted lets its key try again at once. Nobody reads here whose it is.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from scoring.models import ClubTable, GuestClaim
from scoring.models.seating import TryCount, WaitingSeat

from .audited import AuditedDeletions
from .ledger import LedgerAdmin


@admin.register(ClubTable)
class ClubTableAdmin(LedgerAdmin):
    list_display = ("name", "game")
    list_select_related = ("game__league",)
    exclude = ("digest",)


@admin.register(WaitingSeat)
class WaitingSeatAdmin(LedgerAdmin):
    list_display = ("table", "place", "player", "guest_name", "taken_at")
    list_select_related = ("table", "player")


@admin.register(TryCount)
class TryCountAdmin(AuditedDeletions, LedgerAdmin):
    list_display = ("digest", "failures", "failed_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("scoring.delete_trycount")


@admin.register(GuestClaim)
class GuestClaimAdmin(LedgerAdmin):
    list_display = ("player", "by", "asked_at", "agreed", "answered_by")
    list_select_related = ("player", "by", "answered_by")
