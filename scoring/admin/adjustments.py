"""Points that moved without a hand: booked on the site, and reversed there."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from scoring.models import Adjustment, Transfer

from .ledger import Detail, LedgerAdmin, LedgerInline


class TransferInline(LedgerInline):
    model = Transfer
    fields = ("payer", "payee", "amount")
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Transfer]:
        return super().get_queryset(request).select_related("payer", "payee")


@admin.register(Adjustment)
class AdjustmentAdmin(LedgerAdmin):
    list_display = ("made_at", "league", "game", "reason", "made_by", "reverses")
    list_filter = (
        "made_at",
        "league",
    )
    list_select_related = ("league", "game__league", "made_by", "reverses")
    search_fields = ("reason", "transfers__payer__name", "transfers__payee__name")
    inlines = (TransferInline,)


@admin.register(Transfer)
class TransferAdmin(Detail, LedgerAdmin):
    list_display = ("adjustment", "payer", "payee", "amount")
    list_filter = (
        "adjustment__made_at",
        "adjustment__league",
    )
    list_select_related = ("adjustment", "payer", "payee")
    search_fields = ("payer__name", "payee__name", "adjustment__reason")
    ordering = ("-pk",)
