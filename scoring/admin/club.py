"""The club's own settings and its first run, to look at: owners change them on the page /club/."""

from django.contrib import admin

from scoring.models import Club, FirstRun

from .ledger import LedgerAdmin


@admin.register(Club)
class ClubAdmin(LedgerAdmin):
    list_display = ("name", "language", "time_zone", "colour")


@admin.register(FirstRun)
class FirstRunAdmin(LedgerAdmin):
    list_display = ("step", "owner")
    list_select_related = ("owner",)
