"""Evenings: the days on which games of a league began."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.models import EveningPayment
from scoring.models.evening_money import in_numbers, in_units
from scoring.models.money import CURRENCIES
from scoring.models.settlement import Settlement

from ..entries import EntrySerializer
from ..fields import IdField
from ..hands.history_serializers import PersonSerializer, person


class EveningSerializer(serializers.Serializer):
    """A day, how many games began then, how many are still open, and whether it is closed."""

    day = serializers.DateField(source="evening")
    games = serializers.IntegerField()
    open_games = serializers.IntegerField()
    closed = serializers.BooleanField()


class OwedSerializer(serializers.Serializer):
    """``payer`` pays ``payee`` (ids; null is the till of the club)."""

    payer = serializers.IntegerField(allow_null=True)
    payee = serializers.IntegerField(allow_null=True)
    amount = serializers.CharField(help_text="Whole points, or money such as 4.20.")
    currency = serializers.CharField(help_text="Empty: points.")


class EveningPaymentSerializer(serializers.ModelSerializer):
    """What was paid. A payment that was undone stays, and counts for nothing."""

    amount = serializers.SerializerMethodField()
    marked_by = serializers.SerializerMethodField()

    class Meta:
        model = EveningPayment
        fields = (
            *("id", "payer", "payee", "amount", "currency"),
            *("marked_at", "marked_by", "undone_at"),
        )
        read_only_fields = fields

    def get_amount(self, payment: EveningPayment) -> str:
        return in_numbers(payment.amount, payment.currency)

    @extend_schema_field(PersonSerializer(allow_null=True))
    def get_marked_by(self, payment: EveningPayment) -> dict[str, Any] | None:
        return person(payment.marked_by)


class DueSerializer(serializers.Serializer):
    """What ``player`` gets (less than 0: pays) before anything is paid; null is the till."""

    player = serializers.IntegerField(allow_null=True)
    amount = serializers.CharField()
    currency = serializers.CharField()


class SettlementSerializer(serializers.Serializer):
    """Who owes whom: ``transfers`` are the fewest that are left after the ``payments``."""

    terms = serializers.CharField()
    points = serializers.DictField(child=serializers.IntegerField())
    due = DueSerializer(many=True)
    transfers = OwedSerializer(many=True)
    fewest = serializers.BooleanField()
    payments = EveningPaymentSerializer(many=True)


class FullEveningSerializer(EveningSerializer):
    """An evening with its settlement; null for whoever is not signed in."""

    settlement = SettlementSerializer(allow_null=True)


def settlement_as_data(shown: Settlement) -> dict[str, Any]:
    """``shown`` as :class:`SettlementSerializer` has it."""
    due = [
        {"player": party, "amount": in_numbers(amount, sums.currency), "currency": sums.currency}
        for sums in shown.sums
        for party, amount in sums.due.items()
    ]
    transfers = [
        {
            "payer": one.payer,
            "payee": one.payee,
            "amount": in_numbers(one.amount, sums.currency),
            "currency": sums.currency,
        }
        for sums in shown.sums
        for one in sums.left.transfers
    ]
    return {
        "terms": str(shown.terms),
        "points": {str(pk): points for pk, points in shown.points.items()},
        "due": due,
        "transfers": transfers,
        "fewest": all(sums.left.fewest for sums in shown.sums),
        "payments": EveningPaymentSerializer(shown.payments, many=True).data,
    }


class NewEveningPaymentSerializer(EntrySerializer):
    """One of the ``transfers`` that was paid. Without payer or payee it is the till of the club."""

    payer = IdField(allow_null=True, default=None)
    payee = IdField(allow_null=True, default=None)
    amount = serializers.DecimalField(max_digits=20, decimal_places=2, min_value=0)
    currency = serializers.ChoiceField(
        choices=["", *CURRENCIES], default="", help_text="Empty: points."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The amount in the smallest unit."""
        units = in_units(attrs["amount"], attrs["currency"])
        if units is None:
            message = _("Give a whole number of points, or an amount that can be paid.")
            raise serializers.ValidationError({"amount": [message]}, code="fraction")
        return {**attrs, "amount": units}
