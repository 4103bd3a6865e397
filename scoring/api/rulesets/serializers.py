"""Rule sets: their options, version by version."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.loader import as_data, shipped, whole
from scoring.evaluator.rulesets import CLUB
from scoring.models import RuleSet, RuleSetVersion

from ..entries import EntrySerializer
from ..fields import PlainIntegerField
from .preview import BookField


class BookEntrySerializer(EntrySerializer):
    """A rule book that the club takes in: a book that ships, one on top of it, or a whole one."""

    book = BookField(
        help_text='As a TOML file of a book has it. `{"base": "dmjl"}` is the book that ships.'
    )
    seen = PlainIntegerField(
        required=False,
        min_value=0,
        help_text="The number of the newest version that you saw: with another one since, nothing is stored.",
    )


class OptionsSerializer(serializers.Serializer):
    """The house options of one version; ``limit`` and ``rounding`` in whole points."""

    limit = serializers.IntegerField()
    rounding = serializers.IntegerField()
    interpretation = serializers.CharField()
    consistency = serializers.CharField()
    straights = serializers.ListField(child=serializers.CharField())
    all_green = serializers.BooleanField()
    dealer_doubles = serializers.BooleanField()
    dealer_stays_on_win = serializers.BooleanField()
    dealer_stays_on_draw = serializers.BooleanField()
    discarder = serializers.CharField()


class VersionSerializer(serializers.ModelSerializer):
    """One version, which never changes."""

    version = serializers.IntegerField(source="number")
    options = serializers.SerializerMethodField()

    class Meta:
        model = RuleSetVersion
        fields = ("version", "options", "created_at")
        read_only_fields = fields

    @extend_schema_field(OptionsSerializer(allow_null=True))
    def get_options(self, version: RuleSetVersion) -> dict[str, Any] | None:
        return options_of(version)


class RuleSetSerializer(serializers.Serializer):
    """A rule set: what its newest version says, and all its versions, newest first.

    Rule books are here, too, and have no options. Leagues can play by those that organisers took in.
    """

    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()
    options = OptionsSerializer(allow_null=True)
    versions = VersionSerializer(many=True)
    leagues = serializers.BooleanField(help_text="Whether leagues can play by it.")

    def to_representation(self, rules: RuleSet | Book) -> dict[str, Any]:
        return of_book(rules) if isinstance(rules, Book) else of_rule_set(rules)


class WholeRuleSetSerializer(RuleSetSerializer):
    """A rule set with its whole book: forms, patterns, values, counting, settlement."""

    book = serializers.DictField(
        allow_null=True,
        help_text="The file of the book as data; null for a rule set that is made of options only.",
    )
    patterns = serializers.ListField(
        child=serializers.DictField(),
        help_text="What is played, as `pattern` of `book` has it; also of a rule set of options only.",
    )

    def to_representation(self, rules: RuleSet | Book) -> dict[str, Any]:
        book = book_of(rules)
        patterns = {"patterns": patterns_of(rules, book)}
        return {**super().to_representation(rules), "book": book, **patterns}


def options_of(version: RuleSetVersion) -> dict[str, Any] | None:
    """Its options; None of a version that is a rule book."""
    return version.rules.options() if version.book is None else None


def book_of(rules: RuleSet | Book) -> dict[str, Any] | None:
    """The book as data: of a stored rule set the one that is stored, else the one that ships.

    A pattern that is there by an option is listed only where the rule set switches that on.
    """
    if isinstance(rules, RuleSet) and (named := rules.latest.named_book) is not None:
        return named
    if rules.slug not in shipped():
        return None
    book = whole(as_data(rules.slug))
    options = rules.options if isinstance(rules, Book) else rules.latest.rules.options()
    return {**book, "pattern": _played(book, options)}


def patterns_of(rules: RuleSet | Book, book: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """What is played: of a rule set without ``book`` the patterns of Club, as its options have them."""
    if book is not None:
        patterns: list[dict[str, Any]] = book["pattern"]
        return patterns
    assert isinstance(rules, RuleSet)  # the books that ship have their data
    return _played(as_data(CLUB.slug), rules.latest.rules.options())


def _played(book: Mapping[str, Any], options: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        entry for entry in book["pattern"] if "option" not in entry or options.get(entry["option"])
    ]


def of_rule_set(ruleset: RuleSet) -> dict[str, Any]:
    """A stored rule set."""
    return {
        "slug": ruleset.slug,
        "name": ruleset.name,
        "description": ruleset.description,
        "version": ruleset.latest.number,
        "options": options_of(ruleset.latest),
        "versions": VersionSerializer(ruleset.versions.all(), many=True).data,
        "leagues": True,
    }


def of_book(book: Book) -> dict[str, Any]:
    """A book that ships and that no organiser took in: it is there in one version."""
    return {
        "slug": book.slug,
        "name": book.name,
        "description": book.explanation,
        "version": 1,
        "options": None,
        "versions": [],
        "leagues": False,
    }
