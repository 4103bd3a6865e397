"""Rule sets, their options and versions, and the rule books that ship."""

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.evaluator.books.book import Book
from scoring.models import RuleSet, RuleSetVersion
from scoring.services.book_scores import books_to_work_out

from ..views import CallViewSet
from .serializers import RuleSetSerializer, WholeRuleSetSerializer


class RuleSetViewSet(CallViewSet):
    """Ways of scoring. A version never changes: games keep the one they were begun with."""

    queryset = RuleSet.objects.all()
    serializer_class = RuleSetSerializer
    lookup_field = "slug"
    lookup_value_converter = "slug"

    def get_queryset(self) -> QuerySet[RuleSet]:
        # The rule set again, for each version: its rules carry their name.
        versions = RuleSetVersion.objects.select_related("ruleset")
        return super().get_queryset().prefetch_related(Prefetch("versions", versions))

    def list(self, request: Request) -> Response:
        """The stored rule sets, then the books that ship, which are for working out hands."""
        page = self.paginate_queryset([*self.get_queryset(), *books_to_work_out()])
        return self.get_paginated_response(RuleSetSerializer(page, many=True).data)

    @extend_schema(responses=WholeRuleSetSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """One of them, with its whole book as data."""
        return Response(WholeRuleSetSerializer(self._found(slug)).data)

    def _found(self, slug: str) -> RuleSet | Book:
        """:raises Http404: if there is none."""
        found: RuleSet | Book | None = self.get_queryset().filter(slug=slug).first()
        if found is None:
            found = {book.slug: book for book in books_to_work_out()}.get(slug)
        if found is None:
            raise Http404
        return found
