"""Hands: as they are logged, and as they stand."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.rules import LIMIT_RULES
from scoring.evaluator.table import Calls
from scoring.models import Hand, Payment
from scoring.models.hands import HOW_WON
from scoring.services.hands.entry import HandEntry
from scoring.translation import card_in_words

from ..entries import EntrySerializer, HandInTilesSerializer
from ..fields import (
    LARGEST_ID,
    IdField,
    MeldsField,
    NamesField,
    PlainIntegerField,
    TextField,
    TilesField,
)
from ..games.state_serializer import StateSerializer, state_of
from ..score.scorecards import MeldSerializer, ScorecardSerializer
from ..winds import WindField
from ..wins import WinSerializer

LARGEST = 2**31 - 1


class PaymentSerializer(serializers.ModelSerializer):
    """Whole points: what the player was paid, or paid (less than zero)."""

    class Meta:
        model = Payment
        fields = ("player", "amount")
        read_only_fields = fields


class OtherHandSerializer(serializers.Serializer):
    """The hand of a player who did not win, and its score in whole points."""

    player = serializers.IntegerField()
    tiles = serializers.ListField(child=serializers.CharField())
    melds = MeldSerializer(many=True)
    bonus = serializers.ListField(child=serializers.CharField())
    flags = serializers.ListField(child=serializers.CharField())
    claimed = serializers.IntegerField(allow_null=True)
    final = serializers.IntegerField()


class HandSerializer(serializers.ModelSerializer):
    """A hand as it stands. Everybody in it is a player's id; ``seat`` is the winner's wind.

    The points of a disputed hand wait until it is settled. ``supersedes`` is the version (its id) that
    this one corrects, or restores if that is void, for the ``reason``. ``follows`` is the number of
    another hand whose change brought this version about, 0 if it was a change to the game; null for a
    version that somebody entered or restored.
    """

    round = WindField(source="prevailing")
    seat = serializers.SerializerMethodField()
    tiles = serializers.SerializerMethodField()
    melds = serializers.SerializerMethodField()
    limits = serializers.ListField(
        child=serializers.CharField(),
        help_text="The limit hands that it is; of an unchecked hand, as the table says.",
    )
    scorecard = serializers.SerializerMethodField()
    payments = PaymentSerializer(many=True)
    won_by = serializers.SerializerMethodField(
        help_text="Such as self_drawn, discard or robbing_kong; null for a draw."
    )
    bonus = serializers.SerializerMethodField(help_text="The winner's flowers and seasons.")
    flags = serializers.SerializerMethodField()
    dora_indicators = serializers.SerializerMethodField()
    counters = serializers.IntegerField(help_text="On the table before this hand.")
    sticks = serializers.IntegerField(help_text="On the table before this hand.")
    on_table = serializers.IntegerField(
        help_text="Whole points that this hand put on the table; less than 0 where the winner took "
        "them. With the payments, 0 in all."
    )
    staked = serializers.SerializerMethodField(
        help_text="Who declared riichi and put a stick on the table."
    )
    calling = serializers.SerializerMethodField(help_text="Who was calling at a draw.")
    abortive = serializers.SerializerMethodField(
        help_text="Whether the hand was broken off before the wall ran out."
    )
    others = serializers.SerializerMethodField(help_text="Hands of players who did not win.")
    scorecards = serializers.SerializerMethodField(
        help_text="The scorecard of each player whose hand is known, by the player's id."
    )
    logged_by = serializers.SerializerMethodField()
    reason = serializers.CharField(source="why", read_only=True)

    class Meta:
        model = Hand
        fields = (
            "id",
            "game",
            "number",
            "version",
            "status",
            "round",
            "prevailing",
            "dealer",
            "outcome",
            "winner",
            "seat",
            "discarder",
            *HOW_WON,
            "liable",
            "counters",
            "sticks",
            "on_table",
            *Calls._fields,
            "tiles",
            "melds",
            "final",
            "limits",
            "checked",
            "scorecard",
            "others",
            "scorecards",
            "payments",
            "logged_by",
            "logged_at",
            "supersedes",
            "reason",
            "follows",
        )
        read_only_fields = fields

    @staticmethod
    def rows(hands: QuerySet[Hand]) -> QuerySet[Hand]:
        """``hands`` with all that their shape needs: two queries, however many they are."""
        people = ("logged_by__player", "ruleset_version__ruleset")
        return hands.select_related(*people).prefetch_related("payments")

    @extend_schema_field(WindField(allow_null=True))
    def get_seat(self, hand: Hand) -> str | None:
        return hand.seat or None

    def get_tiles(self, hand: Hand) -> list[str]:
        return hand.tiles.split()

    def get_won_by(self, hand: Hand) -> str | None:
        return hand.win.way if hand.is_win else None

    def get_bonus(self, hand: Hand) -> list[str]:
        return hand.bonus.split()

    def get_flags(self, hand: Hand) -> list[str]:
        return hand.flags.split()

    def get_dora_indicators(self, hand: Hand) -> list[str]:
        return hand.dora_indicators.split()

    def get_staked(self, hand: Hand) -> list[int]:
        return list(Calls.of(hand.calls).staked)

    def get_calling(self, hand: Hand) -> list[int]:
        return list(Calls.of(hand.calls).calling)

    def get_abortive(self, hand: Hand) -> bool:
        return Calls.of(hand.calls).abortive

    @extend_schema_field(OtherHandSerializer(many=True))
    def get_others(self, hand: Hand) -> list[dict[str, Any]]:
        return [
            {
                **{name: other[name] for name in ("player", "melds", "claimed", "final")},
                **{name: other[name].split() for name in ("tiles", "bonus", "flags")},
            }
            for other in hand.others or ()
        ]

    @extend_schema_field(
        serializers.DictField(child=ScorecardSerializer(), help_text="By the player's id.")
    )
    def get_scorecards(self, hand: Hand) -> dict[str, Any]:
        cards = {str(other["player"]): other["card"] for other in hand.others or ()}
        own = self.get_scorecard(hand)
        winner = {str(hand.winner_id): own} if own else {}
        return {**winner, **{pk: card_in_words(card) for pk, card in cards.items() if card}}

    @extend_schema_field(MeldSerializer(many=True))
    def get_melds(self, hand: Hand) -> list[Any]:
        melds: list[Any] = hand.melds
        return melds

    @extend_schema_field(ScorecardSerializer(allow_null=True))
    def get_scorecard(self, hand: Hand) -> Mapping[str, Any] | None:
        if hand.claimed_limit:
            return _claimed_card(hand)
        return hand.card and card_in_words(hand.card)

    def get_logged_by(self, hand: Hand) -> int | None:
        """The player who logged it; null for an organiser who does not play."""
        player = getattr(hand.logged_by, "player", None)
        return player and player.pk


def _claimed_card(hand: Hand) -> dict[str, Any]:
    """The scorecard of a limit hand whose tiles are gone: its name and the limit, nothing else."""
    unknown = dict.fromkeys(("points", "doubles", "total", "why"))
    empty: dict[str, list[Any]] = {
        name: [] for name in ("sets", "point_report", "double_report", "interpretations")
    }
    version = hand.ruleset_version
    return {
        **unknown,
        **empty,
        "winning": True,
        "final": hand.final,
        "limits": hand.limits,
        "ruleset": version.ruleset.slug,
        "version": version.number,
    }


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": LARGEST_ID})
class PlayerIdField(PlainIntegerField):
    """The id of somebody at the table, which the table itself looks up, or null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, allow_null=True, **kwargs)


class PlayerIdsField(serializers.ListField):
    """The ids of players at the table, which the table itself looks up, or null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=IdField(), required=False, allow_null=True, max_length=8, **kwargs)


class WhoAndTilesSerializer(HandInTilesSerializer):
    """Who won which hand, off whom, with which tiles."""

    number = PlainIntegerField(
        min_value=1,
        max_value=LARGEST,
        error_messages={"required": _("Say which hand this is: the game’s next_number.")},
        help_text="The number of this hand in its game; it must be the next one.",
    )
    outcome = serializers.ChoiceField(
        Hand.Outcome.choices,
        error_messages={"required": _('Say how the hand ended: "win" or "draw".')},
    )
    winner = PlayerIdField(help_text="A player's id.")
    discarder = PlayerIdField(help_text="The id of who discarded the winning tile.")
    tiles = TilesField(required=False, allow_null=True)
    melds = MeldsField(required=False, allow_null=True)


class OtherEntrySerializer(EntrySerializer):
    """The hand of a player who did not win: tiles, or a score that the table worked out."""

    player = IdField(
        error_messages={"required": _("Say whose hand this is: a player’s id.")},
    )
    tiles = TilesField(required=False, allow_null=True)
    melds = MeldsField(
        required=False,
        allow_null=True,
        help_text="The declared sets: among the tiles where these hold them all, beside the tiles otherwise. A set "
        "that is marked in `tiles` (`222B*`) is always among them.",
    )
    bonus = NamesField(required=False, allow_null=True, help_text="Flowers and seasons.")
    flags = NamesField(required=False, allow_null=True)
    claimed = PlainIntegerField(
        required=False,
        allow_null=True,
        min_value=-LARGEST,
        max_value=LARGEST,
        help_text="The score in whole points that the table worked out itself.",
    )


class HandEntrySerializer(WhoAndTilesSerializer, WinSerializer):
    """What one of the table says about a hand."""

    liable = PlayerIdField(help_text="The id of who pays for everybody, where the rules know that.")
    staked = PlayerIdsField(
        help_text="The ids of who declared riichi, where the rules keep sticks; riichi among the "
        "winner's flags says it, too."
    )
    calling = PlayerIdsField(
        help_text="The ids of who was calling at a draw; who staked a stick is, in any case."
    )
    abortive = serializers.BooleanField(
        required=False, allow_null=True, help_text="Whether the hand was broken off: a draw."
    )
    # A list of its own: with ``many``, each of the hands could be null, too.
    others: serializers.ListSerializer = serializers.ListSerializer(
        child=OtherEntrySerializer(),
        required=False,
        allow_null=True,
        help_text="Hands of players who did not win, where the rules score them.",
    )

    claimed_final = PlainIntegerField(
        required=False,
        allow_null=True,
        min_value=-LARGEST,
        max_value=LARGEST,
        help_text="The score that the table worked out itself, where the tiles are gone.",
    )
    claimed_limit = TextField(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=40,
        help_text="The id of the limit hand that it was, where the tiles are gone: "
        f"{', '.join(rule.id for rule in LIMIT_RULES)}. It scores the limit and is kept as not checked.",
    )

    @property
    def entry(self) -> HandEntry:
        """What was said, for :mod:`scoring.services`; null says nothing."""
        return HandEntry.from_json(entry_values(self.validated_data))


def entry_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` but for nulls, those of each of the ``others``, too; names in one text."""
    entered = {name: value for name, value in values.items() if value is not None}
    if "others" in entered:
        entered["others"] = [
            {name: _text(name, value) for name, value in other.items() if value is not None}
            for other in entered["others"]
        ]
    return entered


def _text(name: str, value: Any) -> Any:
    return " ".join(sorted(value)) if name in ("bonus", "flags") else value


class LoggedHandSerializer(HandSerializer):
    """A hand that was just logged, and where the table stands after it."""

    state = serializers.SerializerMethodField()

    class Meta(HandSerializer.Meta):
        fields = (*HandSerializer.Meta.fields, "state")

    @extend_schema_field(StateSerializer)
    def get_state(self, hand: Hand) -> Mapping[str, Any]:
        return state_of(self.context["state"], hand.game)
