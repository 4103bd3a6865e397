"""Serializers of what a caller sends. They refuse fields that they do not know."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail


class EntrySerializer(serializers.Serializer):
    """The fields of a body. A name that is none of them is refused: it may be one, misspelt."""

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


def _unknown(data: Any, known: Iterable[str]) -> dict[str, list[ErrorDetail]]:
    """The errors of the names in ``data`` that are not ``known``."""
    if not isinstance(data, Mapping):
        return {}
    message = _("This field is not known here. Known are: %(names)s.")
    error = [ErrorDetail(message % {"names": ", ".join(known)}, code="unknown_field")]
    return {str(name): error for name in data if name not in known}
