"""The four winds in requests and answers."""

from typing import Any

from rest_framework import serializers

from scoring.models.games import Wind


class WindField(serializers.ChoiceField):
    """One of ``E S W N``."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=Wind.choices, **kwargs)
