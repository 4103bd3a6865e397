"""Tokens of programs, for who runs the site: to look at, and to end. Nobody makes one for another."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from scoring.models import ApiToken

from .audited import AuditedDeletions
from .ledger import LedgerAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(AuditedDeletions, LedgerAdmin):
    list_display = ("name", "user", "made_at", "ends_at", "last_used_on")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    exclude = ("digest",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """As permissions say: a lost token is ended here, and an account takes its tokens along."""
        return request.user.has_perm("scoring.delete_apitoken")
