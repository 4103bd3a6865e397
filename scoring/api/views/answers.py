"""What the others at the table say about a hand, and how a dispute is settled."""

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Game, Hand, Player
from scoring.play.confirm import confirm_hand, dispute_hand, settle_hand

from ..problems import MEDIA_TYPE
from ..serializers.corrections import AnswerSerializer, ReasonSerializer
from ..serializers.hands import HandSerializer
from ..serializers.histories import AnsweredHandSerializer
from ..serializers.problems import ConflictSerializer
from ..tables import conflicts_shown
from ..writing import carry_out

ANSWERED = {200: AnsweredHandSerializer, (409, MEDIA_TYPE): ConflictSerializer}


class AnswerViewSet(viewsets.GenericViewSet):
    """A disputed hand keeps its place; its points count when it is settled."""

    queryset = Hand.objects.all()
    lookup_value_converter = "int"
    serializer_class = AnsweredHandSerializer

    @extend_schema(request=AnswerSerializer, responses=ANSWERED)
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, pk: int) -> Response:
        """Say that a hand is right; that also takes a dispute back. For the others at its table.

        ``player`` says whose answer it is, where the scorer's phone is passed round.
        """
        return self._answer(
            pk,
            AnswerSerializer,
            lambda game, hand, said: confirm_hand(
                hand, by=request.user, player=_player(game, said.get("player"))
            ),
        )

    @extend_schema(request=AnswerSerializer, responses=ANSWERED)
    @action(detail=True, methods=["post"])
    def dispute(self, request: Request, pk: int) -> Response:
        """Say that a hand is wrong: its points count when it is settled. For the others at its table.

        ``player`` says whose answer it is, where the scorer's phone is passed round.
        """
        return self._answer(
            pk,
            AnswerSerializer,
            lambda game, hand, said: dispute_hand(
                hand,
                by=request.user,
                player=_player(game, said.get("player")),
                reason=said.get("reason", ""),
            ),
        )

    @extend_schema(request=ReasonSerializer, responses=ANSWERED)
    @action(detail=True, methods=["post"])
    def settle(self, request: Request, pk: int) -> Response:
        """Let a disputed hand stand as it was logged: its points count. For organisers."""
        return self._answer(
            pk,
            ReasonSerializer,
            lambda game, hand, said: settle_hand(hand, by=request.user, reason=said["reason"]),
        )

    def _answer(
        self,
        pk: int,
        shape: type[serializers.Serializer],
        act: Callable[[Game, Hand, dict[str, Any]], Hand],
    ) -> Response:
        hand = get_object_or_404(Hand.objects.visible_to(self.request.user), pk=pk)
        game = Game.objects.with_table().get(pk=hand.game_id)

        def answer(key: str) -> Any:
            said = shape(data=self.request.data)
            said.is_valid(raise_exception=True)
            with conflicts_shown(game):
                act(game, hand, said.validated_data)
            shown = HandSerializer.rows(Hand.objects.all()).get(pk=pk)
            shown.game = game
            return AnsweredHandSerializer(shown).data

        return carry_out(self.request, answer, created=status.HTTP_200_OK)


def _player(game: Game, pk: int | None) -> Player | None:
    """:raises ValidationError: for somebody who does not sit at the table."""
    if pk is None:
        return None
    found = next((player for player in game.players if player.pk == pk), None)
    if found is None:
        names = ", ".join(player.name for player in game.players)
        message = _("This player does not sit at the table. Choose one of {names}.")
        raise serializers.ValidationError(
            {"player": [message.format(names=names)]}, code="not_at_the_table"
        )
    return found
