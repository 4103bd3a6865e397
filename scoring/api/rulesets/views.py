"""Rule sets, their options and versions."""

from django.db.models import Prefetch, QuerySet
from rest_framework import mixins

from scoring.models import RuleSet, RuleSetVersion

from ..views import CallViewSet
from .serializers import RuleSetSerializer


class RuleSetViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, CallViewSet):
    """Ways of scoring. A version never changes: games keep the one they were begun with."""

    queryset = RuleSet.objects.all()
    serializer_class = RuleSetSerializer
    lookup_field = "slug"
    lookup_value_converter = "slug"

    def get_queryset(self) -> QuerySet[RuleSet]:
        # The rule set again, for each version: its rules carry their name.
        versions = RuleSetVersion.objects.select_related("ruleset")
        return super().get_queryset().prefetch_related(Prefetch("versions", versions))
