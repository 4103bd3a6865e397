"""Stakes and fees of evenings, and who paid whom: set and marked on the site, looked at here."""

from django.contrib import admin

from scoring.models import EveningPayment, EveningTerms

from .ledger import LedgerAdmin


@admin.register(EveningTerms)
class EveningTermsAdmin(LedgerAdmin):
    list_display = ("effective_from", "league", "__str__", "made_at", "made_by")
    list_filter = ("league",)
    list_select_related = ("league", "made_by")


@admin.register(EveningPayment)
class EveningPaymentAdmin(LedgerAdmin):
    list_display = (
        "day",
        "league",
        "payer",
        "payee",
        "amount",
        "currency",
        "marked_by",
        "undone_at",
    )
    list_filter = ("day", "league")
    list_select_related = ("league", "payer", "payee", "marked_by")
    search_fields = ("payer__name", "payee__name")
