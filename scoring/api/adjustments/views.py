"""Penalties and other points that move without a hand."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Adjustment
from scoring.services.adjustments import book_at_table, book_in_league, reverse

from ..filters import AdjustmentFilters
from ..hands.correction_serializers import ReasonSerializer
from ..idempotency import run_idempotent
from ..views import CallViewSet
from .serializers import AdjustmentSerializer, NewAdjustmentSerializer


class AdjustmentViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, CallViewSet):
    """Adjustments between players. None is changed or deleted; another one reverses it."""

    queryset = Adjustment.objects.all()
    lookup_value_converter = "int"
    serializer_class = AdjustmentSerializer
    filterset_class = AdjustmentFilters

    def get_queryset(self) -> QuerySet[Adjustment]:
        visible = Adjustment.objects.visible_to(self.request.user)
        return visible.select_related("league").with_people()

    @extend_schema(request=NewAdjustmentSerializer, responses={201: AdjustmentSerializer})
    def create(self, request: Request) -> Response:
        """Book points from player to player, with a reason.

        In a game: for the table until the evening is closed, and organisers. In a league: for
        organisers. Without an Idempotency-Key, the same adjustment within a minute is the same one, and
        one in a game that somebody else has just entered, in the last five minutes, is refused.
        """

        def act(key: str) -> Any:
            serializer = NewAdjustmentSerializer(
                data=request.data, context=self.get_serializer_context()
            )
            serializer.is_valid(raise_exception=True)
            # Who sends a key of their own for each booking says by that which are two.
            return self._shown(self._post(**serializer.validated_data, once_more=bool(key)))

        return run_idempotent(request, act)

    @extend_schema(request=ReasonSerializer, responses={201: AdjustmentSerializer})
    @action(detail=True, methods=["post"])
    def reverse(self, request: Request, pk: int) -> Response:
        """Take an adjustment back: the same points, the other way round. For who may enter one there."""
        booked = self.get_object()

        def act(key: str) -> Any:
            serializer = ReasonSerializer(data=request.data)
            serializer.is_valid(raise_exception=True)
            return self._shown(reverse(booked, by=request.user, **serializer.validated_data))

        return run_idempotent(request, act)

    def _post(
        self,
        *,
        transfers: Any,
        reason: str,
        game: Any = None,
        league: Any = None,
        once_more: bool = False,
    ) -> Adjustment:
        how: dict[str, Any] = {"by": self.request.user, "reason": reason, "once_more": once_more}
        if game:
            return book_at_table(game, transfers, **how)
        return book_in_league(league, transfers, **how)

    def _shown(self, adjustment: Adjustment) -> Any:
        return AdjustmentSerializer(self.get_queryset().get(pk=adjustment.pk)).data
