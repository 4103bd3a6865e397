"""Add to a refusal at a table what the next request needs to be a better one."""

from collections.abc import Iterator
from contextlib import contextmanager

from scoring.models import Game
from scoring.services.errors import Conflict

from ..hands.serializers import HandSerializer
from ..refusals import TableConflict
from .state_serializer import state_of


@contextmanager
def conflicts_shown(game: Game) -> Iterator[None]:
    """Lets a conflict at ``game`` carry the hand that stands there and the state, as the API does.

    :raises TableConflict: instead of a Conflict.
    """
    try:
        yield
    except Conflict as conflict:
        hand = HandSerializer(conflict.hand).data if conflict.hand else None
        shown = {"hand": hand, "state": state_of(conflict.state, game)}
        raise TableConflict(conflict, shown) from conflict
