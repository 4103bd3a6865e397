"""The serializer of where a table stands."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from scoring.evaluator.table import TableState
from scoring.models import Game

from ..winds import WindField


class StateSerializer(serializers.Serializer):
    """Round, dealer and seat winds of the next hand, by player id; what lies on the table."""

    finished = serializers.BooleanField()
    round = WindField()
    dealer = serializers.IntegerField()
    seat_winds = serializers.DictField(child=WindField())
    next_number = serializers.IntegerField()
    counters = serializers.IntegerField(help_text="Where the rules keep such; 0 otherwise.")
    sticks = serializers.IntegerField(help_text="Where the rules keep such; 0 otherwise.")


def state_of(state: TableState, game: Game) -> Mapping[str, Any]:
    """``state`` of the table of ``game``, whose seats are at hand."""
    return {
        "finished": state.finished,
        "round": state.round.value,
        "dealer": game.table[state.dealer].player_id,
        "seat_winds": {
            str(seat.player_id): state.seat_wind(seat.place).value for seat in game.table
        },
        "next_number": state.number,
        "counters": state.counters,
        "sticks": state.sticks,
    }
