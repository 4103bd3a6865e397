"""Hands and what was paid for them: on record for good."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.models import Hand, Payment
from scoring.models.hands import HOW_WON

from .ledger import LedgerAdmin, LedgerInline


class PaymentInline(LedgerInline):
    model = Payment
    fields = ("player", "amount")
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Payment]:
        return super().get_queryset(request).select_related("player")


@admin.register(Hand)
class HandAdmin(LedgerAdmin):
    """Hands are logged, corrected and declared void at their table."""

    list_display = (
        "played_at",
        "game",
        "number",
        "version",
        "status",
        "outcome",
        "winner",
        "final",
        "limit",
        "checked",
    )
    list_filter = (
        "game__evening",
        "status",
        "outcome",
        "checked",
        "limit",
        "self_drawn",
        "game__league",
    )
    search_fields = ("winner__name", "discarder__name", "game__league__name")
    search_help_text = _("The winner, the discarder or the league")
    ordering = ("-played_at", "-pk")
    inlines = (PaymentInline,)
    fieldsets = (
        (
            None,
            {"fields": ("game", "round", "number", "version", "status", "supersedes", "why")},
        ),
        (
            _("What was entered"),
            {
                "fields": (
                    "outcome",
                    "winner",
                    "discarder",
                    *HOW_WON,
                    "tiles",
                    "melds",
                    "claimed_limit",
                    "checked",
                )
            },
        ),
        (
            _("What it makes"),
            {
                "fields": (
                    "prevailing",
                    "dealer",
                    "seat",
                    "ruleset_version",
                    "points",
                    "doubles",
                    "total",
                    "final",
                    "limit",
                )
            },
        ),
        (_("Who and when"), {"fields": ("logged_by", "logged_at", "played_at")}),
    )

    @admin.display(description=_("reason"))
    def why(self, hand: Hand) -> str:
        """In the reader's language where the version follows from another hand."""
        return hand.why

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hand]:
        named = ("game__league", "round", "winner", "discarder", "dealer", "logged_by")
        hands = super().get_queryset(request)
        # The scorecard is read on its own page.
        return hands.select_related(*named, "ruleset_version__ruleset").defer("card")


@admin.register(Payment)
class PaymentAdmin(LedgerAdmin):
    list_display = ("hand", "player", "amount")
    list_filter = ("hand__game__evening", "hand__status", "hand__game__league")
    list_select_related = ("hand__game__league", "player")
    search_fields = ("player__name",)
    ordering = ("-pk",)
