"""Games: opening one, watching it, ending it."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Game
from scoring.models.permissions import Permission, User, check_permission
from scoring.services.games import finish_game, open_game, reopen_game, require_reopenable
from scoring.services.seats import change_seats, preview_seats
from scoring.services.withdrawals import (
    require_restorable,
    require_withdrawable,
    restore_game,
    withdraw_game,
)

from ..entered import valid
from ..entries import NoFields
from ..filters import GameFilters
from ..hands.correction_serializers import AgainSerializer, ReasonSerializer
from ..idempotency import run_idempotent
from ..problem_serializers import ConflictSerializer
from ..problems import MEDIA_TYPE
from ..views import CallViewSet
from .serializers import (
    ChangedSerializer,
    GameSerializer,
    GameSummarySerializer,
    NewGameSerializer,
    SeatsSerializer,
)
from .table import conflicts_shown

CONFLICT = {(409, MEDIA_TYPE): ConflictSerializer}


class GameViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, CallViewSet):
    """Tables of four. Members see every game, visitors those of public leagues."""

    queryset = Game.objects.all()
    lookup_value_converter = "int"
    filterset_class = GameFilters

    def get_queryset(self) -> QuerySet[Game]:
        games = Game.objects.visible_to(self.request.user)
        if self.action == "list" and "withdrawn" not in self.request.query_params:
            games = games.played()
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

        return run_idempotent(request, act)

    @extend_schema(
        request=None,
        responses={200: GameSerializer, (409, MEDIA_TYPE): ConflictSerializer},
    )
    @action(detail=True, methods=["post"])
    def finish(self, request: Request, pk: int) -> Response:
        """Get up: the game ends where it stands. For the four players and organisers."""
        game = self.get_object()

        def act(key: str) -> Any:
            body = NoFields(data=request.data)
            valid(body, lambda: check_permission(request.user, Permission.FINISH_A_GAME, game))
            with conflicts_shown(game):
                return self._shown(finish_game(game, by=request.user))

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    @extend_schema(request=AgainSerializer, responses={200: GameSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, pk: int) -> Response:
        """Open a game again that was ended early. For the table until the evening is closed."""
        return self._for_a_reason(request, require_reopenable, reopen_game, AgainSerializer)

    @extend_schema(
        request=ReasonSerializer,
        responses={200: GameSerializer, **CONFLICT},
    )
    @action(detail=True, methods=["post"])
    def withdraw(self, request: Request, pk: int) -> Response:
        """Take a game that was opened by mistake out of everything that counts.

        It can be restored. For the table until the evening is closed, for organisers always.
        """
        return self._for_a_reason(request, require_withdrawable, withdraw_game)

    @extend_schema(request=AgainSerializer, responses={200: GameSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: int) -> Response:
        """Let a withdrawn game count again. For the table until the evening is closed."""
        return self._for_a_reason(request, require_restorable, restore_game, AgainSerializer)

    @extend_schema(request=SeatsSerializer, responses={200: ChangedSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def seats(self, request: Request, pk: int) -> Response:
        """Swap seats or replace players; each hand is scored again. `preview` saves nothing.

        For the table until the evening is closed, for organisers always.
        """
        game = self.get_object()
        serializer = SeatsSerializer(data=request.data, context=self.get_serializer_context())
        entered = valid(
            serializer, lambda: check_permission(request.user, Permission.CHANGE_A_GAME, game)
        )
        seats = {
            "players": entered["players"],
            "expected_seats": entered.get("expected_seats", ()),
        }
        if entered["preview"]:
            with conflicts_shown(game):
                plan = preview_seats(game, **seats, by=request.user)
            return Response(ChangedSerializer(plan).data)

        def act(key: str) -> Any:
            with conflicts_shown(game):
                plan = change_seats(
                    game,
                    **seats,
                    by=request.user,
                    reason=entered["reason"],
                    anyway=entered["anyway"],
                )
            return ChangedSerializer(plan).data

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    def _for_a_reason(
        self,
        request: Request,
        require: Callable[[Game, User], object],
        act: Callable[..., Game],
        serializer: type[ReasonSerializer] = ReasonSerializer,
    ) -> Response:
        game = self.get_object()

        def write(key: str) -> Any:
            with conflicts_shown(game):
                entered = valid(serializer(data=request.data), lambda: require(game, request.user))
                return self._shown(act(game, by=request.user, **entered))

        return run_idempotent(request, write, created=status.HTTP_200_OK)

    def _shown(self, game: Game) -> Any:
        return GameSerializer(self.get_queryset().get(pk=game.pk)).data
