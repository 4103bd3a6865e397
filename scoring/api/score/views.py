"""Scoring a hand for anybody."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from scoring.services.book_scores import score_by
from scoring.translation import card_in_words

from ..views import KnownParameters
from .scorecards import ScorecardSerializer
from .serializers import ScoreSerializer

DEFAULT = "club"


class ScoreView(KnownParameters):
    """What a hand scores. Nothing is saved. A hand that does not win gets the reason."""

    saves_nothing = True
    permission_classes = (AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "score"

    @extend_schema(request=ScoreSerializer, responses=ScorecardSerializer)
    def post(self, request: Request) -> Response:
        asked = ScoreSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        name = asked.validated_data.get("ruleset") or DEFAULT
        return Response(card_in_words(score_by(name, **asked.hand)))
