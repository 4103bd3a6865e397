"""Answers that are kept for a while, for whoever looks for what a phone was told."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from scoring.models import IdempotencyKey

from .audited import AuditedDeletions
from .ledger import LedgerAdmin


@admin.register(IdempotencyKey)
class IdempotencyKeyAdmin(AuditedDeletions, LedgerAdmin):
    list_display = ("key", "user", "status", "created_at")
    list_filter = (
        "created_at",
        "status",
    )
    list_select_related = ("user",)
    search_fields = ("key", "user__username")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As permissions say: an account takes its keys along. A hand stays unique without them."""
        return request.user.has_perm("scoring.delete_idempotencykey")
