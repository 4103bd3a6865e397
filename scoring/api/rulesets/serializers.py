"""Rule sets: their options, version by version."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

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


class RuleSetSerializer(serializers.ModelSerializer):
    """A rule set: what its newest version says, and all its versions, newest first."""

    version = serializers.IntegerField(source="latest.number")
    options = serializers.SerializerMethodField()
    versions = VersionSerializer(many=True)

    class Meta:
        model = RuleSet
        fields = ("slug", "name", "description", "version", "options", "versions")
        read_only_fields = fields

    @extend_schema_field(OptionsSerializer)
    def get_options(self, ruleset: RuleSet) -> dict[str, Any]:
        return ruleset.latest.rules.options()
