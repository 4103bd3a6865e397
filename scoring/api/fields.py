"""Tiles and melds as a request may write them. What they mean is for the evaluator to say."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scoring.evaluator.notation import LONGEST as LONGEST_TEXT

# What several serializers and filters refuse.
NAMELESS_PLAYER = _("Give the name as it should appear in the league table.")
NO_SUCH_LEAGUE = _("There is no such league: leagues/ lists them.")
NO_SUCH_PLAYER = _("There is no player {pk}: players/ lists them.")

# The largest that the column of an id holds.
LARGEST_ID = 2**63 - 1
A_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# As JSON writes a whole number, in a text or not.
PLAIN_NUMBER = re.compile(r"\s*[+-]?[0-9]+(\.0*)?\s*")

MOST_TILES = 40
MOST_MELDS = 10
MOST_NAMES = 20
LONGEST_NAME = 40

TILES_SCHEMA = {
    "oneOf": [
        {"type": "string", "maxLength": LONGEST_TEXT, "example": "222B 345B 55B 222D GGG"},
        {
            "type": "array",
            "maxItems": MOST_TILES,
            "items": {"type": "string", "maxLength": LONGEST_TEXT},
            "example": ["2B", "2B", "2B"],
        },
    ]
}
NAMES_SCHEMA = {
    "oneOf": [
        {"type": "string", "maxLength": LONGEST_TEXT, "example": "F1,Y2"},
        {
            "type": "array",
            "maxItems": MOST_NAMES,
            "items": {"type": "string", "maxLength": LONGEST_NAME},
            "example": ["F1", "Y2"],
        },
    ]
}
MELDS_SCHEMA = {
    "type": "array",
    "maxItems": MOST_MELDS,
    "description": "The declared sets, among the tiles or beside them. They are among `tiles` that are a whole "
    "hand, as answers have it: 14 tiles, and one more for each kong. They lie beside `tiles` that are a hand "
    "only together with them. `tiles` that hold them all and are too few for a hand are refused: nobody can "
    "tell whether a set was left out or is there twice. So send all tiles of the hand, or mark its sets in "
    "`tiles` (`222B*`): a set that is marked there is always among them.",
    "items": {
        "oneOf": [
            *TILES_SCHEMA["oneOf"],
            {
                "type": "object",
                "required": ["tiles"],
                "properties": {
                    "kind": {"type": "string", "description": "Not looked at: the tiles say it."},
                    "tiles": TILES_SCHEMA,
                    "concealed": {"type": "boolean"},
                },
                "additionalProperties": False,
            },
        ]
    },
}


class DayField(serializers.DateField):
    """A day as pages and files write it, such as 2026-03-31."""

    def to_internal_value(self, value: Any) -> date:
        if not isinstance(value, str) or not A_DAY.fullmatch(value):
            self.fail("invalid", format="YYYY-MM-DD")
        day: date = super().to_internal_value(value)
        return day


class PlainIntegerField(serializers.IntegerField):
    """A whole number in the digits 0 to 9: those of other scripts, and 1_000, are none."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, str) and not PLAIN_NUMBER.fullmatch(data):
            self.fail("invalid")
        value: int = super().to_internal_value(data)
        return value


class IdField(PlainIntegerField):
    """The id of something, for who looks it up to say whether it is there."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **kwargs)


class TextField(serializers.CharField):
    """A text that has to be one: 5 and true are none."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(NAMES_SCHEMA)
class NamesField(serializers.Field):
    """Names as a list, ``["F1", "Y2"]``, or as a text with commas, ``F1,Y2``."""

    default_error_messages = {
        "invalid": _('Give names as a list, ["F1", "Y2"], or as a text with commas, "F1,Y2".'),
        "too_many": _("These are more names than a hand can have."),
    }

    def to_internal_value(self, data: Any) -> list[str]:
        if isinstance(data, str) and len(data) <= LONGEST_TEXT:
            data = [name.strip() for name in data.split(",") if name.strip()]
        if not isinstance(data, list):
            self.fail("invalid")
        if len(data) > MOST_NAMES:
            self.fail("too_many")
        name = TextField(max_length=LONGEST_NAME)
        return [name.run_validation(each) for each in data]

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field(TILES_SCHEMA)
class TilesField(serializers.Field):
    """Tiles as a text, ``222B 345B``, or as a list of codes, ``["2B", "2B"]``."""

    default_error_messages = {
        "invalid": _('Give the tiles as a text, "222B 345B", or as a list of codes, ["2B", "2B"].'),
        "too_many": _("These are more tiles than a hand can have."),
    }

    def to_internal_value(self, data: Any) -> str | list[str]:
        if isinstance(data, str):
            return self._text(data)
        if not isinstance(data, list) or not all(isinstance(code, str) for code in data):
            self.fail("invalid")
        if len(data) > MOST_TILES:
            self.fail("too_many")
        return [self._text(code) for code in data]

    def to_representation(self, value: Any) -> Any:
        return value

    def _text(self, text: str) -> str:
        """``text``, which is short and holds nothing that no database keeps."""
        if len(text) > LONGEST_TEXT:
            self.fail("too_many")
        valid: str = serializers.CharField(allow_blank=True).run_validation(text)
        return valid


@extend_schema_field(MELDS_SCHEMA)
class MeldsField(serializers.ListField):
    """Declared sets: each as tiles, or as ``{"tiles": …, "concealed": true}``."""

    default_error_messages = {
        "not_a_list": _('Give the melds as a list, such as ["222B*", "345B"].'),
        "max_length": _("These are more melds than a hand can have."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=MeldField(), max_length=MOST_MELDS, **kwargs)


class MeldField(serializers.Field):
    default_error_messages = {
        # Doubled braces: REST framework formats these.
        "invalid": _('Give a meld as "222B*", as ["2B", "2B", "2B"] or as {{"tiles": "222B"}}.')
    }

    def to_internal_value(self, data: Any) -> str | list[str] | dict[str, Any]:
        if not isinstance(data, Mapping):
            return self._tiles(data)
        # As answers carry melds, so they can be sent back.
        if "tiles" not in data or not data.keys() <= {"kind", "tiles", "concealed"}:
            self.fail("invalid")
        meld: dict[str, Any] = {"tiles": self._tiles(data["tiles"])}
        if "concealed" in data:
            if not isinstance(data["concealed"], bool):
                self.fail("invalid")
            meld["concealed"] = data["concealed"]
        return meld

    def _tiles(self, data: Any) -> str | list[str]:
        if not isinstance(data, str | list):
            self.fail("invalid")
        tiles: str | list[str] = TilesField().run_validation(data)
        return tiles
