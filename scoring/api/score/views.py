"""Scoring a hand for anybody."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from scoring.services.book_advice import advice_by
from scoring.services.book_scores import score_by
from scoring.translation import card_in_words

from ..views import KnownParameters
from .scorecards import ScorecardSerializer
from .serializers import AdviceSerializer, ScoreSerializer

DEFAULT = "club"


class HandView(KnownParameters):
    """What anybody may ask about a hand. Nothing is saved."""

    saves_nothing = True
    permission_classes = (AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "score"


class ScoreView(HandView):
    """What a hand scores. Nothing is saved. A hand that does not win gets the reason."""

    @extend_schema(request=ScoreSerializer, responses=ScorecardSerializer)
    def post(self, request: Request) -> Response:
        asked = ScoreSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        name = asked.validated_data.get("ruleset") or DEFAULT
        return Response(card_in_words(score_by(name, **asked.hand)))


class AdviceView(HandView):
    """What a hand that lacks a tile waits for; of a whole one that does not win, which exchanges help.

    Books whose tiles do not say it, those that read a card, are refused.
    """

    @extend_schema(request=ScoreSerializer, responses=AdviceSerializer)
    def post(self, request: Request) -> Response:
        asked = ScoreSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(advice_by(asked.validated_data.get("ruleset") or DEFAULT, **asked.hand))
