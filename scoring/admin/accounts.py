"""What accounts have chosen, and the counts of wrong sign-ins, for who runs the site: to look at.

A count that is deleted lets a name try again at once. Nobody reads here whose it is.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from scoring.models import AccountSettings, SignInCount

from .audited import AuditedDeletions
from .ledger import LedgerAdmin


@admin.register(AccountSettings)
class AccountSettingsAdmin(LedgerAdmin):
    list_display = ("user", "language")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(SignInCount)
class SignInCountAdmin(AuditedDeletions, LedgerAdmin):
    list_display = ("digest", "failures", "failed_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("scoring.delete_signincount")
