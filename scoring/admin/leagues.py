"""Leagues: club nights, seasons, tournaments."""

from typing import Any, Protocol

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from scoring.models import League, StandingRules
from scoring.models.games import not_withdrawn
from scoring.services.leagues import add_league, change_league
from scoring.services.rulesets import usual_version

from .audited import SavedByServices
from .ledger import LedgerAdmin


class ListedLeague(Protocol):
    """A league of the list, with the number of its games."""

    games_played: int


@admin.register(League)
class LeagueAdmin(SavedByServices, admin.ModelAdmin):
    """A change of the rule set counts for games that are still to begin."""

    list_display = (
        "name",
        "starts_on",
        "ends_on",
        "runs",
        "visibility",
        "ruleset_version",
        "number_of_games",
    )
    list_filter = (
        "visibility",
        ("ends_on", admin.EmptyFieldListFilter),
        "ruleset_version__ruleset",
    )
    list_select_related = ("ruleset_version__ruleset",)
    search_fields = ("name", "slug", "description")
    date_hierarchy = "starts_on"
    ordering = ("-starts_on", "name")
    autocomplete_fields = ("ruleset_version",)
    fieldsets = (
        (None, {"fields": ("name", "slug", "description")}),
        (
            _("How it is played"),
            {"fields": ("ruleset_version", "starts_on", "ends_on", "hours_to_answer")},
        ),
        (_("Who sees it"), {"fields": ("visibility", "hides_names")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[League]:
        leagues: QuerySet[League] = super().get_queryset(request)
        played = Count("games", filter=not_withdrawn("games__"))
        return leagues.annotate(games_played=played)

    def get_readonly_fields(self, request: HttpRequest, obj: League | None = None) -> Any:
        """The short name is the league's address: people and programs have kept it."""
        return ("slug",) if obj else ()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new league plays by Club, unless another rule set was asked for."""
        usual = usual_version()
        chosen = {"ruleset_version": usual.pk} if usual else {}
        return {**chosen, **super().get_changeform_initial_data(request)}

    def get_prepopulated_fields(self, request: HttpRequest, obj: League | None = None) -> Any:
        return {} if obj else {"slug": ("name",)}

    def save_model(self, request: HttpRequest, obj: League, form: Any, change: bool) -> None:
        if not change:
            obj.pk = add_league(**form.cleaned_data, by=request.user).pk
        elif changes := {name: form.cleaned_data[name] for name in form.changed_data}:
            change_league(obj, **changes, by=request.user)

    @admin.display(description=_("running"), boolean=True)
    def runs(self, league: League) -> bool:
        return league.running

    @admin.display(description=_("games"), ordering="games_played")
    def number_of_games(self, league: ListedLeague) -> int:
        return league.games_played


@admin.register(StandingRules)
class StandingRulesAdmin(LedgerAdmin):
    list_display = ("league", "number", "effective_from", "made_at", "made_by")
    list_filter = ("league",)
    list_select_related = ("league", "made_by")
