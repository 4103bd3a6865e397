"""Games: who sits where, how far they are, and the end of the evening."""

from django.contrib import admin, messages
from django.contrib.admin import helpers
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.models import Game, Hand, Round, Seat
from scoring.models.game_tables import with_table
from scoring.models.permissions import Permission, can
from scoring.models.problems import Refused
from scoring.services.games import finish_game
from scoring.translation import listed

from .ledger import Detail, LedgerAdmin, LedgerInline


class SeatInline(LedgerInline):
    model = Seat
    fields = ("place", "player")
    show_change_link = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("player")


class HandInline(LedgerInline):
    model = Hand
    fields = ("number", "version", "status", "outcome", "winner", "discarder", "final", "checked")
    ordering = ("number", "version")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Hand]:
        named = ("game__league", "winner", "discarder")
        hands = super().get_queryset(request).select_related(*named)
        return hands.defer("tiles", "melds", "card")


@admin.register(Game)
class GameAdmin(LedgerAdmin):
    """Games begin and are played on the site. Here they can be ended, many at once."""

    list_display = ("started_at", "league", "players", "stands", "finished_at")
    list_display_links = ("started_at", "players")
    list_filter = (
        "evening",
        ("finished_at", admin.EmptyFieldListFilter),
        "league",
        "ruleset_version__ruleset",
    )
    search_fields = ("seats__player__name", "league__name", "league__slug")
    search_help_text = gettext_lazy("A player or a league")
    inlines = (SeatInline, HandInline)
    fieldsets = (
        (None, {"fields": ("league", "ruleset_version")}),
        (gettext_lazy("When"), {"fields": ("started_at", "started_by", "finished_at")}),
        (gettext_lazy("Where it stands"), {"fields": ("stands", "dealer")}),
    )
    actions = ("finish",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return with_table(super().get_queryset(request)).select_related("started_by")

    def has_finish_permission(self, request: HttpRequest) -> bool:
        return can(request.user, Permission.FINISH_A_GAME)

    @admin.display(description=gettext_lazy("players"))
    def players(self, game: Game) -> str:
        return listed(player.name for player in game.players)

    @admin.display(description=gettext_lazy("round and hand"))
    def stands(self, game: Game) -> str:
        message = _("%(round)s round, hand %(number)s")
        return message % {"round": game.get_round_display(), "number": game.next_number}

    @admin.display(description=gettext_lazy("dealer"))
    def dealer(self, game: Game) -> str:
        return next(
            (seat.player.name for seat in game.table if seat.place == game.dealer_place), ""
        )

    @admin.action(
        description=gettext_lazy("End the games where they stand"), permissions=["finish"]
    )
    def finish(self, request: HttpRequest, games: QuerySet[Game]) -> HttpResponse | None:
        """Asks first: the players are rated, and no further hand can be logged."""
        if "sure" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": _("End these games?"),
                "opts": self.opts,
                "games": games,
                "selected": helpers.ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/scoring/game/finish.html", context)
        done = sum(self._finished(request, game) for game in games)
        message = ngettext("%(n)s game ended.", "%(n)s games ended.", done)
        self.message_user(
            request, message % {"n": done}, messages.SUCCESS if done else messages.INFO
        )
        return None

    def _finished(self, request: HttpRequest, game: Game) -> bool:
        try:
            finish_game(game, by=request.user)
        except Refused as refusal:
            self.message_user(request, f"{game}: {refusal}", messages.WARNING)
            return False
        self.log_change(request, game, [{"changed": {"fields": ["finished_at"]}}])
        return True


@admin.register(Seat)
class SeatAdmin(Detail, LedgerAdmin):
    list_display = ("game", "place", "player")
    list_filter = (
        "game__evening",
        "place",
    )
    list_select_related = ("game__league", "player")
    search_fields = ("player__name",)


@admin.register(Round)
class RoundAdmin(Detail, LedgerAdmin):
    list_display = ("game", "wind", "started_at")
    list_filter = (
        "game__evening",
        "wind",
    )
    list_select_related = ("game__league",)
    search_fields = ("game__seats__player__name",)
