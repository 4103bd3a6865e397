"""The story of a league, all of it from the hands that count."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.models import Hand, League
from scoring.queries.hall_of_fame import best_hands, limit_hands

from ..views import CallViewSet
from .story_serializers import BestHandsSerializer, FamousHandSerializer


class HallViewSet(mixins.ListModelMixin, CallViewSet):
    """The limit hands that count, the newest first: of one league, or of all that the caller may see."""

    queryset = Hand.objects.all()
    serializer_class = FamousHandSerializer

    def get_queryset(self) -> QuerySet[Hand]:
        return limit_hands(self.request.user, self._league())

    @extend_schema(responses=BestHandsSerializer, filters=False)
    @action(detail=False, pagination_class=None)
    def best(self, request: Request, slug: str = "") -> Response:
        """The best hands: of the latest evening, of the season, ever. The same hand comes once."""
        best = best_hands(request.user, self._league())
        return Response(BestHandsSerializer({"best": best}).data)

    def _league(self) -> League | None:
        slug = self.kwargs.get("slug")
        visible = League.objects.visible_to(self.request.user)
        return None if slug is None else get_object_or_404(visible, slug=slug)
