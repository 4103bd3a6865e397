"""The evenings of a league: what was played, closing one, opening it again."""

from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import EveningPayment, Game, League
from scoring.models.permissions import Permission, can, check_not_closed, check_permission
from scoring.models.settlement import settlement_of
from scoring.queries.evenings import evenings
from scoring.services.evenings import close_evening, reopen_evening
from scoring.services.settlements import mark_as_paid, undo_payment

from ..entered import valid
from ..entries import NoFields
from ..hands.correction_serializers import AgainSerializer
from ..idempotency import run_idempotent
from ..views import CallViewSet
from .serializers import (
    EveningPaymentSerializer,
    EveningSerializer,
    FullEveningSerializer,
    NewEveningPaymentSerializer,
    settlement_as_data,
)

DAY = OpenApiParameter(
    "day", {"type": "string", "format": "date"}, OpenApiParameter.PATH, description="The evening."
)

PAYMENT = OpenApiParameter(
    "payment", {"type": "integer"}, OpenApiParameter.PATH, description="The payment."
)


class EveningViewSet(mixins.ListModelMixin, CallViewSet):
    """The days on which games of a league began. While one is closed only organisers correct its hands."""

    queryset = Game.objects.all()
    serializer_class = EveningSerializer
    lookup_field = "day"

    def get_queryset(self) -> QuerySet[Game, Any]:
        return evenings(self._league())

    @extend_schema(parameters=[DAY], request=None, responses={200: EveningSerializer})
    @action(detail=True, methods=["post"])
    def close(self, request: Request, slug: str, day: str) -> Response:
        """Close an evening. Games that are still open end where they stand. For organisers."""
        league, when = self._league(), _day(day)

        def act(key: str) -> Any:
            body = NoFields(data=request.data)
            valid(body, lambda: check_permission(request.user, Permission.CLOSE_AN_EVENING))
            close_evening(league, when, by=request.user)
            return self._shown(league, when)

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    @extend_schema(parameters=[DAY], request=AgainSerializer, responses={200: EveningSerializer})
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, slug: str, day: str) -> Response:
        """Open a closed evening again: its players can correct hands again. For organisers."""
        league, when = self._league(), _day(day)

        def may_reopen() -> None:
            check_permission(request.user, Permission.CLOSE_AN_EVENING)
            check_not_closed(league)

        def act(key: str) -> Any:
            entered = valid(AgainSerializer(data=request.data), may_reopen)
            reopen_evening(league, when, by=request.user, **entered)
            return self._shown(league, when)

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    @extend_schema(parameters=[DAY], responses={200: FullEveningSerializer})
    def retrieve(self, request: Request, slug: str, day: str) -> Response:
        """One evening: who owes whom, and what was paid. Both are for members."""
        league, when = self._league(), _day(day)
        row = evenings(league).filter(evening=when).first()
        if row is None:
            raise Http404
        shown = None
        if can(request.user, Permission.SEE_WHO_PAYS):
            shown = settlement_as_data(settlement_of(league, when))
        return Response({**EveningSerializer(row).data, "settlement": shown})

    @extend_schema(
        parameters=[DAY],
        request=NewEveningPaymentSerializer,
        responses={201: EveningPaymentSerializer},
    )
    @action(detail=True, methods=["post"])
    def payments(self, request: Request, slug: str, day: str) -> Response:
        """Mark one of the transfers as paid. For its two people and organisers."""
        league, when = self._league(), _day(day)

        def act(key: str) -> Any:
            serializer = NewEveningPaymentSerializer(data=request.data)
            serializer.is_valid(raise_exception=True)
            payment = mark_as_paid(league, when, **serializer.validated_data, by=request.user)
            return EveningPaymentSerializer(payment).data

        return run_idempotent(request, act)

    @extend_schema(
        parameters=[DAY, PAYMENT], request=None, responses={200: EveningPaymentSerializer}
    )
    @action(
        detail=True,
        methods=["post"],
        url_path="payments/<int:payment>/not-paid",
        url_name="not-paid",
    )
    def not_paid(self, request: Request, slug: str, day: str, payment: int) -> Response:
        """Say that it was not paid. For its two people and organisers."""
        paid = EveningPayment.objects.filter(league=self._league(), day=_day(day))
        marked = get_object_or_404(paid, pk=payment)

        def act(key: str) -> Any:
            body = NoFields(data=request.data)
            valid(body, lambda: check_permission(request.user, Permission.MARK_AS_PAID, marked))
            return EveningPaymentSerializer(undo_payment(marked, by=request.user)).data

        return run_idempotent(request, act, created=status.HTTP_200_OK)

    def _league(self) -> League:
        """:raises Http404: if there is none that this person may see."""
        visible = League.objects.visible_to(self.request.user)
        return get_object_or_404(visible, slug=self.kwargs["slug"])

    def _shown(self, league: League, day: date) -> Any:
        return EveningSerializer(evenings(league).get(evening=day)).data


def _day(text: str) -> date:
    """:raises Http404: if it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Http404 from error
