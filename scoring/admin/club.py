"""The club's own settings, to look at: owners change them on the page /club/."""

from django.contrib import admin

from scoring.models import Club

from .ledger import LedgerAdmin


@admin.register(Club)
class ClubAdmin(LedgerAdmin):
    list_display = ("name", "language", "time_zone", "colour")
