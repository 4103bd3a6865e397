"""Calls that confirm and dispute a hand, and settle a dispute."""

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Game, Hand, Player
from scoring.models.game_tables import with_table
from scoring.models.permissions import Permission, check_permission
from scoring.models.refusals import NOT_AT_THE_TABLE
from scoring.services.confirmations import confirm_hand, dispute_hand, settle_hand
from scoring.services.pins import Proof, prove
from scoring.translation import listed

from ..entered import valid
from ..games.table import conflicts_shown
from ..idempotency import run_idempotent
from ..problem_serializers import ConflictSerializer, ProblemSerializer
from ..problems import MEDIA_TYPE
from ..views import CallViewSet
from .correction_serializers import AnswerSerializer, DisputeSerializer, ReasonSerializer
from .history_serializers import AnsweredHandSerializer
from .serializers import HandSerializer

Data = dict[str, Any]
ANSWERED = {200: AnsweredHandSerializer, (409, MEDIA_TYPE): ConflictSerializer}

BY_PIN = {**ANSWERED, (429, MEDIA_TYPE): ProblemSerializer}


class ConfirmationViewSet(CallViewSet):
    """A disputed hand keeps its place; its points count when it is settled."""

    queryset = Hand.objects.all()
    lookup_value_converter = "int"
    serializer_class = AnsweredHandSerializer

    @extend_schema(request=AnswerSerializer, responses=BY_PIN)
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, pk: int) -> Response:
        """Say that a hand is right; that also takes a dispute back. For the others at its table.

        ``player`` says whose answer it is, where a phone is passed round. For somebody who has an
        account, another account answers with their ``pin`` only.
        """

        def act(game: Game, hand: Hand, data: Data, proof: Proof | None) -> Hand:
            player = _player(game, data.get("player"))
            return confirm_hand(hand, by=request.user, player=player, proof=proof)

        return self._answer(pk, AnswerSerializer, act)

    @extend_schema(request=DisputeSerializer, responses=BY_PIN)
    @action(detail=True, methods=["post"])
    def dispute(self, request: Request, pk: int) -> Response:
        """Say that a hand is wrong: its points count when it is settled. For the others at its table.

        ``about`` and ``reason`` say what is wrong; ``player`` and ``pin`` are as for confirming.
        """

        def act(game: Game, hand: Hand, data: Data, proof: Proof | None) -> Hand:
            return dispute_hand(
                hand,
                by=request.user,
                player=_player(game, data.get("player")),
                proof=proof,
                about=data.get("about", ""),
                reason=data.get("reason", ""),
            )

        return self._answer(pk, DisputeSerializer, act)

    @extend_schema(request=ReasonSerializer, responses=ANSWERED)
    @action(detail=True, methods=["post"])
    def settle(self, request: Request, pk: int) -> Response:
        """Let a disputed hand stand as it was logged: its points count. For organisers."""

        def act(_game: Game, hand: Hand, data: Data, _proof: Proof | None) -> Hand:
            return settle_hand(hand, by=request.user, reason=data["reason"])

        return self._answer(pk, ReasonSerializer, act, Permission.SETTLE_A_DISPUTE)

    def _answer(
        self,
        pk: int,
        shape: type[serializers.Serializer],
        act: Callable[[Game, Hand, Data, Proof | None], Hand],
        permission: Permission = Permission.ANSWER_A_HAND,
    ) -> Response:
        hand = get_object_or_404(Hand.objects.visible_to(self.request.user), pk=pk)
        game = with_table(Game.objects).get(pk=hand.game_id)
        # Before the transaction of the answer: a wrong PIN counts though it is refused.
        proof = self._proof(game, shape) if "pin" in shape().fields else None

        def answer(key: str) -> Any:
            entered = valid(
                shape(data=self.request.data),
                lambda: check_permission(self.request.user, permission, game),
            )
            with conflicts_shown(game):
                act(game, hand, entered, proof)
            shown = HandSerializer.rows(Hand.objects.all()).get(pk=pk)
            shown.game = game
            return AnsweredHandSerializer(shown).data

        return run_idempotent(self.request, answer, created=status.HTTP_200_OK)

    def _proof(self, game: Game, shape: type[serializers.Serializer]) -> Proof | None:
        """:raises PermissionDenied: for a PIN that is wrong. What else is wrong is said by the answer."""
        serializer = shape(data=self.request.data)
        if not serializer.is_valid():
            return None
        player = _player(game, serializer.validated_data.get("player"))
        pin = serializer.validated_data.get("pin", "")
        return prove(player, pin, game=game, by=self.request.user)


def _player(game: Game, pk: int | None) -> Player | None:
    """:raises ValidationError: for somebody who does not sit at the table."""
    if pk is None:
        return None
    player_at_table = next((player for player in game.players if player.pk == pk), None)
    if player_at_table is None:
        names = listed(player.name for player in game.players)
        raise serializers.ValidationError(
            {"player": [NOT_AT_THE_TABLE.format(names=names)]}, code="not_at_the_table"
        )
    return player_at_table
