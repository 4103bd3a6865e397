"""Points that move without a hand."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import Adjustment, Game, League, Player, Transfer
from scoring.models.adjustments import LARGEST_TRANSFER
from scoring.services.adjustments import MOST_TRANSFERS, TransferEntry

from ..entries import EntrySerializer
from ..fields import NO_SUCH_PLAYER, IdField, PlainIntegerField
from ..games.serializers import VisibleSlugField
from ..hands.correction_serializers import ReasonSerializer
from ..hands.history_serializers import PersonSerializer, person

ONE_PLACE = _("Say where it counts: a game, by its id, or a league, by its slug. Not both.")


class TransferSerializer(serializers.ModelSerializer):
    """``amount`` whole points, from ``payer`` to ``payee`` (their ids)."""

    class Meta:
        model = Transfer
        fields = ("payer", "payee", "amount")
        read_only_fields = fields


class AdjustmentSerializer(serializers.ModelSerializer):
    """An adjustment: its transfers sum to zero. ``reversed_by`` is the one that takes it back."""

    league: serializers.SlugRelatedField[League] = serializers.SlugRelatedField(
        "slug", read_only=True
    )
    transfers = TransferSerializer(many=True)
    made_by = serializers.SerializerMethodField()
    reversed_by = serializers.SerializerMethodField()

    class Meta:
        model = Adjustment
        fields = (
            "id",
            "league",
            "game",
            "reason",
            "transfers",
            "made_by",
            "made_at",
            "reverses",
            "reversed_by",
        )
        read_only_fields = fields

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_made_by(self, adjustment: Adjustment) -> dict[str, Any] | None:
        return person(adjustment.made_by)

    def get_reversed_by(self, adjustment: Adjustment) -> int | None:
        reversal = getattr(adjustment, "reversed_by", None)
        return reversal and reversal.pk


class LineSerializer(EntrySerializer):
    """Whole points from one player (an id) to another."""

    payer = IdField()
    payee = IdField()
    amount = PlainIntegerField(min_value=1, max_value=LARGEST_TRANSFER, help_text="Whole points.")


class VisibleGameField(serializers.PrimaryKeyRelatedField):
    """A game by its id, out of what this person may see."""

    default_error_messages = {
        "does_not_exist": _("There is no game {pk_value}: games/ lists them.")
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(queryset=Game.objects, pk_field=IdField(), **kwargs)

    def get_queryset(self) -> QuerySet[Game]:
        return Game.objects.visible_to(self.context["request"].user)


class NewAdjustmentSerializer(ReasonSerializer):
    """An adjustment to enter: in a ``game``, or in a ``league`` outside its games."""

    game = VisibleGameField(required=False, allow_null=True)
    league = VisibleSlugField("slug", queryset=League.objects, required=False, allow_null=True)
    transfers = LineSerializer(  # type: ignore[call-arg]
        many=True, max_length=MOST_TRANSFERS, allow_empty=False
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if bool(attrs.get("game")) == bool(attrs.get("league")):
            raise serializers.ValidationError({"game": [ONE_PLACE]}, code="one_place")
        return attrs

    def validate_transfers(self, lines: list[dict[str, int]]) -> list[TransferEntry]:
        asked = {line[side] for line in lines for side in ("payer", "payee")}
        people = Player.objects.visible_to(self.context["request"].user).in_bulk(asked)
        missing = sorted(asked - set(people))
        if missing:
            message = NO_SUCH_PLAYER.format(pk=missing[0])
            raise serializers.ValidationError(message, code="does_not_exist")
        return [
            TransferEntry(people[line["payer"]], people[line["payee"]], line["amount"])
            for line in lines
        ]
