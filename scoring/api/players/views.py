"""Players and what they have gathered; organisers add them and change their names."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import League, Player, Tally
from scoring.models.permissions import Permission
from scoring.queries.head_to_head import against
from scoring.services.people import add_player, change_player

from ..filters import PlayerFilters
from ..idempotency import run_idempotent
from ..leagues.story_serializers import AgainstAllSerializer
from ..views import CallViewSet, HasPermission
from .serializers import PlayerEntrySerializer, PlayerSerializer


class PlayerViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, CallViewSet):
    """The people at the tables. Members see everybody, visitors who plays in a public league."""

    queryset = Player.objects.all()
    lookup_value_converter = "int"
    serializer_class = PlayerSerializer
    permission_classes = (IsAuthenticatedOrReadOnly, HasPermission)
    permissions = {"create": Permission.ADD_A_PLAYER, "partial_update": Permission.CHANGE_A_PLAYER}
    filterset_class = PlayerFilters

    def get_queryset(self) -> QuerySet[Player]:
        user = self.request.user
        tallies = (
            Tally.objects.filter(league__in=League.objects.visible_to(user))
            .select_related("league")
            .order_by("-league__starts_on", "league")
        )
        # Who may change players finds each: a token may organise without reading.
        changes = self.action in self.permissions
        players = Player.objects.all() if changes else Player.objects.visible_to(user)
        return players.prefetch_related(Prefetch("tallies", tallies))

    @extend_schema(request=PlayerEntrySerializer, responses={201: PlayerSerializer})
    def create(self, request: Request) -> Response:
        """Add a player. For organisers."""

        def act(key: str) -> Any:
            entry = PlayerEntrySerializer(data=request.data)
            entry.is_valid(raise_exception=True)
            return self._shown(add_player(by=request.user, **entry.validated_data))

        return run_idempotent(request, act)

    @extend_schema(request=PlayerEntrySerializer, responses={200: PlayerSerializer})
    def partial_update(self, request: Request, pk: int) -> Response:
        """Change a name, or whether the player is offered a seat. For organisers."""
        player = self.get_object()

        def act(key: str) -> Any:
            entry = PlayerEntrySerializer(data=request.data, partial=True)
            entry.is_valid(raise_exception=True)
            return self._shown(change_player(player, by=request.user, **entry.validated_data))

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    @extend_schema(responses=AgainstAllSerializer, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def against(self, request: Request, pk: int) -> Response:
        """What a player has won from each other one, in the leagues that the caller may see."""
        player = self.get_object()
        return Response(AgainstAllSerializer(against(player, request.user)).data)

    def _shown(self, player: Player) -> Any:
        return PlayerSerializer(self.get_queryset().get(pk=player.pk)).data
