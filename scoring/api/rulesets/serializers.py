"""Rule sets: their options, version by version."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.books.book import Book
from scoring.evaluator.books.loader import as_data, shipped
from scoring.models import RuleSet, RuleSetVersion


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

    @extend_schema_field(OptionsSerializer)
    def get_options(self, version: RuleSetVersion) -> dict[str, Any]:
        return version.rules.options()


class RuleSetSerializer(serializers.Serializer):
    """A rule set: what its newest version says, and all its versions, newest first.

    Rule books that ship are here, too: they have no options, and no league plays by them.
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

    def to_representation(self, rules: RuleSet | Book) -> dict[str, Any]:
        book = as_data(rules.slug) if rules.slug in shipped() else None
        return {**super().to_representation(rules), "book": book}


def of_rule_set(ruleset: RuleSet) -> dict[str, Any]:
    """A stored rule set."""
    return {
        "slug": ruleset.slug,
        "name": ruleset.name,
        "description": ruleset.description,
        "version": ruleset.latest.number,
        "options": ruleset.latest.rules.options(),
        "versions": VersionSerializer(ruleset.versions.all(), many=True).data,
        "leagues": True,
    }


def of_book(book: Book) -> dict[str, Any]:
    """A book that ships: it is there in one version."""
    return {
        "slug": book.slug,
        "name": book.name,
        "description": book.explanation,
        "version": 1,
        "options": None,
        "versions": [],
        "leagues": False,
    }
