"""Trying a rule book that nobody has stored."""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import (
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle

from scoring.evaluator.books.examples import LONGEST as LONGEST_HAND
from scoring.evaluator.books.loader import LONGEST as LONGEST_BOOK
from scoring.evaluator.books.loader import BookError
from scoring.evaluator.problems import Problem
from scoring.models.problems import as_validation_error
from scoring.models.refusals import BOOK_TOO_LONG
from scoring.services.book_preview import MOST_HANDS, Tried, TriedHand, preview_book
from scoring.translation import card_in_words, translate

from ..entries import EntrySerializer
from ..fields import TextField
from ..problem_serializers import ErrorSerializer
from ..score.scorecards import ScorecardSerializer
from ..views import KnownParameters


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "maxLength": LONGEST_BOOK, "example": 'base = "dmjl"'},
            {"type": "object", "additionalProperties": True, "example": {"base": "dmjl"}},
        ]
    }
)
class BookField(serializers.Field):
    """A rule book as TOML, or the same as data."""

    default_error_messages = {
        "invalid": _("Give the book as TOML in a text, or as an object."),
        "too_long": BOOK_TOO_LONG,
    }

    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        if not isinstance(data, str | dict):
            self.fail("invalid")
        if len(str(data)) > LONGEST_BOOK:
            self.fail("too_long", most=LONGEST_BOOK)
        return data

    def to_representation(self, value: Any) -> Any:
        return value


# Clients know it by this name.
@extend_schema_serializer(component_name="Preview")
class BookPreviewSerializer(EntrySerializer):
    """A book, and hands as the examples of a book are written."""

    book = BookField()
    hands = serializers.ListField(
        child=TextField(max_length=LONGEST_HAND), max_length=MOST_HANDS, min_length=1
    )


class TriedSerializer(serializers.Serializer):
    """The card of a hand, or why there is none."""

    card = ScorecardSerializer(allow_null=True)
    errors = ErrorSerializer(many=True)  # type: ignore[assignment]


class TriedHandSerializer(serializers.Serializer):
    """A hand by the book that is tried, and by the one that it changes."""

    hand = serializers.CharField()
    tried = TriedSerializer()
    base = TriedSerializer(allow_null=True)


class TriedBookSerializer(serializers.Serializer):
    """What the hands score; ``base`` is the book that is changed, or null."""

    slug = serializers.CharField()
    name = serializers.CharField()
    base = serializers.CharField(allow_null=True)
    hands = TriedHandSerializer(many=True)


class PreviewView(KnownParameters):
    """What hands score by a book that is stored nowhere, beside the book that it changes.

    Nothing is saved. What is wrong with the book is told with the line, where it is TOML, and the field.
    """

    saves_nothing = True
    permission_classes = (AllowAny,)
    throttle_classes = (ScopedRateThrottle,)
    throttle_scope = "score"

    @extend_schema(request=BookPreviewSerializer, responses=TriedBookSerializer)
    def post(self, request: Request) -> Response:
        asked = BookPreviewSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            preview = preview_book(asked.validated_data["book"], asked.validated_data["hands"])
        except BookError as error:
            raise at_the_book(error) from error
        return Response(
            {
                "slug": preview.book.slug,
                "name": preview.book.name,
                "base": preview.base or None,
                "hands": [_row(row) for row in preview.rows],
            }
        )


def at_the_book(error: BookError) -> ValidationError:
    """Each problem below the field ``book``: ``book.pattern pung: doubles``."""
    problems = [
        Problem(f"book.{problem.field}", problem.code, problem.message)
        for problem in error.problems
    ]
    return as_validation_error(BookError(problems))


def _row(row: TriedHand) -> dict[str, Any]:
    return {
        "hand": row.hand,
        "tried": _shown(row.tried),
        "base": None if row.base is None else _shown(row.base),
    }


def _shown(tried: Tried) -> dict[str, Any]:
    card = None if tried.card is None else card_in_words(tried.card)
    return {"card": card, "errors": list(_errors(tried.problems))}


def _errors(problems: Iterable[Problem]) -> Iterable[dict[str, str]]:
    for problem in problems:
        yield {
            "field": problem.field,
            "code": problem.code,
            "message": translate(problem.message),
        }
