"""Rule sets, their options and versions, and the rule books that ship."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.loader import BookError
from scoring.models import RuleSet, RuleSetVersion
from scoring.models.permissions import Permission, User
from scoring.services.book_drafts import draft_of_data, draft_of_text, publish
from scoring.services.book_scores import book_to_work_out, books_to_work_out

from ..idempotency import run_idempotent
from ..views import CallViewSet, HasPermission
from .preview import at_the_book
from .serializers import BookEntrySerializer, RuleSetSerializer, WholeRuleSetSerializer


class RuleSetViewSet(CallViewSet):
    """Ways of scoring. A version never changes: games keep the one they were begun with."""

    permission_classes = (IsAuthenticatedOrReadOnly, HasPermission)
    permissions = {"create": Permission.CHANGE_THE_RULES}
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

    @extend_schema(request=BookEntrySerializer, responses={201: WholeRuleSetSerializer})
    def create(self, request: Request) -> Response:
        """Take in a rule book, as a new rule set or as the next version of its own. For organisers.

        A pattern that no known book has needs a hand that has it, and one that nearly has.
        """

        def act(key: str) -> Any:
            entry = BookEntrySerializer(data=request.data)
            entry.is_valid(raise_exception=True)
            version = _published(request.user, **entry.validated_data)
            return WholeRuleSetSerializer(self._rules(version.ruleset.slug)).data

        return run_idempotent(request, act)

    @extend_schema(responses=WholeRuleSetSerializer)
    def retrieve(self, request: Request, slug: str) -> Response:
        """One of them, with its whole book as data."""
        return Response(WholeRuleSetSerializer(self._rules(slug)).data)

    def _rules(self, slug: str) -> RuleSet | Book:
        """:raises Http404: if there is none."""
        ruleset: RuleSet | Book | None = self.get_queryset().filter(slug=slug).first()
        if ruleset is None:
            ruleset = book_to_work_out(slug)
        if ruleset is None:
            raise Http404
        return ruleset


def _published(by: User, book: str | dict[str, Any], seen: int | None = None) -> RuleSetVersion:
    """The version that ``book`` made.

    :raises ValidationError: with everything that is wrong, below the field ``book``.
    :raises NewerVersion: if there is another version than the one ``seen``.
    """
    try:
        draft = draft_of_text(book) if isinstance(book, str) else draft_of_data(book)
        return publish(draft, by=by, seen=seen)
    except BookError as error:
        raise at_the_book(error) from error
