"""Ratings across leagues, ratings after each game, and chances."""

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import ClubTally, League, Player, Rating
from scoring.models.permissions import Permission, User, check_permission
from scoring.queries.chances import seating_chances
from scoring.queries.ratings import club_table, leagues_rated_in, rated_games, rating_rows

from ..fields import NO_SUCH_LEAGUE
from ..leagues.serializers import AsOfSerializer
from ..views import CallViewSet, HasPermission
from .serializers import (
    ClubRowSerializer,
    RatedGameSerializer,
    SeatingSerializer,
    WhichRatingsSerializer,
    WhoSitsSerializer,
)


class RatingViewSet(CallViewSet):
    """The ratings across leagues, in a club that wishes them, and what follows from ratings. For members."""

    queryset = ClubTally.objects.all()
    serializer_class = ClubRowSerializer
    permission_classes = (IsAuthenticatedOrReadOnly, HasPermission)
    permissions = {
        "list": Permission.SEE_MEMBERS_LEAGUES,
        "chances": Permission.SEE_CHANCES,
    }

    def known_parameters(self) -> list[str]:
        known = super().known_parameters()
        return [*known, *AsOfSerializer().fields] if self.action == "list" else known

    @extend_schema(parameters=[AsOfSerializer], responses=ClubRowSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Who is how strong over all leagues: now, or at the end of a day. Empty unless the club wishes it."""
        asked = AsOfSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        as_of: date | None = asked.validated_data.get("as_of")
        rows: Any = self.paginate_queryset(club_table(as_of))
        return self.get_paginated_response(ClubRowSerializer(rows, many=True).data)

    @extend_schema(parameters=[WhoSitsSerializer], responses=SeatingSerializer, filters=False)
    @action(detail=False, pagination_class=None, parameters=WhoSitsSerializer)
    def chances(self, request: Request) -> Response:
        """The chance of each of four players to finish first in a game of a league."""
        asked = WhoSitsSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        league = _league(asked.validated_data["league"], request.user)
        players = _players(asked.validated_data["players"])
        return Response(SeatingSerializer(seating_chances(league, players)).data)


class RatingHistoryViewSet(CallViewSet):
    """The rating of a player after each game."""

    queryset = Rating.objects.all()
    serializer_class = RatedGameSerializer

    def known_parameters(self) -> list[str]:
        return [*super().known_parameters(), *WhichRatingsSerializer().fields]

    @extend_schema(
        parameters=[WhichRatingsSerializer], responses=RatedGameSerializer(many=True), filters=False
    )
    def list(self, request: Request, player: int) -> Response:
        """The newest game first: of one league, or for members across leagues."""
        rated = get_object_or_404(Player.objects.visible_to(request.user), pk=player)
        asked = WhichRatingsSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        league = self._league(rated, **asked.validated_data)
        rows: Any = self.paginate_queryset(rating_rows(rated, league))
        games = rated_games(rated, league, rows)
        return self.get_paginated_response(RatedGameSerializer(games, many=True).data)

    def _league(self, player: Player, league: str = "", across: bool = False) -> League | None:
        if across:
            check_permission(self.request.user, Permission.SEE_MEMBERS_LEAGUES)
            return None
        if league:
            return _league(league, self.request.user)
        rated_in = leagues_rated_in(player, self.request.user)
        if not rated_in:
            raise NotFound(_("This player has no rating yet."))
        return rated_in[0]


def _league(slug: str, user: User) -> League:
    """The league that a parameter names.

    :raises ValidationError: if there is none that ``user`` may see.
    """
    league = League.objects.visible_to(user).filter(slug=slug).first()
    if league is None:
        raise ValidationError({"league": ValidationError(NO_SUCH_LEAGUE, code="unknown")})
    return league


def _players(ids: str) -> list[Player]:
    """Four different players, in the order of ``ids``.

    :raises ValidationError: if one is not there, or comes twice.
    """
    wanted = [int(one) for one in ids.split(",")]
    players = Player.objects.in_bulk(wanted)
    if len(players) < len(wanted):
        message = _("Name four different players: players/ lists them.")
        raise ValidationError({"players": ValidationError(message, code="unknown")})
    return [players[one] for one in wanted]
