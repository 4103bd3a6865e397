"""Scoring a hand for anybody."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from scoring.evaluator.rules import RuleSet as Rules
from scoring.evaluator.scorecard import score
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.problems import HandError, as_validation_error

from ..serializers.scorecards import ScorecardSerializer
from ..serializers.scores import ScoreSerializer

DEFAULT = "club"


class ScoreView(APIView):
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
            return Response(score(**asked.hand, rules=rules).as_dict())
        except HandError as error:
            raise as_validation_error(error) from error


def named_rules(name: str) -> Rules:
    """The rules that ``club`` (the newest version) or ``club:1`` stands for.

    :raises ValidationError: for a name of none, with those that exist.
    """
    slug, _colon, number = name.partition(":")
    versions = RuleSetVersion.objects.filter(ruleset__slug=slug).select_related("ruleset")
    if number:
        versions = versions.filter(number=number) if number.isdecimal() else versions.none()
    version = versions.order_by("-number").first()
    if version is None:
        existing = ", ".join(RuleSet.objects.values_list("slug", flat=True))
        message = _("There is no rule set %(name)s. Choose one of %(existing)s.")
        sentence = message % {"name": name, "existing": existing}
        raise ValidationError({"ruleset": ValidationError(sentence, code="unknown_ruleset")})
    return version.rules
