"""Tables of the room, who waits at them, and guests who come back: to look at."""

from django.contrib import admin

from scoring.models import ClubTable, GuestClaim
from scoring.models.seating import TryCount, WaitingSeat

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
class TryCountAdmin(LedgerAdmin):
    list_display = ("failures", "failed_at")
    exclude = ("digest",)


@admin.register(GuestClaim)
class GuestClaimAdmin(LedgerAdmin):
    list_display = ("player", "by", "asked_at", "agreed", "answered_by")
    list_select_related = ("player", "by", "answered_by")
