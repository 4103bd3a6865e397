"""Hands: logging one, reading one, and what became of it."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Game, Hand
from scoring.models.game_tables import with_table
from scoring.models.permissions import Permission, check_permission
from scoring.queries.histories import history_of
from scoring.services.hands.record import record_hand
from scoring.services.idempotency import StoredResponse

from ..entered import valid
from ..filters import HandFilters
from ..games.table import conflicts_shown
from ..idempotency import run_idempotent
from ..problem_serializers import ConflictSerializer
from ..problems import MEDIA_TYPE
from ..views import CallViewSet, HasPermission
from .history_serializers import HistorySerializer
from .serializers import HandEntrySerializer, HandSerializer, LoggedHandSerializer


class GameHandViewSet(mixins.ListModelMixin, CallViewSet):
    """The hands that stand in one game, in the order they were played."""

    queryset = Hand.objects.current()
    serializer_class = HandSerializer
    filterset_class = HandFilters

    def get_queryset(self) -> QuerySet[Hand]:
        game = get_object_or_404(self._games(), pk=self.kwargs["game"])
        hands = super().get_queryset().filter(game=game)
        return HandSerializer.rows(hands).order_by("number")

    @extend_schema(
        request=HandEntrySerializer,
        responses={201: LoggedHandSerializer, (409, MEDIA_TYPE): ConflictSerializer},
    )
    def create(self, request: Request, game: int) -> Response:
        """Log the next hand: it is scored and paid, and the deal moves on.

        For the four players and organisers. A hand that does not win is refused. The same
        `Idempotency-Key` again gets the same answer for a week: `GET hands/{id}/` says what became of the
        hand since.
        """
        table = get_object_or_404(with_table(self._games()), pk=game)

        def act(key: str) -> Any:
            serializer = HandEntrySerializer(data=request.data)
            valid(serializer, lambda: check_permission(request.user, Permission.LOG_A_HAND, table))
            with conflicts_shown(table):
                recorded = record_hand(table, serializer.entry, by=request.user, key=key)
            shown = LoggedHandSerializer(recorded.hand, context={"state": recorded.state}).data
            # The key is kept for a week, the hand for good: it knows its key, however late.
            return StoredResponse(200, shown, replayed=True) if recorded.repeated else shown

        return run_idempotent(request, act)

    def _games(self) -> QuerySet[Game]:
        return Game.objects.visible_to(self.request.user)


class HandViewSet(mixins.RetrieveModelMixin, CallViewSet):
    """One hand, with its scorecard and payments."""

    queryset = Hand.objects.all()
    lookup_value_converter = "int"
    serializer_class = HandSerializer
    permissions = {"history": Permission.READ_HISTORY}

    def get_queryset(self) -> QuerySet[Hand]:
        return HandSerializer.rows(Hand.objects.visible_to(self.request.user))

    @extend_schema(responses=HistorySerializer)
    @action(detail=True, permission_classes=[HasPermission])
    def history(self, request: Request, pk: int) -> Response:
        """All that happened at this hand's position: who, when, before, after, why. For members."""
        history = history_of(self.get_object(), HandSerializer.rows(Hand.objects.all()))
        return Response(HistorySerializer(history).data)
