"""Late hands and what was changed about games: to be looked at; the site's pages decide."""

from django.contrib import admin

from scoring.models import GameEvent, LateHand

from .ledger import LedgerAdmin


@admin.register(LateHand)
class LateHandAdmin(LedgerAdmin):
    list_display = ("asked_at", "game", "number", "by", "status", "decided_by", "reason")
    list_filter = ("asked_at", "status", "game__league")
    list_select_related = ("game__league", "by", "decided_by")
    search_fields = ("by__username", "reason", "=game__pk")


@admin.register(GameEvent)
class GameEventAdmin(LedgerAdmin):
    list_display = ("at", "game", "kind", "by", "reason")
    list_filter = ("at", "kind", "game__league")
    list_select_related = ("game__league", "by")
    search_fields = ("by__username", "reason", "=game__pk")
