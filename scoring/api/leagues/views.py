"""Leagues and their tables."""

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import League, StandingRules
from scoring.models.permissions import Permission
from scoring.queries.awards import awards_of
from scoring.queries.head_to_head import head_to_head
from scoring.queries.seasons import final_season, seasons_of
from scoring.queries.standing_preview import preview_standings
from scoring.queries.standings import StandingsTable, standings_tables, version_in_force
from scoring.services.leagues import add_league, change_league
from scoring.services.rulesets import usual_version
from scoring.translation import listed

from ..filters import LeagueFilters
from ..idempotency import run_idempotent
from ..views import CallViewSet, HasPermission
from .serializers import (
    ComparisonSerializer,
    FinalSerializer,
    LeagueEntrySerializer,
    LeagueSerializer,
    NewLeagueSerializer,
    NewRulesSerializer,
    SeasonsSerializer,
    StandingsSerializer,
    WhichTableSerializer,
    WholeLeagueSerializer,
)
from .story_serializers import AwardsSerializer, HeadToHeadSerializer


class LeagueViewSet(mixins.ListModelMixin, CallViewSet):
    """Games that are ranked together. Members see every league, visitors the public ones."""

    permission_classes = (IsAuthenticatedOrReadOnly, HasPermission)
    permissions = dict.fromkeys(("create", "partial_update", "preview"), Permission.RUN_LEAGUES)

    queryset = League.objects.all()
    serializer_class = LeagueSerializer
    filterset_class = LeagueFilters
    lookup_field = "slug"
    lookup_value_converter = "slug"

    def get_queryset(self) -> QuerySet[League]:
        leagues = League.objects.visible_to(self.request.user)
        return leagues.select_related("ruleset_version__ruleset")

    @extend_schema(request=NewLeagueSerializer, responses={201: WholeLeagueSerializer})
    def create(self, request: Request) -> Response:
        """Start a league; by the club's usual rules unless it names others. For organisers."""

        def act(key: str) -> Any:
            settings = self._entered(NewLeagueSerializer)
            settings.setdefault("ruleset_version", usual_version())
            return self._shown(add_league(by=request.user, **settings))

        return run_idempotent(request, act)

    @extend_schema(request=LeagueEntrySerializer, responses={200: WholeLeagueSerializer})
    def partial_update(self, request: Request, slug: str) -> Response:
        """Change a league. Games that have begun keep their rules. For organisers."""
        league = self.get_object()

        def act(key: str) -> Any:
            settings = self._entered(LeagueEntrySerializer, partial=True)
            return self._shown(change_league(league, by=request.user, **settings))

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    def _entered(self, entry: type[LeagueEntrySerializer], **options: Any) -> dict[str, Any]:
        """:raises ValidationError: with what is wrong, by field."""
        asked = entry(data=self.request.data, context={"request": self.request}, **options)
        asked.is_valid(raise_exception=True)
        settings: dict[str, Any] = asked.validated_data
        return settings

    @extend_schema(responses=WholeLeagueSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """One of them, with its standing rules."""
        return Response(self._shown(self.get_object()))

    def _shown(self, league: League) -> Any:
        context = {**self.get_serializer_context(), "standing_rules": version_in_force(league)}
        return WholeLeagueSerializer(league, context=context).data

    @extend_schema(parameters=[WhichTableSerializer], responses=StandingsSerializer, filters=False)
    @action(
        detail=True, pagination_class=None, filterset_class=None, parameters=WhichTableSerializer
    )
    def standings(self, request: Request, slug: str) -> Response:
        """A table of the league: now, or as it stood at the end of a day."""
        league = self.get_object()
        asked = WhichTableSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        as_of: date | None = asked.validated_data.get("as_of")
        tables = standings_tables(league, as_of)
        shown = _named(tables, asked.validated_data.get("table"))
        table = {
            "league": league.slug,
            "as_of": as_of,
            "table": shown.name,
            "tables": [one.name for one in tables if one.name],
            "rows": shown.rows,
            "teams": shown.teams,
            "inactive": shown.inactive,
        }
        return Response(StandingsSerializer(table).data)

    @extend_schema(responses=SeasonsSerializer, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def seasons(self, request: Request, slug: str) -> Response:
        """The seasons of its series, the newest first, and the champions of all of them."""
        return Response(SeasonsSerializer(seasons_of(self.get_object(), request.user)).data)

    @extend_schema(responses=FinalSerializer, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def final(self, request: Request, slug: str) -> Response:
        """The final tables, as they were stored when the season was closed; 404 before."""
        final = final_season(self.get_object())
        if final is None:
            raise NotFound(_("This season is not closed."))
        return Response(FinalSerializer(final).data)

    @extend_schema(responses=AwardsSerializer, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def awards(self, request: Request, slug: str) -> Response:
        """Records and awards, and who holds them. Those that nobody holds are left out."""
        league = self.get_object()
        answer = {"league": league.slug, "awards": awards_of(league)}
        return Response(AwardsSerializer(answer).data)

    @extend_schema(responses=HeadToHeadSerializer, filters=False)
    @action(detail=True, url_path="head-to-head", pagination_class=None, filterset_class=None)
    def head_to_head(self, request: Request, slug: str) -> Response:
        """Who got how much from whom, over all hands that count; adjustments are left out."""
        league = self.get_object()
        answer = {"league": league.slug, "rows": head_to_head(league)}
        return Response(HeadToHeadSerializer(answer).data)

    @extend_schema(request=NewRulesSerializer, responses=ComparisonSerializer, filters=False)
    @action(
        detail=True,
        methods=["post"],
        url_path="standings/preview",
        pagination_class=None,
        filterset_class=None,
    )
    def preview(self, request: Request, slug: str) -> Response:
        """Tables by standing rules that are not stored, beside the present ones. Changes nothing."""
        league = self.get_object()
        asked = NewRulesSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        as_of: date | None = asked.validated_data.get("as_of")
        tried = StandingRules(league=league, number=1, tables=asked.validated_data["tables"])
        tried.clean()
        tables = preview_standings(league, tried.rules, as_of)
        answer = {"league": league.slug, "as_of": as_of, "tables": tables}
        return Response(ComparisonSerializer(answer).data)


def _named(tables: list[StandingsTable], name: str | None) -> StandingsTable:
    """:raises ValidationError: if none of ``tables`` has that name."""
    if name is None:
        return tables[0]
    of_that_name = [table for table in tables if table.name.casefold() == name.casefold()]
    if not of_that_name:
        message = _("There is no such table. Choose one of: %(names)s.")
        names = listed(table.name for table in tables if table.name)
        error = ValidationError(message % {"names": names}, code="unknown")
        raise ValidationError({"table": error})
    return of_that_name[0]
