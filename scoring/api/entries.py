"""Serializers of what a caller sends. They refuse fields that they do not know."""

from collections.abc import Collection, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

from scoring.evaluator.books.declared import too_few_with_melds


class EntrySerializer(serializers.Serializer):
    """The fields of a body. A name that is none of them is refused: it may be one, misspelt."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """What ``data`` says.

        :raises ValidationError: also for a body that is no object. REST framework names the types of Python.
        """
        if self.parent is None and not isinstance(data, Mapping):
            message = _("Send a JSON object: the names of the fields with their values, in {}.")
            raise serializers.ValidationError(
                {api_settings.NON_FIELD_ERRORS_KEY: [ErrorDetail(message, code="invalid")]}
            )
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> Any:
        unknown = _unknown(data, self.fields)
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not unknown:
                raise
            detail: Any = error.detail
            raise serializers.ValidationError({**detail, **unknown}) from error
        if unknown:
            raise serializers.ValidationError(unknown)
        return values


class HandInTilesSerializer(EntrySerializer):
    """``tiles``, and the ``melds`` among them or beside them."""

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Refuse what may be read in two ways: no tiles are made up."""
        number = too_few_with_melds(values.get("tiles"), values.get("melds"))
        if number is not None:
            message = _(
                "The tiles hold these sets already, and they are too few for a hand ({number}). "
                "Give all its tiles, those of its declared sets as well."
            )
            error = ErrorDetail(message.format(number=number), code="held_already")
            raise serializers.ValidationError({"melds": [error]})
        return values


class NoFields(EntrySerializer):
    """The body of a call that reads nothing of it: a field belongs to another call, which asks more."""


def _unknown(data: Any, known: Collection[str]) -> dict[str, list[ErrorDetail]]:
    """The errors of the names in ``data`` that are not ``known``."""
    if not isinstance(data, Mapping):
        return {}
    message = _("This field is not known here. Known are: %(names)s.") % {"names": ", ".join(known)}
    if not known:
        message = _("This address takes no fields.")
    error = [ErrorDetail(message, code="unknown_field")]
    return {str(name): error for name in data if name not in known}
