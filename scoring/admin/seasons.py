"""Closed seasons and their final tables at the desk, to look at."""

from django.contrib import admin

from scoring.models import FinalRow, SeasonClosure

from .ledger import LedgerAdmin


@admin.register(SeasonClosure)
class SeasonClosureAdmin(LedgerAdmin):
    list_display = ("league", "day", "closed_at", "closed_by", "reopened_at", "reopened_by")
    list_filter = (("reopened_at", admin.EmptyFieldListFilter), "league")
    list_select_related = ("league", "closed_by", "reopened_by")
    search_fields = ("league__name", "reason")


@admin.register(FinalRow)
class FinalRowAdmin(LedgerAdmin):
    list_display = ("closure", "table", "rank", "player", "team", "value", "points")
    list_filter = ("closure__league",)
    list_select_related = ("closure__league", "player")
    search_fields = ("player__name", "team")
