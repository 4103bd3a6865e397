"""The audit at the desk, to look at. Changes made at the desk stand in each row's history, too."""

from django.contrib import admin

from scoring.models import AuditEntry

from .ledger import LedgerAdmin


@admin.register(AuditEntry)
class AuditEntryAdmin(LedgerAdmin):
    list_display = ("at", "action", "subject", "subject_id", "by")
    list_filter = (
        "at",
        "action",
    )
    list_select_related = ("by",)
    search_fields = ("by__username", "=subject_id")
