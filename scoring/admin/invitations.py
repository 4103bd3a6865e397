"""Invitations and who used them: to look at. They are made and revoked on the page of people."""

from django.contrib import admin

from scoring.models.invitations import Invitation, InvitationUse

from .ledger import LedgerAdmin


@admin.register(Invitation)
class InvitationAdmin(LedgerAdmin):
    list_display = ("player", "once", "made_by", "made_at", "ends_at", "revoked_at", "used_at")
    list_select_related = ("player", "made_by")
    exclude = ("digest",)


@admin.register(InvitationUse)
class InvitationUseAdmin(LedgerAdmin):
    list_display = ("invitation", "account", "name", "claim", "at")
    list_select_related = ("invitation__player", "account", "claim")
