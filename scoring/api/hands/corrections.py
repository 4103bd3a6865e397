"""Changing hands that were played: correcting one, declaring it void, undoing the last, restoring one."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Game, Hand
from scoring.models.game_tables import with_table
from scoring.models.permissions import User
from scoring.services.errors import Conflict
from scoring.services.hands.correct import (
    Revised,
    changeable,
    correct_hand,
    preview_correction,
    preview_void,
    undo_hand,
    void_hand,
)
from scoring.services.hands.replay import Replay
from scoring.services.hands.restore import preview_restore, restorable, restore_hand

from ..entered import valid
from ..entries import NoFields
from ..games.table import conflicts_shown
from ..idempotency import run_idempotent
from ..problem_serializers import ConflictSerializer
from ..problems import MEDIA_TYPE
from ..views import CallViewSet
from .correction_serializers import (
    CorrectionSerializer,
    EntryAgainSerializer,
    PreviewSerializer,
    ReasonOfPreviewSerializer,
    ReasonSerializer,
    RevisedHandSerializer,
)

# Refuses who may not change a hand of a game, or a version that can no longer be changed.
Require = Callable[[Game, Hand, User], object]

CONFLICT = {(409, MEDIA_TYPE): ConflictSerializer}


class CorrectionViewSet(CallViewSet):
    """What was logged stays; a new version takes its place, and the hands after it follow."""

    queryset = Hand.objects.all()
    lookup_value_converter = "int"
    serializer_class = RevisedHandSerializer
    saves_nothing = False

    @extend_schema(request=CorrectionSerializer, responses={200: RevisedHandSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def correct(self, request: Request, pk: int) -> Response:
        """Correct a hand: winds, deal and scores of later hands follow, and all that was paid.

        For the table until the evening is closed, for organisers always. A later hand that could
        not have been played then is named, and nothing is changed. A dispute about what the correction
        leaves as it was stays.
        """

        def act(hand: Hand, key: str) -> Revised:
            serializer = CorrectionSerializer(data=request.data)
            reason = valid(serializer, lambda: _require(changeable, hand, request))["reason"]
            entry = serializer.entry_for(hand)
            return correct_hand(hand, entry, by=request.user, reason=reason, key=key)

        return self._revise(request, pk, act)

    @extend_schema(request=EntryAgainSerializer, responses={200: PreviewSerializer, **CONFLICT})
    @action(detail=True, methods=["post"], url_path="correct/preview", saves_nothing=True)
    def correct_preview(self, request: Request, pk: int) -> Response:
        """What correcting a hand would change, hand by hand. Nothing is saved."""
        hand, game = self._hand(pk)
        serializer = EntryAgainSerializer(data=request.data)
        valid(serializer, lambda: _require(changeable, hand, request))
        with conflicts_shown(game):
            preview = preview_correction(hand, serializer.entry_for(hand), by=request.user)
        return Response(PreviewSerializer(preview).data)

    @extend_schema(request=ReasonSerializer, responses={200: RevisedHandSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def void(self, request: Request, pk: int) -> Response:
        """Declare a hand void: nobody pays, and the deal goes on as if it had not been played.

        For the table until the evening is closed, for organisers always.
        """
        return self._revise_for_a_reason(request, pk, changeable, void_hand)

    @extend_schema(
        request=ReasonOfPreviewSerializer, responses={200: PreviewSerializer, **CONFLICT}
    )
    @action(detail=True, methods=["post"], url_path="void/preview", saves_nothing=True)
    def void_preview(self, request: Request, pk: int) -> Response:
        """What declaring a hand void would change, hand by hand. Nothing is saved."""
        return self._preview(request, pk, changeable, preview_void)

    @extend_schema(request=ReasonSerializer, responses={200: RevisedHandSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: int) -> Response:
        """Restore a hand that was declared void or undone: it stands at its number again, as it was.

        For the table until the evening is closed, for organisers always. Winds, deal and scores of later
        hands follow; what was disputed is disputed again. `id` is that of a void version. Refused with
        `place_taken` where another hand has its number or was logged since at an earlier one, with
        `logged_again` where the same hand stands under another number.
        """
        return self._revise_for_a_reason(request, pk, restorable, restore_hand)

    @extend_schema(
        request=ReasonOfPreviewSerializer, responses={200: PreviewSerializer, **CONFLICT}
    )
    @action(detail=True, methods=["post"], url_path="restore/preview", saves_nothing=True)
    def restore_preview(self, request: Request, pk: int) -> Response:
        """What restoring a void hand would change, hand by hand. Nothing is saved."""
        return self._preview(request, pk, restorable, preview_restore)

    @extend_schema(request=None, responses={200: RevisedHandSerializer, **CONFLICT})
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: int) -> Response:
        """Take back the hand just logged. For who logged it, for 60 seconds."""

        def act(hand: Hand, key: str) -> Revised:
            valid(NoFields(data=request.data), lambda: _require(changeable, hand, request))
            return undo_hand(hand, by=request.user)

        return self._revise(request, pk, act)

    def _revise(self, request: Request, pk: int, act: Callable[[Hand, str], Revised]) -> Response:
        hand, game = self._hand(pk)

        def revise(key: str) -> Any:
            with conflicts_shown(game):
                revised = act(hand, key)
            return RevisedHandSerializer.shown(revised, game)

        return run_idempotent(request, revise, created=status.HTTP_200_OK)

    def _revise_for_a_reason(
        self, request: Request, pk: int, require: Require, change: Callable[..., Revised]
    ) -> Response:
        def act(hand: Hand, key: str) -> Revised:
            serializer = ReasonSerializer(data=request.data)
            entered = valid(serializer, lambda: _require(require, hand, request))
            return change(hand, by=request.user, **entered)

        return self._revise(request, pk, act)

    def _preview(
        self, request: Request, pk: int, require: Require, preview: Callable[..., Replay]
    ) -> Response:
        hand, game = self._hand(pk)
        serializer = ReasonOfPreviewSerializer(data=request.data)
        valid(serializer, lambda: _require(require, hand, request))
        with conflicts_shown(game):
            replay = preview(hand, by=request.user)
        return Response(PreviewSerializer(replay).data)

    def _hand(self, pk: int) -> tuple[Hand, Game]:
        """The hand and its table.

        :raises Http404: if there is none that this person may see.
        """
        hand = get_object_or_404(Hand.objects.visible_to(self.request.user), pk=pk)
        return hand, with_table(Game.objects).get(pk=hand.game_id)


def _require(require: Require, hand: Hand, request: Request) -> None:
    """:raises PermissionDenied: as ``require`` does. What it says of the version comes after what was sent."""
    with suppress(Conflict):
        require(with_table(Game.objects).get(pk=hand.game_id), hand, request.user)
