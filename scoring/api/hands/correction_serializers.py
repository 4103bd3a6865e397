"""Changes to hands that were played: what a caller says, and what comes of it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.table import TableState
from scoring.models import Game, Hand, HandEvent
from scoring.models.lengths import LONGEST_REASON
from scoring.models.refusals import REASON_NEEDED
from scoring.services.hands.correct import Revised
from scoring.services.hands.entry import HandEntry, stored_calls, stored_losers
from scoring.services.hands.replay import AmountsByPlayer, HandChange, Replay
from scoring.services.pins import LONGEST

from ..entries import EntrySerializer
from ..fields import IdField, PlainIntegerField, TextField
from ..games.state_serializer import StateSerializer, state_of
from ..winds import WindField
from .serializers import (
    HandEntrySerializer,
    HandSerializer,
    PaymentSerializer,
    entry_values,
)


class ReasonSerializer(EntrySerializer):
    """Why something is done."""

    reason = TextField(
        max_length=LONGEST_REASON,
        error_messages=dict.fromkeys(("required", "blank", "null"), REASON_NEEDED),
        help_text="Why: the others at the table will read it.",
    )


def unasked_reason(**options: Any) -> TextField:
    """A reason where only a preview may leave it out."""
    return TextField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_REASON,
        help_text="A preview asks for none.",
        **options,
    )


class ReasonOfPreviewSerializer(EntrySerializer):
    """What the call takes that the preview shows. Nothing is done yet, so no reason is needed."""

    reason = unasked_reason(allow_null=True)


class AgainSerializer(ReasonSerializer):
    """Why a game, or all games of an evening, shall go on."""

    anyway = serializers.BooleanField(
        default=False,
        help_text="Also if somebody sits at another open table by now; refused with "
        "`seated_elsewhere` if not.",
    )


class EntryAgainSerializer(HandEntrySerializer):
    """How the hand was, in whole or in part.

    With ``outcome`` the entry is whole, as for a new hand. Without it only what is named changes;
    null takes something away.
    """

    number = PlainIntegerField(
        required=False, help_text="A hand keeps its number; another one is refused."
    )
    outcome = serializers.ChoiceField(Hand.Outcome.choices, required=False)
    reason = unasked_reason()

    def entry_for(self, hand: Hand) -> HandEntry:
        """What is said about ``hand``, for :mod:`scoring.services`.

        :raises ValidationError: for another number.
        """
        values = dict(self.validated_data)
        values.pop("reason", None)
        if values.pop("number", hand.number) != hand.number:
            message = _("A hand keeps its number. This is hand {number}.")
            raise serializers.ValidationError({"number": [message.format(number=hand.number)]})
        if "outcome" not in values:
            values = {**_as_entered(hand, values), **values}
        return HandEntry.from_json({"number": hand.number, **entry_values(values)})


class CorrectionSerializer(ReasonSerializer, EntryAgainSerializer):
    """How the hand really was, and why it is corrected."""


# What was entered with something else than this says nothing of what is entered now.
FOLLOW = {
    "winner": ("liable", "others"),
    "self_drawn": ("won_by",),
    "won_by": ("self_drawn",),
    "tiles": ("winning_tile",),
}


def _as_entered(hand: Hand, changes: Mapping[str, Any]) -> dict[str, Any]:
    """What ``hand`` was entered with, less what ``changes`` replaces by naming something else."""
    entered: dict[str, Any] = {
        "outcome": hand.outcome,
        "winner": hand.winner_id,
        "discarder": hand.discarder_id,
        "liable": hand.liable_id,
        "others": [asdict(loser) for loser in stored_losers(hand)],
        **hand.win._asdict(),
        **(stored_calls(hand).as_json or {}),
    }
    for changed, follow in FOLLOW.items():
        if changed in changes:
            for name in follow:
                entered.pop(name, None)
    # Whether it was concealed is said of its tiles.
    as_laid = {"tiles": hand.tiles, "melds": hand.melds, "concealed": entered.pop("concealed")}
    if changes.get("self_drawn"):
        entered.pop("discarder", None)
    if changes.get("discarder") is not None:
        entered.pop("self_drawn", None)
    what = changes.keys() & {"tiles", "melds", "claimed_final", "claimed_limit"}
    if hand.claimed_limit and not what:
        entered["claimed_limit"] = hand.claimed_limit
    elif not hand.checked and not hand.claimed_limit and not what & {"tiles", "claimed_limit"}:
        entered["claimed_final"] = hand.final
    elif hand.is_win and not what:
        entered |= as_laid
    return entered


class OutcomeSerializer(serializers.ModelSerializer):
    """What hangs on the winds and the score of one version; ``seat`` is the winner's wind."""

    seat = serializers.SerializerMethodField()

    class Meta:
        model = Hand
        fields = ("version", "prevailing", "dealer", "outcome", "winner", "seat", "final")
        read_only_fields = fields

    @extend_schema_field(WindField(allow_null=True))
    def get_seat(self, hand: Hand) -> str | None:
        return hand.seat or None


class ChangeSerializer(serializers.Serializer):
    """What becomes of one hand. ``after`` is null where it is taken back.

    ``differences`` are what each player has more, or less, than before.
    """

    number = serializers.IntegerField()
    before = OutcomeSerializer()
    after = OutcomeSerializer(allow_null=True)
    payments = serializers.SerializerMethodField()
    differences = serializers.SerializerMethodField()

    @extend_schema_field(PaymentSerializer(many=True))
    def get_payments(self, change: HandChange) -> list[dict[str, int]]:
        return _amounts(change.paid_after)

    @extend_schema_field(PaymentSerializer(many=True))
    def get_differences(self, change: HandChange) -> list[dict[str, int]]:
        return _amounts(change.differences)


class PreviewSerializer(serializers.Serializer):
    """What would change, hand by hand, and where the table would stand. Nothing is saved."""

    changes = ChangeSerializer(many=True)
    differences = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()

    @extend_schema_field(PaymentSerializer(many=True))
    def get_differences(self, replay: Replay) -> list[dict[str, int]]:
        return _amounts(replay.differences)

    @extend_schema_field(StateSerializer)
    def get_state(self, replay: Replay) -> Mapping[str, Any]:
        return state_of(replay.state, replay.game)


class RevisedHandSerializer(HandSerializer):
    """The version that stands now, or was taken back; all that changed with it; the table then."""

    changes = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()

    class Meta(HandSerializer.Meta):
        fields = (*HandSerializer.Meta.fields, "changes", "state")

    @classmethod
    def shown(cls, revised: Revised, game: Game) -> Mapping[str, Any]:
        hand = HandSerializer.rows(Hand.objects.all()).get(pk=revised.hand.pk)
        return cls(hand, context={"revised": revised, "game": game}).data

    @extend_schema_field(ChangeSerializer(many=True))
    def get_changes(self, hand: Hand) -> Any:
        return ChangeSerializer(self.context["revised"].changes, many=True).data

    @extend_schema_field(StateSerializer)
    def get_state(self, hand: Hand) -> Mapping[str, Any]:
        state: TableState = self.context["revised"].state
        return state_of(state, self.context["game"])


class AnswerSerializer(EntrySerializer):
    """Whose answer it is, where a phone is passed round; without it, the caller's own.

    A guest answers on the phone of the scorer or of an organiser. Somebody with an account answers
    by that account, or on any phone of the table by their ``pin``.
    """

    player = IdField(
        required=False,
        allow_null=True,
        help_text="The id of the player to whom the phone was passed.",
    )
    pin = TextField(
        required=False,
        allow_blank=True,
        write_only=True,
        max_length=LONGEST,
        help_text="The PIN of that player, who has an account of their own.",
    )
    reason = TextField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_REASON,
        help_text="What is wrong, of a dispute.",
    )


class DisputeSerializer(AnswerSerializer):
    """An answer that says what is wrong."""

    about = serializers.ChoiceField(
        HandEvent.About.choices, required=False, help_text="What is wrong with the hand."
    )


def _amounts(amounts: AmountsByPlayer) -> list[dict[str, int]]:
    return [{"player": player, "amount": amount} for player, amount in amounts.items()]
