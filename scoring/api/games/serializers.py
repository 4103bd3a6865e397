"""Games: as they are opened, and as they stand."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import Game, Hand, League, Player, Seat
from scoring.models.game_tables import with_table
from scoring.models.refusals import FOUR_PLAYERS

from ..entries import EntrySerializer
from ..fields import NO_SUCH_PLAYER, IdField, TextField
from ..hands.correction_serializers import PreviewSerializer, ReasonSerializer
from ..hands.serializers import HandSerializer
from ..winds import WindField
from .state_serializer import StateSerializer, state_of

FOUR_IDS = _("Give the ids of the four players: East, South, West, North.")


class SeatSerializer(serializers.ModelSerializer):
    """Who sat down where: ``wind`` is the wind of the first hand."""

    wind = WindField(source="wind.value")
    name = serializers.CharField(source="player.name")

    class Meta:
        model = Seat
        fields = ("wind", "player", "name")
        read_only_fields = fields


class TotalSerializer(serializers.Serializer):
    """What a player has won or lost in the game so far, in whole points."""

    player = serializers.IntegerField()
    total = serializers.IntegerField()


class GameSummarySerializer(serializers.ModelSerializer):
    """A game in a list: who plays, and where it stands."""

    league: serializers.SlugRelatedField[League] = serializers.SlugRelatedField(
        "slug", read_only=True
    )
    ruleset = serializers.CharField(source="ruleset_version.ruleset.slug")
    ruleset_version = serializers.IntegerField(source="ruleset_version.number")
    seats = SeatSerializer(many=True, source="table")
    state = serializers.SerializerMethodField()
    evening_closed = serializers.BooleanField(
        help_text="Whether only organisers may still change what was played."
    )

    class Meta:
        model = Game
        fields: tuple[str, ...] = (
            "id",
            "league",
            "ruleset",
            "ruleset_version",
            "started_at",
            "finished_at",
            "evening",
            "evening_closed",
            "withdrawn_at",
            "seats",
            "state",
        )
        read_only_fields = fields

    @staticmethod
    def rows(games: QuerySet[Game]) -> QuerySet[Game]:
        """``games`` with all that their shape needs: two queries, however many they are."""
        return with_table(games)

    @extend_schema_field(StateSerializer)
    def get_state(self, game: Game) -> Mapping[str, Any]:
        return state_of(game.state, game)


class GameSerializer(GameSummarySerializer):
    """A game with the hands that stand and its running tally.

    What is disputed does not count yet; an adjustment counts.
    """

    tally = serializers.SerializerMethodField()
    hands = HandSerializer(many=True)

    class Meta(GameSummarySerializer.Meta):
        fields = (*GameSummarySerializer.Meta.fields, "tally", "hands")

    @staticmethod
    def rows(games: QuerySet[Game]) -> QuerySet[Game]:
        hands = HandSerializer.rows(Hand.objects.current()).order_by("number")
        return with_table(games).prefetch_related(
            Prefetch("hands", hands), "adjustments__transfers"
        )

    @extend_schema_field(TotalSerializer(many=True))
    def get_tally(self, game: Game) -> list[dict[str, int]]:
        totals: Counter[int] = Counter()
        for hand in game.hands.all():
            if hand.undisputed:
                for payment in hand.payments.all():
                    totals[payment.player_id] += payment.amount
        for adjustment in game.adjustments.all():
            totals.update(adjustment.amounts())
        return [{"player": seat.player_id, "total": totals[seat.player_id]} for seat in game.table]


@extend_schema_field({"type": "string", "maxLength": 60, "pattern": "^[-a-zA-Z0-9_]+$"})
class VisibleSlugField(serializers.SlugRelatedField):
    """Something by its short name, out of what this person may see."""

    def get_queryset(self) -> Any:
        seen: Any = super().get_queryset()
        return seen.visible_to(self.context["request"].user)

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(TextField(max_length=60).run_validation(data))


class FourPlayersField(serializers.ListField):
    """Players by their ids, in the order East, South, West, North, as this person may see them."""

    default_error_messages = {
        "not_a_list": FOUR_IDS,
        "not_four": FOUR_PLAYERS,
        "does_not_exist": NO_SUCH_PLAYER,
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=IdField(), min_length=4, max_length=4, **kwargs)

    def to_internal_value(self, data: Any) -> list[Player]:
        if isinstance(data, list) and len(data) != 4:
            self.fail("not_four")
        ids = super().to_internal_value(data)
        players = Player.objects.visible_to(self.context["request"].user).in_bulk(ids)
        missing: dict[Any, list[str]] = {
            place: [self.error_messages["does_not_exist"].format(pk=pk)]
            for place, pk in enumerate(ids)
            if pk not in players
        }
        if missing:
            raise serializers.ValidationError(missing, code="does_not_exist")
        return [players[pk] for pk in ids]


class NewGameSerializer(EntrySerializer):
    """Who sits down to play in which league."""

    league = VisibleSlugField(
        "slug",
        queryset=League.objects,
        error_messages={
            "required": _("Say which league the game counts in, by its slug."),
            "does_not_exist": _("There is no league {value}: leagues/ lists them."),
        },
    )
    players = FourPlayersField(error_messages={"required": FOUR_IDS})
    anyway = serializers.BooleanField(
        default=False,
        help_text="Also seat who sits at another open table; refused with `seated_elsewhere` if not.",
    )


class SeatsSerializer(ReasonSerializer):
    """The four players as they should have been seated, and why. A preview saves nothing."""

    players = FourPlayersField(error_messages={"required": FOUR_IDS})
    expected_seats = serializers.ListField(
        child=IdField(),
        min_length=4,
        max_length=4,
        required=False,
        help_text="Who sat there when you looked, East first: refused with 409 and `moved_on` if others sit "
        "there by now.",
    )
    preview = serializers.BooleanField(default=False, help_text="Only say what would change.")
    anyway = serializers.BooleanField(
        default=False,
        help_text="Also seat who comes from another open table; refused with `seated_elsewhere` if "
        "not.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        initial = self.initial_data if hasattr(self, "initial_data") else None
        if isinstance(initial, Mapping) and initial.get("preview") is True:
            self.fields["reason"].required = False


class ChangedSerializer(PreviewSerializer):
    """What changes, hand by hand, and who sits where then: ``wind`` is that of the first hand."""

    seats = SeatSerializer(many=True, source="game.table")
