"""Scoring a hand for anybody."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from scoring.evaluator.scorecard import score
from scoring.models.problems import HandError, as_validation_error
from scoring.services.rulesets import named_rules
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
        rules = named_rules(asked.validated_data.get("ruleset") or DEFAULT)
        try:
            card = score(**asked.hand, rules=rules).as_dict()
        except HandError as error:
            raise as_validation_error(error) from error
        return Response(card_in_words(card))
