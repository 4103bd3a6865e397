"""Whose place somebody takes at a table where the players were changed."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from .game_events import GameEvent
from .games import Game
from .people import Player


def taking_places(before: Sequence[int], after: Sequence[int]) -> dict[int, int]:
    """Who takes whose place where ``after`` sit (ids, East first) who were ``before``.

    :raises ValidationError: if it cannot be told, because those who stay change places besides.
    """
    leaving = [player for player in before if player not in after]
    coming = [player for player in after if player not in before]
    if len(leaving) == 1:
        return {leaving[0]: coming[0]}
    places = {old: new for old, new in zip(before, after, strict=True) if old in leaving}
    if set(places.values()) != set(coming):
        message = _("Change the players first, and the seats of those who stay afterwards.")
        raise ValidationError({"players": ValidationError(message, code="two_changes")})
    return places


def plays_now(game: Game, hand: int | None = 0) -> Callable[[int], int]:
    """Tells who plays now (an id) for somebody who sat at ``game`` once: themselves, or who took the place.

    :param hand: the id of a hand: who has sat there since it was stored; None is now.
    """
    since = [
        event for event in _seated(game.changes) if hand is not None and event.last_hand >= hand
    ]
    return _now(game, since)


def _now(game: Game, seated: Sequence[GameEvent]) -> Callable[[int], int]:
    """As :func:`plays_now`, since the first of ``seated``."""
    here = [player.pk for player in game.players]
    changes = _places_taken(game, seated)

    def now(player: int) -> int:
        if player not in here:
            for taken in changes:
                player = taken.get(player, player)
        return player

    return now


def left_and_came(game: Game, player: int) -> tuple[Player, Player] | None:
    """Who sat at ``game`` once, ``player`` (an id), and who plays in their place now; None for anybody else."""
    place = game.place_of(plays_now(game)(player))
    if place is None or game.players[place].pk == player:
        return None
    left = Player.objects.filter(pk=player).first()
    return None if left is None else (left, game.players[place])


def all_who_left(game: Game) -> list[tuple[Player, Player]]:
    """Who sat at ``game`` once and does not any more, each with who plays in their place now."""
    here = {player.pk: player for player in game.players}
    seated = _seated(game.changes)
    gone = {pk for event in seated for pk in event.before["seats"]} - here.keys()
    if not gone:
        return []
    now = _now(game, seated)
    people = Player.objects.in_bulk(gone)
    return [(people[pk], here[now(pk)]) for pk in sorted(people) if now(pk) in here]


def replaced(game: Game, changes: Sequence[GameEvent]) -> dict[int, list[tuple[Player, Player]]]:
    """Who left ``game`` and who came instead, by the id of the change.

    :param changes: all of the game, the newest first.
    """
    seated = _seated(changes)
    taken = {
        event.pk: places for event, places in zip(seated, _places_taken(game, seated), strict=True)
    }
    ids = {pk for places in taken.values() for both in places.items() for pk in both}
    people = Player.objects.in_bulk(ids) if ids else {}
    return {
        event: [(people[left], people[came]) for left, came in places.items()]
        for event, places in taken.items()
    }


def _seated(changes: Sequence[GameEvent]) -> list[GameEvent]:
    """Those of ``changes`` (the newest first) that say who sat there before, the oldest first."""
    return [event for event in reversed(changes) if "seats" in event.before]


def _places_taken(game: Game, seated: Sequence[GameEvent]) -> list[dict[int, int]]:
    """Who took whose place (ids) with each of ``seated``, the last changes of ``game``."""
    here = [player.pk for player in game.players]
    seatings = [*(event.before["seats"] for event in seated), here]
    return [taking_places(*both) for both in pairwise(seatings)]
