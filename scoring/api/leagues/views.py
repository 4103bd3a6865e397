"""Leagues and their tables."""

from datetime import date

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import League
from scoring.queries.standings import standings

from ..filters import LeagueFilters
from ..views import CallViewSet
from .serializers import AsOfSerializer, LeagueSerializer, StandingsSerializer


class LeagueViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, CallViewSet):
    """Games that are ranked together. Members see every league, visitors the public ones."""

    queryset = League.objects.all()
    serializer_class = LeagueSerializer
    filterset_class = LeagueFilters
    lookup_field = "slug"
    lookup_value_converter = "slug"

    def get_queryset(self) -> QuerySet[League]:
        leagues = League.objects.visible_to(self.request.user)
        return leagues.select_related("ruleset_version__ruleset")

    @extend_schema(parameters=[AsOfSerializer], responses=StandingsSerializer, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None, parameters=AsOfSerializer)
    def standings(self, request: Request, slug: str) -> Response:
        """The league table: now, or as it stood at the end of a day."""
        league = self.get_object()
        asked = AsOfSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        as_of: date | None = asked.validated_data.get("as_of")
        table = {"league": league.slug, "as_of": as_of, "rows": standings(league, as_of)}
        return Response(StandingsSerializer(table).data)
