"""Games: opening one, watching it, ending it."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Game
from scoring.play.games import finish_game, open_game

from ..filters import GameFilters
from ..problems import MEDIA_TYPE
from ..serializers.games import GameSerializer, GameSummarySerializer, NewGameSerializer
from ..serializers.problems import ConflictSerializer
from ..tables import conflicts_shown
from ..writing import carry_out


class GameViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet):
    """Tables of four. Members see every game, visitors those of public leagues."""

    queryset = Game.objects.all()
    lookup_value_converter = "int"
    filterset_class = GameFilters

    def get_queryset(self) -> QuerySet[Game]:
        games = super().get_queryset().visible_to(self.request.user)
        return self.get_serializer_class().rows(games)

    def get_serializer_class(self) -> type[GameSummarySerializer]:
        return GameSummarySerializer if self.action == "list" else GameSerializer

    @extend_schema(request=NewGameSerializer, responses={201: GameSerializer})
    def create(self, request: Request) -> Response:
        """Sit down: the four players as East, South, West, North. For members."""

        def act(key: str) -> Any:
            table = NewGameSerializer(data=request.data, context=self.get_serializer_context())
            table.is_valid(raise_exception=True)
            return self._shown(open_game(**table.validated_data, by=request.user))

        return carry_out(request, act)

    @extend_schema(
        request=None,
        responses={200: GameSerializer, (409, MEDIA_TYPE): ConflictSerializer},
    )
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, pk: int) -> Response:
        """Get up: the game ends where it stands. For the four players and organisers."""
        game = self.get_object()

        def act(key: str) -> Any:
            with conflicts_shown(game):
                return self._shown(finish_game(game, by=request.user))

        return carry_out(request, act, created=status.HTTP_200_OK)

    def _shown(self, game: Game) -> Any:
        return GameSerializer(self.get_queryset().get(pk=game.pk)).data
