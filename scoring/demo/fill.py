"""Filling a club: people and leagues are added, then season after season of evenings is played."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from random import Random

from django.db import transaction
from django.utils import timezone

from scoring.models import Player, day_begins
from scoring.models.permissions import User
from scoring.services.people import add_player
from scoring.services.rulesets import shipped_version

from .accounts import member, organiser, owner
from .evenings import plan
from .leagues import open_leagues
from .names import names
from .season import DemoSeason, Filled, Regular
from .seat import Strategy
from .size import Size

# How many of the players have an account; they sit at a table that is in play.
MEMBERS = 3


@transaction.atomic
def fill(
    size: Size,
    *,
    ruleset: str = "",
    on_hand: Callable[[], None] = lambda: None,
    now: datetime | None = None,
) -> Filled:
    """Add players, leagues and games of ``size`` to the club. All of it or, if interrupted, nothing.

    The same size always plays the same hands; only the dates follow the day. What the club holds
    already stays as it is.

    :param ruleset: what every league plays by: a stored rule set, or a book that ships; empty for as usual.
    :param on_hand: called after each hand that was recorded.
    :raises ValidationError: naming what a demo of that ``size`` cannot have, or the rules that are none.
    :raises PermissionDenied: if the demo's organiser is no organiser any more.
    """
    size.clean()
    now = now or timezone.now()
    rng = Random(size.seed)
    by = organiser()
    owner()
    club = _regulars(size.players, by, rng)
    sittings = plan(size.hands, size.players, size.leagues, regulars=MEMBERS, now=now, rng=rng)
    first = min(sitting.day for sitting in sittings)
    _joined(club, first)
    version = shipped_version(ruleset, by=by) if ruleset else None
    season = DemoSeason(open_leagues(size.leagues, first, version), club, by, rng, on_hand)
    season.play(sittings)
    return season.filled


def _regulars(count: int, by: User, rng: Random) -> list[Regular]:
    taken = {name.lower() for name in Player.objects.values_list("name", flat=True)}
    regulars = []
    for number, name in enumerate(names(count, taken)):
        player = add_player(name, by=by)
        user = member(player) if number < MEMBERS else None
        regulars.append(Regular(player, Strategy.of(rng), user))
    return regulars


def _joined(club: Sequence[Regular], first: date) -> None:
    """Everybody has been there since the ``first`` evening."""
    players = [regular.player.pk for regular in club]
    Player.objects.filter(pk__in=players).update(joined_at=day_begins(first))
