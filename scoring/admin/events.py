"""Events of hands and closed evenings at the desk, to look at."""

from django.contrib import admin

from scoring.models import EveningClosure, HandEvent

from .ledger import LedgerAdmin


@admin.register(HandEvent)
class HandEventAdmin(LedgerAdmin):
    list_display = ("at", "hand", "kind", "player", "by", "about", "reason")
    list_filter = ("at", "kind", "about", "hand__game__league")
    list_select_related = ("hand__game__league", "player", "by")
    search_fields = ("player__name", "by__username", "reason")
    ordering = ("-pk",)


@admin.register(EveningClosure)
class EveningClosureAdmin(LedgerAdmin):
    list_display = ("day", "league", "closed_at", "closed_by", "reopened_at", "reopened_by")
    list_filter = (("reopened_at", admin.EmptyFieldListFilter), "league")
    list_select_related = ("league", "closed_by", "reopened_by")
    search_fields = ("league__name", "reason")
    date_hierarchy = "day"
