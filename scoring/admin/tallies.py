"""Stored sums and ratings at the desk. ``manage.py verify --repair`` rebuilds them."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from scoring.models import ClubRating, ClubTally, Rating, StoryChange, StorySum, Tally

from .ledger import LedgerAdmin


@admin.register(Tally)
class TallyAdmin(LedgerAdmin):
    list_display = (
        "player",
        "league",
        "points",
        "hands",
        "wins",
        "games",
        "average",
        "best_hand",
        "shown_rating",
    )
    list_filter = ("league",)
    list_select_related = ("player", "league")
    search_fields = ("player__name", "league__name")

    @admin.display(description=_("average"))
    def average(self, tally: Tally) -> float:
        return tally.average

    @admin.display(description=_("rating"), ordering="rating_mu")
    def shown_rating(self, tally: Tally) -> int:
        return tally.band.rating


@admin.register(Rating, ClubRating)
class RatingAdmin(LedgerAdmin):
    list_display = ("player", "game", "shown", "mu", "sigma")
    list_filter = (
        "game__evening",
        "game__league",
    )
    list_select_related = ("player", "game__league")
    search_fields = ("player__name",)
    ordering = ("-game__finished_at", "game", "player")

    @admin.display(description=_("rating"))
    def shown(self, rating: Rating | ClubRating) -> int:
        return rating.band.rating


@admin.register(ClubTally)
class ClubTallyAdmin(LedgerAdmin):
    list_display = ("player", "games", "shown", "mu", "sigma")
    list_select_related = ("player",)
    search_fields = ("player__name",)

    @admin.display(description=_("rating"), ordering="mu")
    def shown(self, tally: ClubTally) -> int:
        return tally.band.rating


@admin.register(StorySum)
class StorySumAdmin(LedgerAdmin):
    list_display = ("player", "league", "span")
    list_filter = ("league",)
    list_select_related = ("player", "league")
    search_fields = ("player__name", "league__name")


@admin.register(StoryChange)
class StoryChangeAdmin(LedgerAdmin):
    list_display = ("league", "evening")
    list_filter = ("league",)
    list_select_related = ("league",)
